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


E = Fraction("2.718281828459045235360287471352662497757")


@pytest.mark.parametrize(
    ("term", "mean"),
    [
        (ciber.exp(x), E - 1),
        (ciber.log(1 + x), Fraction("0.386294361119890618834464242916")),  # 2 log 2 - 1
        (ciber.sqrt(x), Fraction(2, 3)),
        (ciber.erf(x), Fraction("0.486064958112255934063275308243")),
        (ciber.sigmoid(x), Fraction("0.620114506958277524631763373510")),  # log((1 + e) / 2)
        (ciber.tanh(x), Fraction("0.433780830483027187026494684900")),  # log cosh 1
        (1 / (1 + x), Fraction("0.693147180559945309417232121458")),
        (x / (1 + y), Fraction("0.346573590279972654708616060729")),
        (ciber.exp(ciber.ite(a, x, 0)), E / 2),
    ],
)
def test_smooth_functions_have_enclosed_means(term, mean):
    for digits in (None, 12):
        answer = SQUARE.expectation(term, digits=digits)
        assert answer.lower <= mean + Fraction(1, 10**28)
        assert answer.upper >= mean - Fraction(1, 10**28)
        assert answer.upper - answer.lower < Fraction(1, 10 ** (digits or 6))


def test_normal_weights_need_no_bounds():
    given_x = ciber.normal(y, x / 2, "0.5")
    problem = ciber.Problem(variables=[x, y], weights=[ciber.normal(x) * given_x])
    both = problem.probability((x > 0) & (y > 0), digits=8)
    assert both.lower <= Fraction(3, 8) <= both.upper
    quantile = problem.quantile(x + y, "1/2", digits=6)
    assert quantile.lower <= 0 <= quantile.upper


def test_smooth_functions_are_refused_in_comparisons_and_laws():
    with pytest.raises(ciber.Error, match="'exp' cannot stand here"):
        SQUARE.probability(ciber.exp(x) < 2)
    with pytest.raises(ciber.Error, match="'exp' cannot stand here"):
        SQUARE.cdf(ciber.exp(x), 2)
    with pytest.raises(ciber.Error, match="no formula"):
        ciber.Problem(bounds={x: (0, 1)}, weights=[ciber.exp(x)]).distribution(x)


def test_the_extreme_of_no_terms_is_refused():
    with pytest.raises(ciber.Error, match="at least one"):
        ciber.maximum()


def test_names_are_separated_by_spaces_or_commas():
    for names in ("x y", "x, y", "x,y", ["x", "y"]):
        assert [one.name for one in ciber.reals(names)] == ["x", "y"]
        assert [one.name for one in ciber.booleans(names)] == ["x", "y"]
