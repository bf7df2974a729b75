import pickle
from fractions import Fraction

import ciber
import pytest

x, y = ciber.reals("x y")
SQUARE = ciber.Problem(bounds={x: (0, 1), y: (0, 1)})
EIGHTH = SQUARE.probability(x + y <= "1/2")


def bounds(lower, upper):
    """An answer that is only known to lie between two numbers."""
    record = (True, (Fraction(lower), Fraction(upper)), None, None, "", "", 1, [])
    return ciber.Answer("", record)


def test_an_exact_answer_is_its_number():
    assert EIGHTH.exact == EIGHTH.lower == EIGHTH.upper == Fraction(1, 8)
    assert float(EIGHTH) == 0.125
    assert EIGHTH.complete
    assert EIGHTH.cells == 1
    assert EIGHTH.assumptions == ()
    assert hash(EIGHTH) == hash(Fraction(1, 8))
    assert {Fraction(1, 8): "found"}[EIGHTH] == "found"


def test_exact_answers_compare_as_their_numbers():
    assert EIGHTH == Fraction(1, 8)
    assert EIGHTH == 0.125
    assert EIGHTH != 1
    assert EIGHTH < 1
    assert EIGHTH <= Fraction(1, 8)
    assert not EIGHTH < Fraction(1, 8)
    assert EIGHTH > "1/9"
    assert EIGHTH >= EIGHTH
    assert EIGHTH is not None
    assert EIGHTH != None  # noqa: E711


def test_bounds_compare_only_where_they_decide():
    between = bounds("1/3", "1/2")
    assert between < 1
    assert between > 0
    assert between >= Fraction(1, 3)
    assert between <= 0.5
    assert between != 1
    assert between != 0
    for undecided in (
        lambda: between < "2/5",
        lambda: between == Fraction(1, 3),
        lambda: between < 0.5,
        lambda: between >= "0.4",
        lambda: between == between,
        lambda: between < bounds(0, "2/5"),
    ):
        with pytest.raises(ciber.Error, match="the bounds do not decide"):
            undecided()
    assert between < bounds(1, 2)


def test_an_answer_has_no_order_with_what_is_no_number():
    with pytest.raises(TypeError):
        EIGHTH < []  # noqa: B015


def test_an_answer_is_no_truth_value():
    with pytest.raises(ciber.Error, match="compare it"):
        bool(EIGHTH)


def test_the_float_of_bounds_is_their_middle():
    assert float(bounds(0, 1)) == 0.5


def test_answers_print_as_the_command_line_prints_them():
    assert str(EIGHTH) == "1/8 = 0.125"
    assert repr(EIGHTH) == "Answer(1/8 = 0.125)"
    assert str(bounds("1/3", "2/3")) == "at least 0.33333333333333333, at most 0.66666666666666667"
    long = ciber.Problem(bounds={x: (0, Fraction(1, 7**300))}).wmi()
    assert len(str(long)) < 40


def test_notebooks_show_answers():
    assert EIGHTH._repr_latex_() == r"$\frac{1}{8} = 0.125$"
    assert EIGHTH._repr_html_() == '<span title="1 cell">1/8 = 0.125</span>'
    assert bounds(0, 1)._repr_latex_() == "$[0, 1]$"
    undefined = SQUARE.probability(x < y, given=x > 2)
    assert "probability 0" in undefined._repr_html_()


def test_a_density_has_its_left_limit():
    law = ciber.Problem(bounds={x: (0, 2)}, weights=[ciber.ite(x < 1, 1, 3)])
    answer = law.density(x, 1)
    assert answer == Fraction(3, 4)
    assert answer.left == (Fraction(1, 4), Fraction(1, 4))


def test_answers_survive_pickling():
    for answer in (
        EIGHTH,
        SQUARE.ask([ciber.Distribution(x + y)])[0],
        SQUARE.probability(x < y, given=x > 2),
        SQUARE.probability(x < y, certify=True),
    ):
        again = pickle.loads(pickle.dumps(answer))
        assert (again.lower, again.upper) == (answer.lower, answer.upper)
        assert repr(again) == repr(answer)
        assert again.law == answer.law
        assert repr(again.query) == repr(answer.query)


def test_an_answer_is_formatted_as_a_float():
    answer = ciber.Problem(bounds={ciber.real("x"): (0, 3)}).probability(ciber.real("x") < 1)
    assert f"{answer:.3f}" == "0.333"
    assert f"{answer}" == "1/3 = 0.33333333333333333"


def test_an_undefined_answer_is_not_compared():
    x = ciber.real("x")
    answer = ciber.Problem(bounds={x: (0, 3)}).probability(x < 1, given=x > 4)
    with pytest.raises(ciber.Error, match="an undefined answer is no number"):
        _ = answer < 1


def test_an_answer_is_not_equal_to_a_text_that_is_no_number():
    answer = ciber.Problem(bounds={ciber.real("x"): (0, 3)}).wmi()
    assert answer != "abc"
    assert answer == "3"
