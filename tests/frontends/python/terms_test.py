import copy
import pickle
from fractions import Fraction

import ciber
import numpy
import pytest
from ciber.expression_graph import same


@pytest.fixture
def x():
    return ciber.real("x")


@pytest.fixture
def y():
    return ciber.real("y")


def test_expressions_print_as_they_are_written(x, y):
    a, b = ciber.booleans("a b")
    written = {
        "x + 2*y": x + 2 * y,
        "x - (y - 1)": x - (y - 1),
        "2*(x + y)": 2 * (x + y),
        "-x + 1": -x + 1,
        "x/2": x / 2,
        "(x + y)**2": (x + y) ** 2,
        "(-x)**2": (-x) ** 2,
        "abs(x)": abs(x),
        "(x < 1) & (y >= 1/2)": (x < 1) & (y >= "1/2"),
        "a & ~b | b": a & ~b | b,
        "a & (~b | b)": a & (~b | b),
        "~(x == y)": ~(x == y),
        "a ^ b == (x != 0)": (a ^ b) == (x != 0),
        "implies(a, x > 0)": ciber.implies(a, x > 0),
        "ite(a, x, max(y, 0))": ciber.ite(a, x, ciber.relu(y)),
    }
    for text, expression in written.items():
        assert repr(expression) == text


def test_the_text_of_an_expression_means_the_expression(x, y):
    a, b = ciber.booleans("a b")
    expression = ((a | (x - (2 * y - 1) ** 2 / 3 <= y)) & ~(b ^ (x == y))) | ~a
    names = {"x": x, "y": y, "a": a, "b": b}
    assert same(eval(repr(expression), names), expression)


def test_numbers_stand_on_either_side(x):
    for number in (2, Fraction(1, 2), 0.5, "1/2", numpy.float64(0.5), numpy.float32(2)):
        assert isinstance(x + number, ciber.Term)
        assert isinstance(number + x, ciber.Term)
        assert isinstance(x <= number, ciber.Formula)
        assert isinstance(number <= x, ciber.Formula)


def test_a_bool_is_refused_as_a_number(x):
    with pytest.raises(ciber.Error, match="Boolean, not a number"):
        x + True


def test_terms_and_formulas_do_not_mix(x):
    a = ciber.boolean("a")
    with pytest.raises(TypeError):
        x + a
    with pytest.raises(TypeError):
        a & x
    with pytest.raises(ciber.Error, match="expected a number"):
        ciber.ite(a, x, a)


def test_a_term_divides_by_terms_and_numbers_but_0(x, y):
    assert repr(x / (1 + y)) == "x/(1 + y)"
    assert repr(1 / x) == "1/x"
    with pytest.raises(ciber.Error, match="division by zero"):
        x / 0


def test_an_exponent_is_a_natural_number(x):
    for exponent in (-1, 0.5, Fraction(1, 2)):
        with pytest.raises(ciber.Error, match="natural number"):
            x**exponent


def test_a_formula_has_no_truth_value(x):
    with pytest.raises(ciber.Error, match=r"between\(x, a, b\)"):
        0 <= x <= 1  # noqa: B015
    with pytest.raises(ciber.Error, match="neither true nor false"):
        bool(ciber.boolean("a"))
    with pytest.raises(ciber.Error, match="compare it"):
        bool(x)


def test_equal_expressions_are_the_same_key(x, y):
    table = {x: 1, x + y: 2}
    assert table[ciber.real("x")] == 1
    assert table[ciber.real("x") + ciber.real("y")] == 2
    assert y not in table
    assert x + 1 in [y, x + 1]
    assert x + 1 not in [y, x + 2]


def test_a_name_that_no_file_can_have_is_refused():
    for name in ("", "a|b", "a\\b", "a\nb", 7):
        with pytest.raises(ciber.Error):
            ciber.real(name)


def test_expressions_survive_pickling_and_copies_are_themselves(x, y):
    shared = ciber.relu(x + y)
    expression = (shared * shared <= Fraction(1, 3)) & ciber.boolean("a")
    assert same(pickle.loads(pickle.dumps(expression)), expression)
    assert copy.copy(expression) is expression
    assert copy.deepcopy([expression])[0] is expression


def test_an_expression_is_not_iterated_over(x):
    with pytest.raises(ciber.Error, match="one expression"):
        list(x)


def test_a_sum_of_100000_terms_is_added_up_at_once(x):
    many = sum(x * i for i in range(100_000))
    problem = ciber.Problem(bounds={x: (0, 1)})
    assert problem.expectation(many) == sum(range(100_000)) / Fraction(2)
    assert same(pickle.loads(pickle.dumps(many)), many)
    assert len(repr(many)) < 2000


def test_a_difference_of_many_terms_has_their_signs(x, y):
    problem = ciber.Problem(bounds={x: (0, 1), y: (0, 1)})
    # 10 - (1/2 - (1/2 - 3 * 1/2)) - 1/2 = 8
    assert problem.expectation(10 - (x - (y - 3 * x)) - y) == 8
    assert problem.expectation(-(-(x) - 1)) == Fraction(3, 2)


def test_a_chain_10000_deep_is_translated_without_recursion(x):
    deep = x > 2
    for i in range(10_000):
        deep = ~deep | (x > Fraction(i, 10_000))
    text = ciber.Problem(bounds={x: (0, 1)}).to_smtlib([ciber.Probability(deep)])
    assert text.count("get-probability") == 1
    nested = x
    for _ in range(10_000):
        nested = ciber.relu(nested - 1)
    assert ciber.Problem(assertions=[nested > 0]).to_smtlib().count("define-fun") == 10_000


def test_shared_expressions_are_translated_once(x):
    doubled = x
    for _ in range(10_000):
        doubled = doubled + doubled
    problem = ciber.Problem(bounds={x: (0, 1)})
    assert problem.expectation(doubled / 2**10_000) == Fraction(1, 2)
    both = ciber.boolean("a")
    for _ in range(1000):
        both = both & both
    assert ciber.Problem(assertions=[both]).wmi() == 1


def test_a_power_beyond_the_caps_is_refused_before_it_is_computed(x):
    problem = ciber.Problem(bounds={x: (0, 1)})
    squared = x
    for _ in range(60):
        squared = squared * squared
    with pytest.raises(ciber.Error, match="at most 256 is allowed"):
        problem.expectation(squared)
    with pytest.raises(ciber.Error, match="beyond 256"):
        problem.expectation(x**100_000)
