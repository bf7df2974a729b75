#include "solver/geometry/normalised_box.h"

#include <doctest/doctest.h>

#include <array>
#include <random>

#include "tests/solver/power_of_two.h"

namespace wmi {
namespace {

using tests::power_of_two;

std::optional<NormalisedBox> around(const Rational& lower, const Rational& upper) {
  return NormalisedBox::around(std::array{Interval(lower, upper)});
}

TEST_CASE("a range of doubles becomes [-1, 1] exactly") {
  const std::optional<NormalisedBox> box =
      NormalisedBox::around(std::array{Interval(-3, 5), Interval(0, ratio(1, 4))});
  REQUIRE(box);
  CHECK(box->dimension() == 2);
  CHECK(box->centre == std::vector<double>{1, 0.125});
  CHECK(box->half_width == std::vector<double>{4, 0.125});
  CHECK(box->normalised(0, -3) == -1);
  CHECK(box->normalised(0, 3) == ratio(1, 2));
  CHECK(box->normalised(1, ratio(1, 4)) == 1);
}

TEST_CASE("a range is within [-1, 1], and hardly smaller") {
  std::mt19937 engine(1);
  const auto number = [&] {
    const int size = static_cast<int>(engine() % 241) - 120;
    return Rational(
        ratio(static_cast<int>(engine() % 2001) - 1000, 1 + static_cast<int>(engine() % 999)) *
        power_of_two(size));
  };
  for (int round = 0; round < 2000; ++round) {
    Rational lower = number(), upper = engine() % 2 ? number() : Rational(lower + abs(number()));
    if (lower > upper) std::swap(lower, upper);
    if (lower == upper) continue;
    const std::optional<NormalisedBox> box = around(lower, upper);
    REQUIRE(box);
    const Rational low = box->normalised(0, lower), high = box->normalised(0, upper);
    CHECK(low >= -1);
    CHECK(high <= 1);
    // The half width is one of two neighbouring doubles, from the end that is farther away.
    CHECK((low < -1 + power_of_two(-51) || high > 1 - power_of_two(-51)));
  }
}

TEST_CASE("ranges beyond the reach of doubles are refused") {
  CHECK_FALSE(around(0, power_of_two(1000)));
  CHECK_FALSE(around(-power_of_two(2000), 0));
  CHECK_FALSE(around(power_of_two(1000), power_of_two(1000) + 1));
  CHECK_FALSE(around(0, power_of_two(-1000)));
  CHECK_FALSE(around(0, power_of_two(-2000)));
  CHECK(around(0, power_of_two(800)));
  CHECK(around(-power_of_two(-800), 0));
}

TEST_CASE("a range narrower than the distance of doubles there is within a box of that size") {
  const Rational width = power_of_two(-100), lower = ratio(1, 3);
  const std::optional<NormalisedBox> box = around(lower, lower + width);
  REQUIRE(box);
  CHECK(box->normalised(0, lower) >= -1);
  CHECK(box->normalised(0, lower + width) <= 1);
}

}  // namespace
}  // namespace wmi
