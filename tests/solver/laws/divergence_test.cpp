#include "solver/laws/divergence.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "solver/numeric/roots.h"
#include "solver/terms/error.h"
#include "tests/solver/random_law.h"
#include "tests/solver/reference_quadrature.h"

namespace wmi::tests {
namespace {

bool holds(const Interval& value, const Rational& reference) {
  const Rational slack = power(ratio(1, 10), 195);
  return value.lower - slack <= reference && reference <= value.upper + slack;
}

/// The integral of p log q by quadrature, between the points where q may vanish.
Rational log_integral(const Univariate& p, const Univariate& q, const Rational& from,
                      const Rational& to) {
  std::vector<Rational> ends{from};
  // Roots of q inside are even, so they are roots of its derivative.
  for (const Interval& turn : sign_changes(q.derivative(), from, to, 220))
    ends.push_back(turn.midpoint());
  ends.push_back(to);
  Rational sum;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i)
    sum += reference_integral(
        [&](mpfr_ptr value, mpfr_srcptr s) {
          mpfr_t density;
          mpfr_init2(density, mpfr_get_prec(value));
          at(density, p, s);
          at(value, q, s);
          mpfr_abs(value, value, MPFR_RNDN);
          if (mpfr_sgn(value) != 0) mpfr_log(value, value, MPFR_RNDN);
          mpfr_mul(value, value, density, MPFR_RNDN);
          mpfr_clear(density);
        },
        ends[i], ends[i + 1]);
  return sum;
}

Rational log_of(const Rational& value) {
  return reference([&](mpfr_ptr result) {
    mpfr_set_q(result, value.get_mpq_t(), MPFR_RNDN);
    mpfr_log(result, result, MPFR_RNDN);
  });
}

const Law unit = Law::uniform(0, 1);

TEST_CASE("the L1 distance of two uniform laws is twice the mass that they do not share") {
  CHECK(l1_distance(unit, unit, 5) == Interval(Rational(0)));
  CHECK(l1_distance(unit, Law::uniform(ratio(1, 2), ratio(3, 2)), 5) == Interval(Rational(1)));
  CHECK(l1_distance(unit, Law::uniform(5, 6), 5) == Interval(Rational(2)));
  CHECK(l1_distance(Law::point(1), Law::point(2), 5) == Interval(Rational(2)));
  // 2s against 1 on [0,1]: 1/4 + 1/4.
  CHECK(l1_distance(unit, Law({}, {{0, 1, Univariate({0, 2})}}), 5) == Interval(ratio(1, 2)));
  // 3s^2 against 1: they meet at 1/sqrt(3), so 2 (r - r^3) = 4/(3 sqrt 3).
  const Interval found = l1_distance(unit, Law({}, {{0, 1, Univariate({0, 0, 3})}}), 40);
  CHECK(!found.exact());
  CHECK(found.upper - found.lower <= power(ratio(1, 10), 40));
  const auto square = [](const Rational& x) -> Rational { return x * x; };
  CHECK(square(found.lower) <= ratio(16, 27));
  CHECK(square(found.upper) >= ratio(16, 27));
}

TEST_CASE("the entropy of a uniform law is the logarithm of its length") {
  CHECK(holds(entropy(Law::uniform(1, 4), 50), log_of(3)));
  CHECK(holds(entropy(5 * Law::uniform(1, 4), 50), log_of(3)));
  // A triangle of radius r: 1/2 + log r.
  CHECK(holds(entropy(Law::triangular(7, 3), 50), ratio(1, 2) + log_of(3)));
  CHECK_THROWS_WITH_AS(entropy(Law::point(2), 5),
                       "a law with a point mass at 2 has no entropy: it is -oo", Error);
  CHECK_THROWS_AS(entropy(Law({}, {{0, 1, Univariate({1, -2})}, {2, 3, Univariate({1})}}), 5),
                  Error);
  CHECK_THROWS_AS(entropy(Law(), 5), Error);
}

TEST_CASE("a law diverges infinitely from one that does not cover it") {
  CHECK(!kl_divergence(unit, Law::uniform(0, ratio(1, 2)), 5));
  CHECK(!kl_divergence(Law::point(0), unit, 5));
  CHECK(!kl_divergence(unit + Law::point(3), unit, 5));
  CHECK(kl_divergence(unit, unit, 5) == Interval(Rational(0)));
  // Half of the length: log 2.
  CHECK(holds(*kl_divergence(Law::uniform(0, ratio(1, 2)), unit, 50), log_of(2)));
  // Point masses 1/2, 1/2 from 1/4, 3/4: log(2/sqrt 3).
  const Law even({{0, 1}, {1, 1}}, {}), uneven({{0, 1}, {1, 3}}, {});
  CHECK(holds(*kl_divergence(even, uneven, 50), log_of(ratio(4, 3)) / 2));
}

TEST_CASE("divergences and entropies agree with quadrature") {
  Random random(71);
  MESSAGE("seed " << random.seed());
  int finite = 0;
  for (int i = 0; i < 14; ++i) {
    CAPTURE(i);
    const Law a = random_law(random).normalised();
    // One that covers it, most of the time.
    const Interval support = a.support();
    Law b = random_law(random) +
            ratio(1, random.integer(1, 3)) * a.image(-1, support.lower + support.upper);
    if (random.chance(80))
      b = b + Law(a.atoms(), {{support.lower - ratio(1, 3), support.upper + 1,
                               Univariate({ratio(1, random.integer(2, 9))})}});
    b = b.normalised();
    for (const unsigned digits : {4u, 50u}) {
      const std::optional<Interval> found = kl_divergence(a, b, digits);
      if (!found) continue;
      ++finite;
      CHECK(found->upper >= 0);
      CHECK(found->upper - found->lower <= power(ratio(1, 10), digits));
      Rational truth;
      for (const PointMass& atom : a.atoms())
        truth += atom.mass * log_of(Rational(atom.mass / b.mass_at(atom.at)));
      // Between all knots of both.
      std::vector<Rational> points = a.knots();
      for (const Rational& point : b.knots()) points.push_back(point);
      std::sort(points.begin(), points.end());
      points.erase(std::unique(points.begin(), points.end()), points.end());
      for (std::size_t k = 0; k + 1 < points.size(); ++k) {
        const Law pa = a.restricted(points[k], points[k + 1]);
        const Law pb = b.restricted(points[k], points[k + 1]);
        if (pa.pieces().empty()) continue;
        const Univariate &p = pa.pieces()[0].density, &q = pb.pieces()[0].density;
        truth += log_integral(p, p, points[k], points[k + 1]) -
                 log_integral(p, q, points[k], points[k + 1]);
      }
      CHECK(holds(*found, truth));
    }
    const Law smooth({}, a.pieces());
    if (smooth.zero()) continue;
    Rational truth;
    const Law whole = smooth.normalised();
    for (const Piece& piece : whole.pieces())
      truth -= log_integral(piece.density, piece.density, piece.from, piece.to);
    CHECK(holds(entropy(smooth, 50), truth));
  }
  CHECK(finite > 10);
}

TEST_CASE("the L1 distance of random laws agrees with a fine grid") {
  Random random(72);
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    const Law a = random_law(random).normalised(), b = random_law(random).normalised();
    const Interval found = l1_distance(a, b, 30);
    CHECK(found.upper - found.lower <= power(ratio(1, 10), 30));
    CHECK(found == l1_distance(b, a, 30));
    CHECK(found.lower >= 0);
    CHECK(found.lower <= 2);
    // A sum over a fine grid from below: |mass of a - mass of b| on each cell adds up to less.
    const Law difference = a + -1 * b;
    const Interval support = difference.zero() ? Interval(0, 1) : difference.support();
    Rational grid;
    for (int k = 0; k < 64; ++k) {
      const Rational step = (support.upper - support.lower) / 64;
      const Rational from = support.lower + k * step;
      const Law cell = difference.restricted(from, from + step);
      grid += abs(Law({}, cell.pieces()).mass());
    }
    for (const PointMass& atom : difference.atoms()) grid += abs(atom.mass);
    CHECK(grid <= found.upper);
    CHECK(found.lower <= grid + ratio(1, 2));
  }
}

}  // namespace
}  // namespace wmi::tests
