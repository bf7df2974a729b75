from fractions import Fraction

import ciber
import pytest

x, y = ciber.reals("x y")
a, b = ciber.booleans("a b")
SQUARE = ciber.Problem(bounds={x: (0, 1), y: (0, 1)}, variables=[a, b])


@pytest.mark.parametrize(
    ("term", "mean"),
    [
        (ciber.maximum(x, y), Fraction(2, 3)),
        (ciber.minimum(x, y), Fraction(1, 3)),
        (ciber.maximum(x, "1/2"), Fraction(5, 8)),
        (ciber.maximum(x, y, 1), 1),
        (ciber.relu(x - y), Fraction(1, 6)),
        (abs(x - y), Fraction(1, 3)),
        (ciber.absolute(x - y), Fraction(1, 3)),
        (ciber.ite(a, x, 3), Fraction(7, 4)),
        (ciber.total([x, y, 1]), 2),
        (ciber.ite(ciber.ite(a, b, False), 4, 0), 1),
    ],
)
def test_a_function_of_uniform_numbers_has_its_mean(term, mean):
    assert SQUARE.expectation(term) == mean


@pytest.mark.parametrize(
    ("formula", "probability"),
    [
        (ciber.conjunction(x < y, a), Fraction(1, 4)),
        (ciber.disjunction(x < y, a), Fraction(3, 4)),
        (ciber.conjunction(), 1),
        (ciber.disjunction(), 0),
        (ciber.implies(a, b), Fraction(3, 4)),
        (a ^ b, Fraction(1, 2)),
        (a == b, Fraction(1, 2)),
        (a != b, Fraction(1, 2)),
        (ciber.between(x, "1/4", "1/2"), Fraction(1, 4)),
        (a & True, Fraction(1, 2)),
        (x == y, 0),
        (x != y, 1),
    ],
)
def test_a_formula_has_its_probability(formula, probability):
    assert SQUARE.probability(formula) == probability


def test_the_extreme_of_no_terms_is_refused():
    with pytest.raises(ciber.Error, match="at least one"):
        ciber.maximum()


def test_names_are_separated_by_spaces_or_commas():
    for names in ("x y", "x, y", "x,y", ["x", "y"]):
        assert [one.name for one in ciber.reals(names)] == ["x", "y"]
        assert [one.name for one in ciber.booleans(names)] == ["x", "y"]
