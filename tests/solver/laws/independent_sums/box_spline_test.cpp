#include "solver/laws/independent_sums/box_spline.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "solver/laws/independent_sums/independent_sum.h"
#include "solver/laws/independent_sums/tilted.h"
#include "solver/numeric/ball.h"
#include "solver/terms/error.h"
#include "tests/solver/random_sum.h"

namespace wmi::tests {
namespace {

Rational width(const Interval& value) { return value.upper - value.lower; }

/// Digits of the value itself.
bool has_digits(const Interval& value, int digits) {
  return width(value) <= ten_to(-digits) * value.upper;
}

TEST_CASE("tilted series, with and without corners, contain the closed form") {
  constexpr unsigned seed = 21;
  CAPTURE(seed);
  RandomSum random(seed);
  int found = 0;
  for (int round = 0; round < times(150); ++round) {
    const Widths widths = all_widths[round % std::size(all_widths)];
    const std::vector<Rational> halves =
        random.halves(random.integer(2, widths == Widths::equal ? 20 : 12), widths);
    const Boxes law = boxes_of(halves);
    const Rational x = random.point(sum_of(halves), rough_spread(law));
    CAPTURE(round);
    for (const unsigned order : {0u, 1u}) {
      const Rational expected = exact_tail(law, order, x);
      for (std::size_t groups = 0; groups < std::min<std::size_t>(law.boxes.size(), 4); ++groups) {
        CAPTURE(order);
        CAPTURE(groups);
        Boxes rest = law;
        rest.boxes.erase(rest.boxes.begin(),
                         rest.boxes.begin() + static_cast<std::ptrdiff_t>(groups));
        unsigned k = order;
        for (std::size_t j = 0; j < groups; ++j) k += law.boxes[j].count;
        const long bits = random.integer(4, 50);
        if (!(tail_work(rest, k, 0, bits) < 5000)) continue;
        ++found;
        const Interval value = interval(split_tail(law, groups, order, x, bits));
        CHECK(value.contains(expected));
        // Boxes that are all taken in the series have relative accuracy.
        if (groups == 0 && x >= 0 && expected > 0)
          CHECK(has_digits(value, static_cast<int>(0.3 * static_cast<double>(bits)) - 1));
      }
    }
  }
  CHECK(found > times(150));
}

/// Half widths that are all different, so that there are 2^count corners.
std::vector<Rational> different(int count) {
  std::vector<Rational> result;
  for (int i = 0; i < count; ++i) result.push_back(ratio(1000 + 37 * i + i * i % 7, 1013));
  return result;
}

TEST_CASE("a sum of many different widths and narrow noise is accurate by corners") {
  for (const int count : {10, 14, 16}) {
    CAPTURE(count);
    const std::vector<Rational> halves = different(count);
    const Rational sigma = sum_of(halves) * ten_to(-7);
    const IndependentSum sum(0, terms_of(halves), Noise::gaussian(sigma));
    const Rational x = rough_spread(boxes_of(halves)) * ratio(7, 5);
    // The noise moves the density by f'' sigma^2 / 2 and less, some 1e-13 of it.
    const Rational without = exact_tail(boxes_of(halves), 0, x);
    const Interval density = sum.density(x, 200, Relative::to_value);
    CHECK(has_digits(density, 200));
    CHECK(abs(density.midpoint() - without) < without * ten_to(-11));
    CHECK(abs(density.midpoint() - without) > without * ten_to(-18));
    const Interval fewer = sum.density(x, 40, Relative::to_value);
    CHECK(fewer.lower <= density.lower);
    CHECK(density.upper <= fewer.upper);
  }
}

TEST_CASE("computations that would take minutes are refused at once") {
  // Coefficients fall like a power of that exponent: millions for 200 digits, or 2^24 corners and
  // more.
  for (const int count : {24, 32, 36, 38, 40}) {
    CAPTURE(count);
    const IndependentSum sum(0, terms_of(different(count)));
    CHECK_THROWS_AS(sum.density(1, 200, Relative::to_value), GaveUp);
    CHECK_THROWS_AS(sum.cdf(-1, 200, Relative::to_value), GaveUp);
    CHECK(has_digits(sum.density(1, 30, Relative::to_value), 30));
  }
}

TEST_CASE("corners of thousands of digits are refused if they are many") {
  // Each over a denominator of its own.
  std::vector<Rational> halves;
  for (const Rational& half : different(21)) {
    const int i = static_cast<int>(halves.size());
    halves.push_back(half + 1 / (ten_to(400) + ten_to(i) + 1));
  }
  CHECK_THROWS_AS(IndependentSum(0, terms_of(halves)).density(1, 200, Relative::to_value), GaveUp);
  halves.resize(9);
  const IndependentSum sum(0, terms_of(halves));
  CHECK(sum.density(1, 200, Relative::to_value).contains(exact_tail(boxes_of(halves), 0, 1)));
}

}  // namespace
}  // namespace wmi::tests
