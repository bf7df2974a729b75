from fractions import Fraction

import ciber
import pytest

x, y, z = ciber.reals("x y z")


@pytest.fixture
def problem():
    return ciber.Problem(bounds={x: (0, 1), y: (0, 1), z: (0, 1)}, weights=[x**2 + y])


def test_digits_give_an_enclosure_that_is_narrow_enough(problem):
    event = x + y / 3 + z / 7 <= "1/2"
    exact = problem.probability(event).exact
    rounded = problem.probability(event, digits=6)
    assert rounded.lower <= exact <= rounded.upper
    assert rounded.width * 10**6 <= rounded.lower


def test_a_gap_gives_an_enclosure_that_is_narrow_enough(problem):
    event = x**1 + y <= z
    found = problem.probability(event, gap="1/10")
    assert found.complete
    assert found.width <= Fraction(1, 10)
    assert found.lower <= problem.probability(event).exact <= found.upper


def test_the_answer_does_not_depend_on_threads(problem):
    event = (x + y <= 1) | (y + z <= "1/2")
    assert problem.probability(event, threads=1) == problem.probability(event, threads=3)


@pytest.mark.parametrize(
    "wrong",
    [{"digits": 0}, {"digits": "many"}, {"gap": 0}, {"gap": -1}, {"timeout": -1}, {"threads": 0.5}],
)
def test_a_wrong_value_is_refused(problem, wrong):
    with pytest.raises((ciber.Error, ValueError)):
        problem.wmi(**wrong)


def test_an_unknown_option_is_refused(problem):
    with pytest.raises(TypeError, match="no option is called 'digit'"):
        problem.wmi(digit=3)
