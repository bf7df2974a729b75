#include "bnn/predictive/conformal.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bnn/data/proportion.h"
#include "bnn/numeric/random.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

/// The 5 % and 95 % quantiles of a normal law whose deviation is wrong by this factor.
CentralInterval claimed(double mean, double wrong) {
  return {mean - 1.6448536 * wrong, mean, mean + 1.6448536 * wrong};
}

/// How many of the trials hold the outcome: each draws the rows set aside and one new row anew, so
/// that the trials are independent, as the binomial law wants.
struct Hits {
  std::size_t plain = 0;
  std::size_t adjusted = 0;
};
Hits simulate(std::size_t trials, std::size_t rows, double wrong, bool skewed, std::uint64_t seed) {
  Random random(seed);
  const auto draw = [&] {
    const double mean = 3 * random.normal();
    const double noise = skewed ? -std::log(random.uniform()) : random.normal();
    return std::pair(claimed(mean, wrong), mean + noise);
  };
  Hits result;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    std::vector<double> scores;
    for (std::size_t i = 0; i < rows; ++i) {
      const auto [interval, outcome] = draw();
      scores.push_back(conformal_score(interval, outcome));
    }
    const auto [interval, outcome] = draw();
    const CentralInterval adjusted = stretched(interval, conformal_factor(scores, Rational(9, 10)));
    result.plain += outcome >= interval.low && outcome <= interval.high;
    result.adjusted += outcome >= adjusted.low && outcome <= adjusted.high;
  }
  return result;
}

}  // namespace

TEST_CASE("adjusted intervals hold what they promise, whatever the law that predicts") {
  constexpr std::size_t trials = 20'000;
  std::uint64_t seed = 1;
  for (const std::size_t rows : {9, 10, 30, 99})
    for (const double wrong : {0.3, 1.0, 4.0})
      for (const bool skewed : {false, true}) {
        CAPTURE(rows);
        CAPTURE(wrong);
        CAPTURE(skewed);
        const Hits hits = simulate(trials, rows, wrong, skewed, seed++);
        // ceil((n + 1) 9/10) / (n + 1) exactly, for continuous scores.
        const auto more = static_cast<double>(rows + 1);
        const double expected = std::ceil(9 * more / 10) / more;
        CHECK(expected >= 0.9);
        CHECK(expected <= 0.9 + 1 / more);
        const ProportionInterval limits = proportion_interval(hits.adjusted, trials, 0.9999);
        CHECK(limits.lower <= expected);
        CHECK(limits.upper >= expected);
        // What it mends: without the adjustment a wrong law does not hold it.
        if (wrong != 1) {
          const ProportionInterval plain = proportion_interval(hits.plain, trials, 0.9999);
          CHECK((plain.upper < 0.9 || plain.lower > 0.9));
        }
      }
}

TEST_CASE("the factor is an order statistic, and infinite where the rows are too few") {
  const std::vector<double> scores{5, 1, 4, 2, 3, 6, 9, 7, 8};
  CHECK(conformal_factor(scores, Rational(9, 10)) == 9);  // ceil(10 * 9/10) = 9, not 10
  CHECK(conformal_factor(scores, Rational(1, 2)) == 5);
  CHECK(conformal_factor(scores, Rational(1, 100)) == 1);
  CHECK(std::isinf(conformal_factor(scores, Rational(91, 100))));
  CHECK(std::isinf(conformal_factor({}, Rational(1, 2))));
  CHECK_THROWS_AS(conformal_factor(scores, 1), Error);
  for (const Rational& level : {Rational(1, 2), Rational(9, 10), Rational(19, 20), Rational(2, 3),
                                Rational(95, 99), Rational(1, 100)}) {
    const std::size_t least = least_conformal_rows(level);
    CHECK(std::isfinite(conformal_factor(std::vector<double>(least, 1.0), level)));
    if (least > 0) CHECK(std::isinf(conformal_factor(std::vector<double>(least - 1, 1.0), level)));
  }
}

TEST_CASE("an outcome is inside the stretched interval if its score is at most the factor") {
  Random random(9);
  for (int i = 0; i < 1000; ++i) {
    const double median = random.normal();
    const CentralInterval interval{median - random.uniform(), median, median + random.uniform()};
    const double outcome = 2 * random.normal(), factor = 3 * random.uniform();
    const CentralInterval wide = stretched(interval, factor);
    CHECK((outcome >= wide.low && outcome <= wide.high) ==
          (conformal_score(interval, outcome) <= factor));
  }
  const CentralInterval point{1, 1, 1};
  CHECK(conformal_score(point, 1) == 0);
  CHECK(std::isinf(conformal_score(point, 2)));
  CHECK(stretched(point, 5).high == 1);
  CHECK(std::isinf(stretched(point, INFINITY).high));
}

}  // namespace wmi::bnn
