import pickle
from fractions import Fraction

import ciber
import numpy
import pytest

w, x, y = ciber.reals("w x y")
# max(w, 0) of w uniform on [-3, 3]: half of the mass at 0, the rest uniform on [0, 3].
RELU = ciber.Problem(bounds={w: (-3, 3)}).distribution(ciber.relu(w))
# The sum of two uniform numbers: a triangle.
TRIANGLE = ciber.Problem(bounds={x: (0, 1), y: (0, 1)}).distribution(x + y)
DIE = ciber.Law(atoms=[(i, Fraction(1, 6)) for i in range(1, 7)])
NEGATIVE = ciber.Law(pieces=[(0, 1, [3]), (1, 2, [-2])])


def test_a_law_has_its_point_masses_and_pieces():
    assert RELU.atoms == [(0, Fraction(1, 2))]
    assert RELU.pieces == [(0, 3, (Fraction(1, 6),))]
    assert TRIANGLE.atoms == []
    assert TRIANGLE.pieces == [(0, 1, (0, 1)), (1, 2, (2, -1))]


def test_a_law_has_exact_moments():
    assert RELU.mean == Fraction(3, 4)
    assert RELU.var == Fraction(15, 16)
    assert RELU.std == pytest.approx(float(RELU.var) ** 0.5)
    assert RELU.mass == 1
    assert TRIANGLE.moment(2) == Fraction(7, 6)
    assert DIE.mean == Fraction(7, 2)
    assert DIE.var == Fraction(35, 12)


def test_a_law_is_evaluated_exactly_at_numbers():
    assert RELU.cdf(0) == Fraction(1, 2)
    assert RELU.cdf(-1) == 0
    assert RELU.pdf("1/3") == Fraction(1, 6)
    assert RELU.quantile("1/4") == 0
    assert RELU.quantile("3/4") == Fraction(3, 2)
    assert TRIANGLE.cdf(0.5) == Fraction(1, 8)
    assert TRIANGLE.support == (0, 2)


def test_a_quantile_that_is_not_rational_is_enclosed():
    # F(s) = s^2/2 = 1/4 at the root of 1/2.
    lower, upper = TRIANGLE.quantile_bounds("1/4")
    assert lower**2 < Fraction(1, 2) < upper**2
    assert upper - lower < Fraction(1, 10**18)
    assert float(TRIANGLE.quantile("1/4")) == 0.5**0.5


def test_an_interval_has_equal_tails():
    lower, upper = TRIANGLE.interval("3/4")
    assert (lower, upper) == (Fraction(1, 2), Fraction(3, 2))
    with pytest.raises(ciber.Error, match="between 0 and 1"):
        TRIANGLE.interval(1)


@pytest.mark.parametrize("law", [RELU, TRIANGLE, DIE], ids=["relu", "triangle", "die"])
def test_arrays_agree_with_exact_numbers(law):
    places = numpy.linspace(-1, 7, 161)
    assert law.cdf(places) == pytest.approx([float(law.cdf(s)) for s in places], abs=1e-15)
    assert law.pdf(places) == pytest.approx([float(law.pdf(s)) for s in places], abs=1e-15)
    levels = numpy.linspace(0.015625, 1, 64)
    exact = [float(law.quantile(p)) for p in levels]
    if law is not DIE:  # a level that is a step of the cdf in floats may fall on either side
        assert law.quantile(levels) == pytest.approx(exact, abs=1e-14)
    assert law.cdf(numpy.array([[0.0], [1.0]])).shape == (2, 1)
    assert law.cdf([0.0, 10.0]).tolist() == pytest.approx([float(law.cdf(0)), 1])


def test_arrays_do_not_cancel_far_from_zero():
    shifted = ciber.Problem(bounds={x: (0, 1), y: (0, 1)}).distribution(x + y + 10**6)
    places = 10**6 + numpy.linspace(0, 2, 41)
    assert shifted.cdf(places) == pytest.approx([float(shifted.cdf(s)) for s in places], abs=1e-15)


def test_draws_follow_the_law():
    draws = RELU.sample(20_000, numpy.random.default_rng(1))
    assert draws.shape == (20_000,)
    assert draws.mean() == pytest.approx(0.75, abs=0.02)
    assert (draws == 0).mean() == pytest.approx(0.5, abs=0.02)
    assert RELU.sample(5, 7).tolist() == RELU.sample(5, 7).tolist()
    assert set(DIE.sample(1000, 3)) == {1, 2, 3, 4, 5, 6}


def test_a_negative_law_has_no_quantiles():
    assert NEGATIVE.mass == 1
    for question in (
        lambda: NEGATIVE.quantile("1/2"),
        lambda: NEGATIVE.sample(1, 1),
        NEGATIVE.to_scipy,
    ):
        with pytest.raises(ciber.Error, match="negative"):
            question()


def test_the_zero_measure_has_no_mean():
    zero = ciber.Law()
    assert repr(zero) == "<Law: zero>"
    with pytest.raises(ciber.Error):
        _ = zero.mean
    with pytest.raises(ciber.Error):
        _ = zero.support


