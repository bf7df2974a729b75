"""Bounds of expressions hold for all values between the bounds of their names."""

import operator
import random
from fractions import Fraction
from functools import reduce

import ciber
import pytest
from ciber.brackets import bracket, names_in
from ciber.expression_graph import packed

X, Y, Z = ciber.reals("x y z")
A = ciber.boolean("a")
BOUNDED = {"y", "z"}

EXPRESSIONS = [
    2 * Y - Z / 3 + X,
    -Y / -2 - X * Y,
    Z * X * 2,
    abs(Y) + abs(Y - 3),
    Y**2 - Z**3,
    ciber.maximum(Y, X, -Z) - ciber.minimum(Y, 1),
    ciber.ite(Y < Z, Y, X),
    ciber.ite(A, Y, -Z),
    ciber.ite(Y + Z > X, ciber.ite(Y > 0, Y, Z), 1),
    Y < Z,
    Y <= X,
    (Y > 0) & (Z >= X),
    (Y > 0) | ~(Z < 0),
    Y == Z,
    Y != X,
    (Y > 0) ^ (Z > 0),
    (Y > 0) == A,
    (Y > 0) != (Z < 1),
    ciber.implies(Y > Z, Z > X),
    ciber.ite(Y > X, Z > 0, A),
]

OPERATORS = {
    "*": lambda *a: reduce(operator.mul, a),
    "+": lambda *a: sum(a),
    "-": lambda a, b=None: -a if b is None else a - b,
    "/": lambda a, b: Fraction(a) / b,
    "^": operator.pow,
    "abs": abs,
    "max": max,
    "min": min,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "distinct": operator.ne,
    "xor": operator.ne,
    "not": operator.not_,
    "and": lambda *a: all(a),
    "or": lambda *a: any(a),
    "=>": lambda a, b: not a or b,
    "ite": lambda a, b, c: b if a else c,
}


def evaluated(expression, values):
    found = []
    for _, sign, operands in packed(expression):
        if sign in ("real", "bool"):
            found.append(values[operands[0]])
        else:
            parts = [found[one[0]] if isinstance(one, tuple) else one for one in operands]
            found.append(OPERATORS[sign](*parts))
    return found[-1]


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=repr)
def test_the_bounds_of_an_expression_enclose_its_value(expression):
    bounds = bracket(expression, BOUNDED)
    draw = random.Random(7)
    for _ in range(300):
        values = {"x": draw.randint(-6, 6), "a": draw.random() < 0.5}
        for name in BOUNDED:
            lower, true, upper = sorted(draw.randint(-6, 6) for _ in range(3))
            values |= {f"lower {name}": lower, name: true, f"upper {name}": upper}
        truth = evaluated(expression, values)
        assert evaluated(bounds.lower, values) <= truth <= evaluated(bounds.upper, values)


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=repr)
def test_bounds_that_meet_are_exact(expression):
    bounds = bracket(expression, BOUNDED)
    draw = random.Random(8)
    for _ in range(50):
        values = {"x": draw.randint(-6, 6), "a": draw.random() < 0.5}
        for name in BOUNDED:
            value = draw.randint(-6, 6)
            values |= {f"lower {name}": value, name: value, f"upper {name}": value}
        truth = evaluated(expression, values)
        assert evaluated(bounds.lower, values) == truth == evaluated(bounds.upper, values)


def test_an_expression_without_bounded_names_is_exact():
    assert bracket(X + 1 < 2 * X, BOUNDED).exact
    assert bracket(3, BOUNDED) == (3, 3)


def test_a_product_of_two_bounded_values_is_refused():
    with pytest.raises(ciber.Error, match="a product of two values"):
        bracket(Y * Z, BOUNDED)


def test_names_are_found_each_once():
    assert names_in(X + Y < X, None, 3, Z) == ["x", "y", "z"]


def test_deep_expressions_have_bounds():
    deep = Y
    for _ in range(20_000):
        deep = deep + 1
    assert not bracket(deep, BOUNDED).exact
