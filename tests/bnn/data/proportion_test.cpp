#include "bnn/data/proportion.h"

#include <doctest/doctest.h>

#include <cmath>

#include "bnn/data/calibration.h"

namespace wmi::bnn {
namespace {

/// P(at most k of n), term by term.
double at_most(std::size_t k, std::size_t n, double p) {
  double total = 0;
  for (std::size_t i = 0; i <= k; ++i)
    total += std::exp(std::lgamma(n + 1.0) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0) +
                      i * std::log(p) + (n - i) * std::log1p(-p));
  return total;
}

TEST_CASE("where all or none of the rows are hits, the interval is known in closed form") {
  // p^20 = 0.025 at the lower end for 20 of 20.
  const ProportionInterval all = proportion_interval(20, 20, 0.95);
  CHECK(all.lower == doctest::Approx(std::pow(0.025, 1.0 / 20)).epsilon(1e-12));
  CHECK(all.upper == 1);
  const ProportionInterval none = proportion_interval(0, 20, 0.95);
  CHECK(none.lower == 0);
  CHECK(none.upper == doctest::Approx(1 - std::pow(0.025, 1.0 / 20)).epsilon(1e-12));
}

TEST_CASE("at the ends, the tails of the binomial law have half of what is left out") {
  for (const std::size_t n : {1, 2, 7, 50, 1000})
    for (std::size_t k = 0; k <= n; k += 1 + n / 9)
      for (const double level : {0.5, 0.9, 0.95}) {
        CAPTURE(n);
        CAPTURE(k);
        const auto [lower, upper] = proportion_interval(k, n, level);
        if (k > 0)
          CHECK(1 - at_most(k - 1, n, lower) == doctest::Approx((1 - level) / 2).epsilon(1e-9));
        if (k < n) CHECK(at_most(k, n, upper) == doctest::Approx((1 - level) / 2).epsilon(1e-9));
      }
}

TEST_CASE("an interval leaves out the ideal coverage exactly where chance does not allow it") {
  for (const std::size_t n : {5, 20, 100, 333}) {
    const Chance allowed = chance(n, 0.9, 0.95);
    for (std::size_t k = 0; k <= n; ++k) {
      CAPTURE(n);
      CAPTURE(k);
      const double part = static_cast<double>(k) / static_cast<double>(n);
      const auto [lower, upper] = proportion_interval(k, n, 0.95);
      CHECK((upper < 0.9) == (part < allowed.lower));
      CHECK((lower > 0.9) == (part > allowed.upper));
    }
  }
}

TEST_CASE("a million rows are no trouble") {
  const auto [lower, upper] = proportion_interval(900'000, 1'000'000, 0.95);
  CHECK(lower == doctest::Approx(0.9 - 1.96 * 0.0003).epsilon(1e-5));
  CHECK(upper == doctest::Approx(0.9 + 1.96 * 0.0003).epsilon(1e-5));
}

}  // namespace
}  // namespace wmi::bnn
