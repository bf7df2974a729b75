#include "solver/laws/independent_sums/series.h"

#include <arb.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "solver/laws/independent_sums/independent_sum.h"
#include "solver/laws/independent_sums/rotation.h"
#include "solver/numeric/ball.h"
#include "tests/solver/random_sum.h"

namespace wmi::tests {
namespace {

/// Boxes of variance in [1, 4), as Series wants them.
Boxes in_units(Boxes law) {
  Rational unit = 1;
  while (law.variance() / (unit * unit) < 1) unit /= 2;
  while (law.variance() / (unit * unit) >= 4) unit *= 2;
  for (Box& box : law.boxes) box.half_width /= unit;
  law.sigma /= unit;
  return law;
}

Interval interval_of(const Rounded& value) {
  return {Rational(value.middle) - Rational(value.radius),
          Rational(value.middle) + Rational(value.radius)};
}

/// Doubles hold a reference of 200 digits, found by tilted series or corners in Arb.
void check_series(const Case& given, double wanted, int& answered) {
  constexpr unsigned digits = 200;
  const Boxes law = in_units(boxes_of(given.halves, given.sigma));
  const Boxes raw = boxes_of(given.halves, given.sigma);
  const Rational unit = raw.boxes[0].half_width / law.boxes[0].half_width;
  const Rational x = given.x / unit;
  const Series series(law);
  std::optional<Rounded> density = series.density(x.get_d(), wanted),
                         cdf = series.cdf(x.get_d(), wanted);
  if (!density && !cdf) return;
  ++answered;
  const IndependentSum sum(0, terms_of(given.halves), Noise::gaussian(given.sigma));
  if (density) {
    const Interval truth = sum.density(given.x, digits, Relative::to_value);
    CHECK(density->radius <= wanted);
    const Interval found = interval_of(*density);
    CHECK(found.lower / unit <= truth.lower);
    CHECK(truth.upper <= found.upper / unit);
  }
  if (cdf) {
    const Interval truth = sum.cdf(given.x, digits, Relative::to_value);
    CHECK(cdf->radius <= wanted);
    const Interval found = interval_of(*cdf);
    CHECK(found.lower <= truth.lower);
    CHECK(truth.upper <= found.upper);
  }
}

TEST_CASE("enclosures in doubles contain references of 200 digits from Arb") {
  constexpr unsigned seed = 24;
  CAPTURE(seed);
  RandomSum random(seed);
  int answered = 0;
  const int rounds = times(150);
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const bool many = round % 20 == 0;
    Case given = random.question(round, many ? 60 : 8);
    // Without a kernel to speak of, the coefficients fall like powers: few terms, by corners.
    const bool smooth = given.sigma > sum_of(given.halves) / 1000;
    if (!smooth && given.halves.size() > 10) given.halves.resize(10);
    check_series(given, std::pow(10, -random.integer(1, 14)), answered);
  }
  CHECK(answered > rounds / 2);
}

TEST_CASE("errors of rotations and exponentials are within their bounds, which are tight") {
  RandomSum random(30);
  double worst = 0, worst_exponential = 0;
  const auto error = [](const Ball& exact, double value) {
    return std::abs(Rational(interval(exact).midpoint() - Rational(value)).get_d());
  };
  for (int round = 0; round < times(2000); ++round) {
    const double angle = random.real(0, 2.35) * (round % 4 == 0 ? 1e-3 : 1);
    const UnitPoint start = on_circle(angle);
    UnitPoint at;
    Ball cosine, sine, exact;
    for (unsigned m = 1; m <= 64; ++m) {
      at = rotated(at, start);
      if ((m & (m - 1)) != 0) continue;
      arb_set_d(exact, angle);
      arb_mul_ui(exact, exact, m, 700);
      arb_sin_cos(sine, cosine, exact, 700);
      const double off = std::hypot(error(cosine, at.cosine), error(sine, at.sine));
      CHECK(off <= m * rotation_error);
      // Over ma, as a box's factor has it.
      CHECK(error(sine, at.sine) <= m * rotation_error * m * angle);
      worst = std::max(worst, off / (m * rotation_error));
    }
    const double power = random.real(0, round % 2 == 0 ? 2 : 600);
    arb_set_d(exact, -power);
    arb_exp(exact, exact, 700);
    const double off = error(exact, exp_minus(power)) / exp_minus(power);
    CHECK(off <= 6 * double_unit);
    worst_exponential = std::max(worst_exponential, off / (6 * double_unit));
  }
  CHECK(worst > 0.2);
  CHECK(worst_exponential > 0.2);
}

TEST_CASE("error bounds hold after a thousand rotations") {
  // Few boxes and narrow noise: long series, in which rounding is all the error.
  constexpr unsigned seed = 28;
  CAPTURE(seed);
  RandomSum random(seed);
  int answered = 0;
  for (int round = 0; round < times(100); ++round) {
    CAPTURE(round);
    Case given;
    given.halves = random.halves(random.integer(1, 2), Widths::alike);
    const Rational reach = sum_of(given.halves);
    given.sigma = reach * ratio(1, random.integer(100, 1200));
    // At the end of a single box the errors of its phase and of the point add up.
    given.x = round % 2 == 0 ? reach : Rational(reach * random.number(-1, 1));
    check_series(given, 3e-12, answered);
  }
  CHECK(answered > times(66));
}

TEST_CASE("enclosures in doubles contain references from Arb for thousands of terms") {
  RandomSum random(25);
  int answered = 0, asked = 0;
  for (const auto& [count, widths] : {std::pair(512, Widths::alike),
                                      {512, Widths::equal},
                                      {512, Widths::one_dominant},
                                      {300, Widths::uneven},
                                      {5000, Widths::equal}}) {
    Case given;
    given.halves = random.halves(count, widths);
    given.sigma = random.number(0.5, 1);
    // Each at one of the points; at all of them in a long run.
    constexpr double points[] = {-3.0, 0.7, 0.0};
    for (int i = 0; i < std::min(times(1), 3); ++i) {
      const double at = points[(asked + i) % 3];
      given.x = rough_spread(boxes_of(given.halves, given.sigma)) * Rational(at);
      check_series(given, 1e-12, answered);
    }
    ++asked;
  }
  CHECK(answered == asked * std::min(times(1), 3));
}

}  // namespace
}  // namespace wmi::tests
