from decimal import Decimal
from fractions import Fraction

import ciber
import numpy
import pytest
from ciber import Error
from ciber.numbers import exact


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (3, 3),
        (Fraction(1, 3), Fraction(1, 3)),
        (Decimal("0.1"), Fraction(1, 10)),
        ("0.1", Fraction(1, 10)),
        ("1e-3", Fraction(1, 1000)),
        ("-2/7", Fraction(-2, 7)),
        (0.5, Fraction(1, 2)),
        (0.1, Fraction(3602879701896397, 36028797018963968)),
        (numpy.float32(0.1), Fraction(13421773, 134217728)),
        (numpy.float64(0.25), Fraction(1, 4)),
        (numpy.int64(7), 7),
        (numpy.array(0.5), Fraction(1, 2)),
    ],
)
def test_a_number_is_what_it_spells(written, value):
    assert exact(written) == value


@pytest.mark.parametrize("refused", [True, numpy.bool_(False)])
def test_a_bool_is_no_number(refused):
    with pytest.raises(Error, match="Boolean, not a number"):
        exact(refused)


@pytest.mark.parametrize(
    "refused",
    [float("nan"), float("inf"), Decimal("NaN"), Decimal("-Infinity"), numpy.float32("nan")],
)
def test_what_is_not_finite_is_refused(refused):
    with pytest.raises(Error, match="not a number that a problem can have"):
        exact(refused)


@pytest.mark.parametrize("refused", [None, [1], "one", "", numpy.array([1.0, 2.0]), object()])
def test_what_is_no_number_is_refused(refused):
    with pytest.raises(Error):
        exact(refused)


@pytest.mark.parametrize(
    "huge", ["1e1000000000", Decimal("1e999999999"), "1e-99999999999999999999"]
)
def test_a_short_text_of_a_huge_number_is_refused_at_once(huge):
    with pytest.raises(Error):
        exact(huge)


def test_long_numbers_pass_through_the_engine_unchanged():
    x = ciber.real("x")
    for number in (10**5000, -(3**7000), Fraction(-(10**4999) - 1, 3**5000), 2**63, -(2**63) - 1):
        answer = ciber.Problem(bounds={x: (0, 1)}).expectation(x + number)
        assert answer.exact == number + Fraction(1, 2)
        assert len(repr(answer)) < 300
        assert len(repr(x + number)) < 300
        assert len(answer._repr_latex_()) < 300
