#include "solver/laws/law.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "solver/terms/error.h"
#include "tests/solver/random_law.h"
#include "tests/solver/random_problem.h"

namespace wmi::tests {
namespace {

/// ReLU(w), w uniform on [-3, 3].
const Law relu({{0, ratio(1, 2)}}, {{0, 3, Univariate::constant(ratio(1, 6))}});

TEST_CASE("half of ReLU(w) is a point mass at 0") {
  CHECK(relu.mass() == 1);
  CHECK(relu.mass_at(0) == ratio(1, 2));
  CHECK(relu.mass_at(1) == 0);
  CHECK(relu.mean() == ratio(3, 4));
  CHECK(relu.variance() == ratio(15, 16));  // 3/2 - 9/16
  CHECK(relu.cdf(-1) == 0);
  CHECK(relu.cdf(0) == ratio(1, 2));
  CHECK(relu.cdf(ratio(3, 2)) == ratio(3, 4));
  CHECK(relu.cdf(7) == 1);
  CHECK(relu.density(0) == ratio(1, 6));
  CHECK(relu.density_left(0) == 0);
  CHECK(relu.density(3) == 0);
  CHECK(relu.density_left(3) == ratio(1, 6));
  CHECK(relu.support() == Interval(0, 3));
  CHECK(relu.quantile(ratio(1, 3), 5) == Interval(Rational(0)));
  CHECK(relu.quantile(ratio(1, 2), 5) == Interval(Rational(0)));
  CHECK(relu.quantile(ratio(3, 4), 5) == Interval(ratio(3, 2)));
  CHECK(relu.quantile(1, 5) == Interval(Rational(3)));
}

TEST_CASE("a quantile that the density reaches exactly at a point mass is that point") {
  // Density 2s on [0, 1], then a point mass at 1.
  const Law law({{1, 1}}, {{0, 1, Univariate({0, 2})}});
  CHECK(law.quantile(ratio(1, 2), 10) == Interval(Rational(1)));
  CHECK(law.quantile(ratio(1, 8), 10) == Interval(ratio(1, 2)));
}

TEST_CASE("a quantile at 0 is found, however long the coefficients") {
  const Rational huge = power(Rational(2), 5000) + 1;
  const Law law({}, {{-1, 1, Univariate({1, 0, huge})}});
  CHECK(law.quantile(ratio(1, 2), 10) == Interval(Rational(0)));
}

TEST_CASE("a triangle around ReLU(w) has the density of the worked example") {
  for (const auto& [radius, density] :
       {std::pair{ratio(12, 5), ratio(445, 1728)}, std::pair{ratio(23, 10), ratio(415, 1587)},
        std::pair{ratio(2297, 1000), ratio(4141000, 15828627)},
        std::pair{ratio(245, 100), ratio(1840, 7203)}}) {
    const Law outcome = convolution(relu, Law::triangular(0, radius));
    CHECK(outcome.density(1) == density);
    CHECK(outcome.mean() == ratio(3, 4));
    CHECK(outcome.atoms().empty());
  }
}

TEST_CASE("pieces and point masses are sorted and added up") {
  const Univariate one = Univariate::constant(1);
  // 1 on [0,2] and 1 on [1,3]: 1, 2, 1.
  const Law law({{5, 1}, {4, 2}, {5, 1}}, {{1, 3, one}, {0, 2, one}});
  CHECK(law.atoms() == std::vector<PointMass>{{4, 2}, {5, 2}});
  CHECK(law.pieces() ==
        std::vector<Piece>{{0, 1, one}, {1, 2, Univariate::constant(2)}, {2, 3, one}});
  // Neighbours with the same polynomial are one piece; what cancels is gone.
  CHECK(Law({}, {{0, 1, one}, {1, 2, one}}) == Law({}, {{0, 2, one}}));
  CHECK(Law({{1, 1}, {1, -1}}, {{0, 1, one}, {0, 1, Univariate::constant(-1)}}).zero());
}

TEST_CASE("invalid arguments are refused with a message") {
  CHECK_THROWS_WITH_AS(Law::uniform(2, 2), "a uniform law needs an interval, not from 2 to 2",
                       Error);
  CHECK_THROWS_WITH_AS(Law::triangular(0, -1), "a triangular law needs a radius above 0, not -1",
                       Error);
  CHECK_THROWS_WITH_AS(Law({}, {{1, 0, Univariate::constant(1)}}),
                       "a piece of a density from 1 to 0 has no length", Error);
  CHECK_THROWS_WITH_AS(relu.quantile(0, 5),
                       "a quantile needs a probability above 0 and at most 1, not 0", Error);
  CHECK_THROWS_WITH_AS(relu.quantile(ratio(3, 2), 5),
                       "a quantile needs a probability above 0 and at most 1, not 3/2", Error);
  CHECK_THROWS_WITH_AS(relu.restricted(2, 1),
                       "a law cannot be restricted to the empty interval from 2 to 1", Error);
  CHECK_THROWS_AS(Law().mean(), Error);
  CHECK_THROWS_AS(Law().support(), Error);
  CHECK_THROWS_AS(Law({{0, -1}, {1, 3}}, {}).quantile(ratio(1, 2), 5), Error);
  CHECK_THROWS_AS(Law({{0, -1}, {1, 3}}, {}).sample(1, 1), Error);
  // 1 - 2s on [0,1] is negative in the right half.
  CHECK_THROWS_AS(Law({{0, 1}}, {{0, 1, Univariate({1, -2})}}).quantile(ratio(1, 2), 5), Error);
  TruncatedPowers endless;
  endless.add(0, 1, 1);
  CHECK_THROWS_AS((Law(endless)), Error);
}

TEST_CASE("the image of a uniform law is uniform, and so are its draws") {
  const Law uniform = Law::uniform(0, 1);
  CHECK(uniform.image(-2, 1) == Law::uniform(-1, 1));
  CHECK(uniform.image(0, 4) == Law::point(4));
  CHECK(convolution(uniform, uniform) == Law::triangular(1, 1));
  CHECK(convolution(uniform, Law::point(3)) == Law::uniform(3, 4));
  const std::vector<double> draws = uniform.sample(2000, 7);
  CHECK(draws == uniform.sample(2000, 7));
  CHECK(draws != uniform.sample(2000, 8));
  double sum = 0, squares = 0;
  for (const double draw : draws) {
    CHECK((draw > 0 && draw < 1));
    sum += draw;
    squares += draw * draw;
  }
  CHECK(std::abs(sum / 2000 - 0.5) < 0.03);
  CHECK(std::abs(squares / 2000 - 1.0 / 3) < 0.03);
}

TEST_CASE("draws hit point masses in proportion to their mass") {
  const std::vector<double> draws = relu.sample(2000, 3);
  const auto zeros = std::count(draws.begin(), draws.end(), 0.0);
  CHECK(std::abs(static_cast<double>(zeros) / 2000 - 0.5) < 0.05);
}

TEST_CASE("the ranked probability score of a point mass is the distance") {
  CHECK(Law::point(3).crps(5) == 2);
  CHECK(Law::point(3).crps(3) == 0);
  // Uniform on [0,1], outcome 0: the integral of (s-1)^2 is 1/3; at 1/2: 1/12.
  CHECK(Law::uniform(0, 1).crps(0) == ratio(1, 3));
  CHECK(Law::uniform(0, 1).crps(ratio(1, 2)) == ratio(1, 12));
  CHECK((2 * Law::uniform(0, 1)).crps(-1) == ratio(4, 3));
}

/// E|X - y| - E|X - X'|/2, the other formula for the score.
Rational energy_score(const Law& law, const Rational& outcome) {
  const auto mean_size = [](const Law& signed_law) -> Rational {  // E|Z|
    const Interval support = signed_law.support();
    const Law below = signed_law.restricted(std::min(support.lower, Rational(0)), 0);
    return signed_law.moment(1) - 2 * below.moment(1);
  };
  const Law unit = law.normalised();
  return mean_size(unit.image(1, -outcome)) - mean_size(convolution(unit, unit.image(-1, 0))) / 2;
}

TEST_CASE("operations on random laws are consistent") {
  Random random(51);
  MESSAGE("seed " << random.seed());
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    const Law a = random_law(random), b = random_law(random);
    const Rational s = ratio(random.integer(-40, 40), random.integer(1, 7));
    const Rational t = s + ratio(random.integer(0, 20), random.integer(1, 7));
    const Rational k = ratio(random.integer(-9, 9), random.integer(1, 4)), c = random.rational();

    // A law says the same in both forms.
    CHECK(Law(a.truncated_powers()) == a);
    CHECK(Law(a.atoms(), a.pieces()) == a);
    // Mass, moments.
    CHECK(a.moment(0) == a.mass());
    CHECK(a.cdf(a.support().upper) == a.mass());
    CHECK(a.restricted(s, t).mass() == a.cdf(t) - a.cdf(s) + a.mass_at(s));
    CHECK(a.restricted(s, s).mass() == a.mass_at(s));
    // The density is the derivative of the distribution function.
    for (const Piece& piece : a.pieces()) {
      const Rational middle = (piece.from + piece.to) / 2;
      CHECK(a.density(middle) == piece.density.at(middle));
      const Law smooth({}, a.pieces());
      CHECK(smooth.cdf(middle) ==
            smooth.cdf(piece.from) + piece.density.integral(piece.from, middle));
    }
    // Mixtures.
    CHECK((a + b).cdf(s) == a.cdf(s) + b.cdf(s));
    CHECK((k * a).cdf(s) == k * a.cdf(s));
    CHECK((a + -1 * a).zero());
    // Images.
    const Law image = a.image(k, c);
    CHECK(image.mass() == a.mass());
    CHECK(image.mean() == k * a.mean() + c);
    CHECK(image.variance() == k * k * a.variance());
    if (k > 0) CHECK(image.cdf(k * s + c) == a.cdf(s));
    if (k < 0) CHECK(image.cdf(k * s + c) == a.mass() - a.cdf(s) + a.mass_at(s));
    if (k != 0) CHECK(image.image(1 / k, -c / k) == a);
    // Convolutions: moments of a sum of independent numbers.
    const Law sum = convolution(a, b);
    CHECK(sum.mass() == a.mass() * b.mass());
    CHECK(sum.mean() == a.mean() + b.mean());
    CHECK(sum.variance() == a.variance() + b.variance());
    CHECK(sum.moment(3) == a.moment(3) * b.mass() + 3 * a.moment(2) * b.moment(1) +
                               3 * a.moment(1) * b.moment(2) + a.mass() * b.moment(3));
    CHECK(sum == convolution(b, a));
    // P(A + B <= s), over the atoms of A and (for B of atoms alone) its pieces.
    const Law atoms_of_b(b.atoms(), {});
    Rational expected;
    for (const PointMass& atom : b.atoms()) expected += atom.mass * a.cdf(s - atom.at);
    if (!atoms_of_b.zero()) CHECK(convolution(a, atoms_of_b).cdf(s) == expected);
    // Scores.
    CHECK(a.crps(s) == energy_score(a, s));
    // Quantiles invert the distribution function; those of a law are those of its multiples.
    const Rational p = ratio(random.integer(1, 64), 64);
    const Interval quantile = a.quantile(p, 20);
    if (k != 0) CHECK((k * a).quantile(p, 20) == quantile);
    CHECK(a.cdf(quantile.upper) >= p * a.mass());
    if (quantile.exact()) {
      CHECK(a.cdf(quantile.lower) - a.mass_at(quantile.lower) <= p * a.mass());
      const Rational before = quantile.lower - ratio(1, 1'000'000'000);
      CHECK(a.cdf(before) < p * a.mass());
    } else {
      CHECK(a.cdf(quantile.lower) < p * a.mass());
      CHECK((quantile.upper - quantile.lower) * power(Rational(10), 20) <=
            std::max(Rational(abs(quantile.lower)), Rational(abs(quantile.upper))));
    }
  }
}

TEST_CASE("a quantile at a rational point is that point") {
  Random random(52);
  for (int i = 0; i < 200; ++i) {
    const Law law = random_law(random).normalised();
    const Interval support = law.support();
    const Rational at =
        support.lower + (support.upper - support.lower) * ratio(random.integer(1, 16), 16);
    const Rational p = law.cdf(at);
    if (p == 0) continue;
    // The least point with that much mass below: `at` itself, or further left if none lies between.
    const Interval found = law.quantile(p, 30);
    CHECK(found.exact());
    CHECK(found.lower <= at);
    CHECK(law.cdf(found.lower) >= p);
    CHECK(law.restricted(found.lower, at).mass() == law.mass_at(found.lower));
  }
}

}  // namespace
}  // namespace wmi::tests
