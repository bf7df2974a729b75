#include "solver/laws/independent_sums/independent_sum.h"

#include <arb.h>
#include <arb_hypgeom.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "solver/laws/independent_sums/box_spline.h"
#include "solver/numeric/ball.h"
#include "solver/terms/decimal.h"
#include "solver/terms/error.h"
#include "tests/solver/random_sum.h"

namespace wmi::tests {
namespace {

bool meet(const Interval& a, const Interval& b) { return a.lower <= b.upper && b.lower <= a.upper; }

Rational width(const Interval& value) { return value.upper - value.lower; }

/// Digits of the value itself.
bool has_digits(const Interval& value, int digits) {
  return width(value) <= ten_to(-digits) * value.upper;
}

/// The density at x of the uniforms on [-h, h], and P(S > x), as sums over all 2^n corners of
/// truncated powers, term by term.
Rational by_corners(const std::vector<Rational>& halves, bool density, const Rational& x) {
  const auto n = static_cast<unsigned>(halves.size());
  const unsigned degree = density ? n - 1 : n;
  Rational sum, volume = 1;
  for (const Rational& half : halves) volume *= 2 * half;
  for (unsigned long corner = 0; corner < 1ul << n; ++corner) {
    Rational at = -x;
    int sign = 1;
    for (unsigned i = 0; i < n; ++i) {
      if ((corner >> i & 1) != 0) {
        at -= halves[i];
        sign = -sign;
      } else {
        at += halves[i];
      }
    }
    if (at > 0) sum += sign * power(at, degree);
  }
  for (unsigned i = 2; i <= degree; ++i) sum /= i;
  return sum / volume;
}

/// Phi(a / sigma), with 8000 bits.
Ball normal_cdf(const Rational& a, const Rational& sigma) {
  constexpr slong bits = 8000;
  Ball result = ball(Rational(-a / sigma), bits), two;
  arb_set_ui(two, 2);
  arb_sqrt(two, two, bits);
  arb_div(result, result, two, bits);
  arb_hypgeom_erfc(result, result, bits);
  arb_mul_2exp_si(result, result, -1);
  return result;
}

/// The density at x of a uniform on [-h, h] and a Gaussian: (Phi(x + h) - Phi(x - h)) / 2h.
Ball smoothed_uniform(const Rational& h, const Rational& sigma, const Rational& x) {
  Ball result = normal_cdf(h - abs(x), sigma), other = normal_cdf(-h - abs(x), sigma);
  arb_sub(result, result, other, 8000);
  arb_div(result, result, ball(Rational(2 * h), 8000), 8000);
  return result;
}

/// The plain Fourier series of the density, in Arb, on a period that is long for 8 < |x| < 40
/// standard deviations: no tilt, no bound, just many terms with many bits.
Ball plain_series(const Boxes& law, const Rational& x, const Rational& period, int length) {
  constexpr slong bits = 1800;
  Ball sum, w, product, factor, u, width;
  arb_const_pi(w, bits);
  arb_mul_2exp_si(w, w, 1);
  arb_div(w, w, ball(period, bits), bits);
  const Ball at = ball(x, bits), sigma = ball(law.sigma, bits);
  for (int m = 1; m <= length; ++m) {
    arb_mul_ui(u, w, static_cast<ulong>(m), bits);
    arb_mul(product, u, at, bits);
    arb_cos(product, product, bits);
    arb_mul(factor, u, sigma, bits);
    arb_sqr(factor, factor, bits);
    arb_mul_2exp_si(factor, factor, -1);
    arb_neg(factor, factor);
    arb_exp(factor, factor, bits);
    arb_mul(product, product, factor, bits);
    for (const Box& box : law.boxes) {
      width = ball(box.half_width, bits);
      arb_mul(factor, u, width, bits);
      arb_sinc(factor, factor, bits);
      arb_pow_ui(factor, factor, box.count, bits);
      arb_mul(product, product, factor, bits);
    }
    arb_add(sum, sum, product, bits);
  }
  arb_mul_2exp_si(sum, sum, 1);
  arb_add_ui(sum, sum, 1, bits);
  arb_div(sum, sum, ball(period, bits), bits);
  return sum;
}

TEST_CASE("one uniform has its density, its cdf and its quantiles") {
  const IndependentSum sum(1, {{2, 0, 3}});  // uniform on [1, 7]
  CHECK(sum.mean() == 4);
  CHECK(sum.variance() == 3);
  CHECK(sum.support() == Interval(1, 7));
  CHECK(sum.density(2, 10) == Interval(ratio(1, 6)));
  CHECK(sum.density(1, 10) == Interval(ratio(1, 6)));
  CHECK(sum.density(7, 10) == Interval(ratio(1, 6)));
  CHECK(sum.density(8, 10) == Interval(Rational(0)));
  CHECK(sum.cdf(1, 10) == Interval(Rational(0)));
  CHECK(sum.cdf(2, 10) == Interval(ratio(1, 6)));
  CHECK(sum.cdf(9, 10) == Interval(Rational(1)));
  CHECK(sum.survival(2, 10) == Interval(ratio(5, 6)));
  CHECK(sum.quantile(0, 10) == Interval(Rational(1)));
  CHECK(sum.quantile(1, 10) == Interval(Rational(7)));
  CHECK(sum.quantile(ratio(1, 2), 10) == Interval(Rational(4)));
  CHECK(sum.quantile(ratio(1, 6), 10).contains(2));
  CHECK(sum.quantile(ratio(5, 6), 10).contains(6));
}

TEST_CASE("a triangular term, two uniforms and triangular noise are one law") {
  const IndependentSum a(0, {{1, -2, 2, 2}}), b(0, {{1, -1, 1}, {-1, -1, 1}}),
      c(0, {}, Noise::triangular(2));
  for (const IndependentSum& sum : {a, b, c}) {
    CHECK(sum.density(1, 10) == Interval(ratio(1, 4)));  // 1/2 - |x|/4
    CHECK(sum.density(0, 10) == Interval(ratio(1, 2)));
    CHECK(sum.density(2, 10) == Interval(Rational(0)));
    CHECK(sum.cdf(1, 10) == Interval(ratio(7, 8)));
    CHECK(sum.variance() == ratio(2, 3));
  }
  CHECK(IndependentSum(0, {{1, 0, 1}}, Noise::uniform(ratio(1, 2))).density(ratio(1, 2), 10) ==
        Interval(Rational(1)));
}

TEST_CASE("a B-spline of order 4 is cubic") {
  const IndependentSum sum(0, {{1, -2, 2, 4}});  // cubic B-spline: 2/3 at 0, 1/6 at 1
  CHECK(sum.density(0, 40).contains(ratio(2, 3)));
  CHECK(sum.density(-1, 40).contains(ratio(1, 6)));
  CHECK(sum.density(ratio(3, 2), 40, Relative::to_value).contains(ratio(1, 48)));
  CHECK(sum.cdf(-1, 40, Relative::to_value).contains(ratio(1, 24)));
}

TEST_CASE("moments are exact") {
  // Uniform on [0, 2]: E X^k = 2^k / (k + 1). Gaussian noise adds 3 sigma^4 to the fourth.
  const IndependentSum one(0, {{2, 0, 1}});
  for (unsigned k = 0; k <= 9; ++k) CHECK(one.raw_moment(k) == power(Rational(2), k) / (k + 1));
  const IndependentSum noise(5, {}, Noise::gaussian(ratio(1, 3)));
  CHECK(noise.variance() == ratio(1, 9));
  CHECK(noise.central_moment(4) == ratio(3, 81));
  CHECK(noise.central_moment(6) == ratio(15, 729));
  CHECK(noise.raw_moment(1) == 5);

  // A sum's, from those of its terms: E (X + Y)^k = sum of binomials.
  RandomSum random(1);
  for (int round = 0; round < 50; ++round) {
    const SumTerm x{random.number(-2, 2), -1, random.number(0, 3), 1},
        y{random.number(-2, 2), random.number(-1, 0), 1, 2};
    const IndependentSum sum(0, {x, y}), first(0, {x}), second(0, {y});
    for (unsigned k = 0; k <= 6; ++k) {
      Rational expected;
      for (unsigned i = 0; i <= k; ++i) {
        Integer binomial;
        mpz_bin_uiui(binomial.get_mpz_t(), k, i);
        expected += binomial * first.raw_moment(i) * second.raw_moment(k - i);
      }
      CHECK(sum.raw_moment(k) == expected);
    }
    CHECK(sum.variance() == sum.central_moment(2));
  }
}

TEST_CASE("terms of width 0 are constants, and nothing else is a point mass") {
  const IndependentSum point(1, {{2, 3, 3}, {0, 1, 5}}, Noise::gaussian(0));
  CHECK(point.is_point());
  CHECK(point.mean() == 7);
  CHECK(point.variance() == 0);
  CHECK(point.raw_moment(2) == 49);
  CHECK(point.support() == Interval(Rational(7)));
  CHECK(point.cdf(ratio(69, 10), 5) == Interval(Rational(0)));
  CHECK(point.cdf(7, 5) == Interval(Rational(1)));
  CHECK(point.survival(7, 5) == Interval(Rational(0)));
  CHECK(point.quantile(ratio(1, 3), 5) == Interval(Rational(7)));
  CHECK_THROWS_WITH_AS(point.density(7, 5), "the sum is the constant 7, which has no density",
                       Error);
  CHECK_THROWS_WITH_AS(point.log_density(7, 5), "the sum is the constant 7, which has no density",
                       Error);
  CHECK_FALSE(IndependentSum(1, {{2, 3, 3}}, Noise::gaussian(1)).is_point());
  CHECK(IndependentSum(1, {{2, 3, 3}, {1, 0, 1}}).density(ratio(15, 2), 5) ==
        Interval(Rational(1)));
}

TEST_CASE("invalid arguments are refused with a message") {
  CHECK_THROWS_WITH_AS(IndependentSum(0, {{1, 2, 1}}),
                       "a term's interval [2, 1] is empty; its ends must not fall", Error);
  CHECK_THROWS_WITH_AS(IndependentSum(0, {{1, 0, 1, 0}}),
                       "a term has order 0; 1 is uniform, 2 triangular", Error);
  CHECK_THROWS_WITH_AS(IndependentSum(0, {}, Noise::gaussian(-1)),
                       "the noise has the scale -1; it must not be negative", Error);
  const IndependentSum smooth(0, {{1, 0, 1}}, Noise::gaussian(1)), bounded(0, {{1, 0, 1}});
  CHECK_THROWS_WITH_AS(smooth.quantile(2, 5), "a quantile of 2, which is no probability", Error);
  CHECK_THROWS_WITH_AS(smooth.quantile(0, 5),
                       "the quantile of 0 is not finite: the noise has no ends", Error);
  CHECK_THROWS_WITH_AS(bounded.log_density(2, 5), "the density at 2 is 0, which has no logarithm",
                       Error);
}

TEST_CASE("series and corners agree with the closed form to all digits") {
  constexpr unsigned seed = 20;
  CAPTURE(seed);
  RandomSum random(seed);
  for (int round = 0; round < times(1500); ++round) {
    const Widths widths = all_widths[round % std::size(all_widths)];
    const int count = random.integer(2, round % 50 == 0 ? 12 : 7);
    const std::vector<Rational> halves = random.halves(count, widths);
    const Boxes law = boxes_of(halves);
    const Rational reach = sum_of(halves), x = random.point(reach, rough_spread(law));
    const IndependentSum sum(0, terms_of(halves));
    const Rational density = by_corners(halves, true, x), above = by_corners(halves, false, x);
    CAPTURE(round);
    CAPTURE(static_cast<int>(widths));
    CAPTURE(count);
    CAPTURE(x.get_d());
    CHECK(exact_tail(law, 0, x) == density);
    CHECK(exact_tail(law, 1, x) == above);
    const Rational least_maximum = Rational(0.2886) / rough_spread(law);
    for (const unsigned digits : {12u, 30u}) {
      const Interval p = sum.density(x, digits), q = sum.survival(x, digits);
      CHECK(p.contains(density));
      CHECK(q.contains(above));
      CHECK(width(p) <= ten_to(-static_cast<int>(digits)) * least_maximum);
      CHECK(width(q) <= ten_to(-static_cast<int>(digits)));
    }
    const Interval p = sum.density(x, 20, Relative::to_value),
                   q = sum.survival(x, 20, Relative::to_value);
    CHECK(p.contains(density));
    CHECK(q.contains(above));
    CHECK(has_digits(p, 20));
    CHECK(has_digits(q, 20));
    if (density > 0) {
      const Interval log = sum.log_density(x, 20);
      Ball exact = ball(density, 800);
      arb_log(exact, exact, 800);
      CHECK(meet(log, interval(exact)));
      CHECK(width(log) <= ten_to(-20));
    }
  }
}

TEST_CASE("series agree with the closed form of up to twenty terms") {
  RandomSum random(29);
  for (const int count : {10, 13, 16, 18, 20}) {
    const std::vector<Rational> halves =
        random.halves(count, count % 3 == 1 ? Widths::uneven : Widths::alike);
    const Boxes law = boxes_of(halves);
    const Rational x = rough_spread(law) * random.number(-3, 3);
    CAPTURE(count);
    const Rational density = exact_tail(law, 0, x), above = exact_tail(law, 1, x);
    const IndependentSum sum(0, terms_of(halves));
    for (const unsigned digits : {12u, 25u}) {
      CHECK(sum.density(x, digits, Relative::to_value).contains(density));
      CHECK(sum.survival(x, digits, Relative::to_value).contains(above));
      CHECK(sum.density(x, digits).contains(density));
      CHECK(sum.survival(x, digits).contains(above));
    }
  }
}

TEST_CASE("values at extreme distances are correct or refused") {
  const IndependentSum sum(0, {{1, 0, 1}, {2, 0, 1}, {1, 0, 2}, {1, 0, 5}}, Noise::gaussian(1));
  for (const int exponent : {3, 9, 12, 16, 18, 30, 100, 300, 400}) {
    CAPTURE(exponent);
    const Rational s = ten_to(exponent);
    for (const unsigned digits : {12u, 40u}) {
      CHECK(sum.density(s, digits).lower == 0);
      CHECK(sum.density(s, digits).upper <= ten_to(-static_cast<int>(digits)));
      CHECK(sum.cdf(s, digits).contains(1));
      CHECK(sum.cdf(-s, digits).contains(0));
    }
    try {
      // Between those of the noise alone from the two ends of the boxes.
      const Interval log = sum.log_density(s, 12);
      CHECK(width(log) <= ten_to(-12));
      CHECK(log.upper < -(s - 10) * (s - 10) / 2);
      CHECK(log.lower > -s * s / 2 - s);
    } catch (const GaveUp&) {
      CHECK(exponent > 12);
    }
  }
}

TEST_CASE("a uniform with Gaussian noise is a difference of error functions") {
  constexpr unsigned seed = 22;
  CAPTURE(seed);
  RandomSum random(seed);
  for (int round = 0; round < times(60); ++round) {
    const Rational h = random.number(0.5, 2);
    const Rational sigma = h * ten_to(random.integer(-9, 3)) * random.number(1, 2);
    const IndependentSum sum(0, {{1, -h, h}}, Noise::gaussian(sigma));
    for (const Rational& x :
         {Rational(0), h, Rational(-h), Rational(h + sigma), Rational(h - sigma),
          Rational(h + 40 * sigma), Rational(h / 2), Rational(-h - 60 * sigma)}) {
      CAPTURE(round);
      CAPTURE(h.get_d());
      CAPTURE(sigma.get_d());
      CAPTURE(x.get_d());
      const Ball truth = smoothed_uniform(h, sigma, x);
      for (const unsigned digits : {6u, 12u, 25u}) {
        CHECK(meet(sum.density(x, digits), interval(truth)));
        const Interval value = sum.density(x, digits, Relative::to_value);
        CHECK(meet(value, interval(truth)));
        CHECK(has_digits(value, static_cast<int>(digits)));
      }
      Ball log;
      arb_log(log, truth, 8000);
      const Interval found = sum.log_density(x, 25);
      CHECK(meet(found, interval(log)));
      CHECK(width(found) <= ten_to(-25));
    }
  }
}

TEST_CASE("Gaussian noise alone is a Gaussian, at a hundred thousand standard deviations too") {
  const IndependentSum sum(3, {}, Noise::gaussian(ratio(1, 7)));
  for (const int k : {0, 1, 5, 40, 1000, 100'000}) {
    CAPTURE(k);
    // -k^2/2 - log(2 pi) / 2 + log 7
    Ball expected, part;
    arb_const_pi(expected, 800);
    arb_mul_2exp_si(expected, expected, 1);
    arb_log(expected, expected, 800);
    arb_mul_2exp_si(expected, expected, -1);
    arb_neg(expected, expected);
    arb_log_ui(part, 7, 800);
    arb_add(expected, expected, part, 800);
    arb_sub(expected, expected, ball(ratio(Integer(k) * k, 2), 800), 800);
    const Interval found = sum.log_density(3 + ratio(k, 7), 30);
    CHECK(meet(found, interval(expected)));
    CHECK(width(found) <= ten_to(-30));
  }
}

TEST_CASE("log densities in the tails agree with a plain series with many bits") {
  constexpr unsigned seed = 23;
  CAPTURE(seed);
  RandomSum random(seed);
  for (int round = 0; round < 6; ++round) {
    const std::vector<Rational> halves = random.halves(random.integer(3, 12), Widths::alike);
    const Rational sigma = random.number(0.5, 1);
    const Boxes law = boxes_of(halves, sigma);
    const Rational spread = rough_spread(law), x = spread * random.integer(8, 12);
    // An alias lies 40 standard deviations from the centre, where there is e^-800, and e^-72 at x;
    // the terms left out begin with e^-1250.
    const Rational period = x + 40 * spread;
    const int length = static_cast<int>(50 * period.get_d() / (6.28 * sigma.get_d()));
    Ball truth = plain_series(law, x, period, length);
    arb_log(truth, truth, 1800);
    const Interval found =
        IndependentSum(0, terms_of(halves), Noise::gaussian(sigma)).log_density(x, 30);
    // The plain series has a relative error of 1e-200, but no bound on it.
    const Rational reference = interval(truth).midpoint();
    CHECK(found.lower <= reference + ten_to(-200));
    CHECK(reference - ten_to(-200) <= found.upper);
    CHECK(width(found) <= ten_to(-30));
  }
}

TEST_CASE("quantiles invert the cdf") {
  constexpr unsigned seed = 26;
  CAPTURE(seed);
  RandomSum random(seed);
  for (int round = 0; round < times(30); ++round) {
    const Case given = random.question(round % 2, 12);
    const IndependentSum sum(random.number(-3, 3), terms_of(given.halves),
                             Noise::gaussian(given.sigma));
    CAPTURE(round);
    const Rational p = round % 3 == 0   ? ten_to(-random.integer(2, 40))
                       : round % 3 == 1 ? 1 - ten_to(-random.integer(2, 12))
                                        : random.number(0.001, 0.99);
    CAPTURE(p.get_d());
    const unsigned digits = round % 4 == 0 ? 20 : 8;
    const Interval q = sum.quantile(p, digits);
    const Rational spread(std::sqrt(sum.variance().get_d()));
    CHECK(width(q) <= ten_to(-static_cast<int>(digits)) * spread);
    CHECK(sum.cdf(q.lower, 200, Relative::to_value).upper <= p);
    CHECK(sum.cdf(q.upper, 200, Relative::to_value).lower >= p);
  }
}

TEST_CASE("results are reproducible") {
  RandomSum random(27);
  for (int round = 0; round < 20; ++round) {
    const Case given = random.question(round, 10);
    const IndependentSum a(0, terms_of(given.halves), Noise::gaussian(given.sigma)), b = a;
    CHECK(a.density(given.x, 12) == b.density(given.x, 12));
    CHECK(a.density(given.x, 25, Relative::to_value) == b.density(given.x, 25, Relative::to_value));
  }
}

}  // namespace
}  // namespace wmi::tests
