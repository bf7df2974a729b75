#include "bnn/predictive/logit_law.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace wmi::bnn {
namespace {

TEST_CASE("a grid of one box, of two and of many has the distribution function of their sum") {
  const GridLaw one(3, {2});  // uniform on [1, 5]
  CHECK(one.cdf(0) == 0);
  CHECK(one.cdf(2) == doctest::Approx(0.25));
  CHECK(one.cdf(5.5) == 1);
  CHECK(one.distance(3) == doctest::Approx(1));
  CHECK(one.distance(10) == doctest::Approx(7));
  CHECK(one.distance(-1) == doctest::Approx(4));
  // A trapezoid: P(2 U + V <= y), U and V uniform on [-1, 1].
  const GridLaw two(0, {1, 2});
  for (const double y : {-2.5, -1.5, -1.0, 0.0, 0.75, 2.0, 2.9}) {
    CAPTURE(y);
    const double from_end = 3 - std::abs(y);
    const double tail = from_end < 2 ? from_end * from_end / 16 : 0.5 - std::abs(y) / 4;
    CHECK(two.cdf(y) == doctest::Approx(y < 0 ? tail : 1 - tail).epsilon(1e-6));
  }
}

TEST_CASE("a grid agrees with the law in doubles") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform;
  for (const std::size_t count : {2, 3, 4, 30}) {
    CAPTURE(count);
    OutputLaw<double> logit{1.5, {}, 0, {}, 0};
    std::vector<double> half_widths;
    for (std::size_t i = 0; i < count; ++i) {
      const double half = count > 10 ? uniform(random) : std::pow(0.3, static_cast<double>(i));
      half_widths.push_back(half);
      logit.terms.push_back({1, -half, half, 1});
    }
    const FastLaw fast(logit, {});
    REQUIRE(fast.in_doubles());
    const GridLaw grid(1.5, half_widths);
    for (int i = -4; i <= 4; ++i) {
      const double y = 1.5 + i * std::sqrt(fast.variance()) / 2;
      CAPTURE(y);
      CHECK(std::abs(grid.cdf(y) - fast.cdf(y)) < 1e-5);
      CHECK(std::abs(grid.distance(y) - fast.distance(y)) < 3e-5);
    }
  }
}

TEST_CASE("a logit whose law takes long is a grid, others are not") {
  const LogitLaw constant(OutputLaw<double>{2, {}, 0, {}, 0});
  CHECK(constant.cdf(1.9) == 0);
  CHECK(constant.cdf(2.1) == 1);
  OutputLaw<double> narrowing{0, {}, 0, {}, 0};
  for (int i = 0; i < 8; ++i) narrowing.terms.push_back({std::pow(0.2, i), -1, 1, 1});
  CHECK_FALSE(FastLaw(narrowing, {}).in_doubles());
  const LogitLaw law(narrowing);
  CHECK(law.cdf(0) == doctest::Approx(0.5).epsilon(1e-9));
  CHECK(law.high() == doctest::Approx(1.25).epsilon(1e-3));
}

}  // namespace
}  // namespace wmi::bnn