def test_laws_are_values():
    assert pickle.loads(pickle.dumps(RELU)) == RELU
    assert hash(pickle.loads(pickle.dumps(RELU))) == hash(RELU)
    assert RELU != TRIANGLE
    assert RELU != 3
    assert ciber.Law(atoms=[(0, "1/2")], pieces=[(0, 3, ["1/6"])]) == RELU
    with pytest.raises(ciber.Error):
        ciber.Law(pieces=[(1, 1, [1])])


def test_a_law_is_shown():
    assert repr(RELU) == "<Law: mean 0.75, 1 point mass and 1 piece from 0 to 3>"
    assert ">mass 1/2</td>" in RELU._repr_html_()
    assert ">at 0</td>" in RELU._repr_html_()
    assert "density 2 - s" in TRIANGLE._repr_html_()
    assert RELU._repr_latex_().startswith("$")


def test_scipy_sees_the_same_law():
    stats = pytest.importorskip("scipy.stats", reason="no scipy")
    variable = TRIANGLE.to_scipy()
    assert variable.mean() == pytest.approx(1)
    assert variable.var() == pytest.approx(1 / 6)
    assert variable.cdf(0.5) == pytest.approx(0.125)
    assert variable.pdf(1.5) == pytest.approx(0.5)
    assert variable.ppf([0.125, 0.5]) == pytest.approx([0.5, 1])
    draws = variable.rvs(size=5000, random_state=numpy.random.default_rng(2))
    assert stats.kstest(draws, stats.triang(0.5, 0, 2).cdf).pvalue > 0.01
    assert RELU.to_scipy().ppf(0.25) == 0
    die = DIE.to_scipy()
    assert die.pmf(3) == pytest.approx(1 / 6)
    assert die.var() == pytest.approx(35 / 12)


def test_torch_sees_the_same_law():
    torch = pytest.importorskip("torch", reason="no torch for Python")
    distribution = TRIANGLE.to_torch()
    assert isinstance(distribution, torch.distributions.Distribution)
    assert distribution.mean == 1
    assert float(distribution.cdf(torch.tensor(0.5))) == 0.125
    assert distribution.icdf(torch.tensor([0.125, 0.875])).tolist() == pytest.approx([0.5, 1.5])
    assert float(distribution.log_prob(torch.tensor(1.0))) == pytest.approx(0)
    torch.manual_seed(1)
    assert distribution.sample((1000,)).mean() == pytest.approx(1, abs=0.05)
    with pytest.raises(ciber.Error, match="point masses"):
        RELU.to_torch().log_prob(torch.tensor(1.0))


def test_a_law_is_drawn():
    matplotlib = pytest.importorskip("matplotlib", reason="no matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    axes = RELU.plot()
    assert axes.get_ylabel() == "density"
    assert len(axes.lines) == 2  # the piece, and the head of the point mass
    _, given = pyplot.subplots()
    assert TRIANGLE.plot(given) is given
    pyplot.close("all")


@pytest.mark.parametrize("law", [RELU, ciber.Law(atoms=[(1, "1/2")], pieces=[(0, 2, ["1/4"])])])
def test_scipy_counts_point_masses(law):
    variable = law.to_scipy()
    for at in (-1, 0, 0.5, 1, 2, 3):
        assert variable.cdf(at) == pytest.approx(float(law.cdf(at)))
        assert variable.sf(at) == pytest.approx(float(1 - law.cdf(at)))
    assert variable.expect(lambda value: 1) == pytest.approx(1)
    assert variable.expect(lambda value: value**2) == pytest.approx(float(law.moment(2)))
    assert variable.expect(lb=0.5, conditional=True) == pytest.approx(_mean_above_half(law))
    with pytest.raises(ciber.Error, match="no density"):
        variable.pdf(1)


def _mean_above_half(law):
    tail = [(max(a, Fraction(1, 2)), b, c[0]) for a, b, c in law.pieces if b > Fraction(1, 2)]
    atoms = [(at, mass) for at, mass in law.atoms if at >= Fraction(1, 2)]
    mass = sum(c * (b - a) for a, b, c in tail) + sum(mass for _, mass in atoms)
    first = sum(c * (b * b - a * a) / 2 for a, b, c in tail) + sum(at * mass for at, mass in atoms)
    return float(first / mass)


def test_scipy_has_the_exact_skewness_and_kurtosis():
    far = [ciber.real(f"u{i}") for i in range(6)]
    law = ciber.Problem(bounds={one: (100000, 100001) for one in far}).distribution(
        ciber.total(far)
    )
    assert law.to_scipy().stats("mvsk") == pytest.approx((600003, 0.5, 0, -0.2))


def test_arrays_are_accurate_where_the_density_falls_to_0():
    many = [ciber.real(f"u{i}") for i in range(13)]
    law = ciber.Problem(bounds={one: (0, 1) for one in many}).distribution(ciber.total(many))
    for at in (1e-3, 0.01, 6.5, 12.95, 12.99, 12.9999):
        assert law.pdf(numpy.array([at]))[0] == pytest.approx(float(law.pdf(at)), rel=1e-9)
        assert law.arrays.survival([at])[0] == pytest.approx(float(1 - law.cdf(at)), rel=1e-9)


def test_nan_in_an_array_stays_nan():
    for found in (RELU.cdf(numpy.array([numpy.nan, 1])), RELU.pdf(numpy.array([numpy.nan, 1]))):
        assert numpy.isnan(found[0])
        assert not numpy.isnan(found[1])
