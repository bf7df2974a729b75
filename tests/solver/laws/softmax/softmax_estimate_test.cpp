#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "solver/laws/softmax/softmax.h"
#include "tests/solver/laws/softmax/logits.h"
#include "tests/solver/random_sum.h"

namespace wmi::tests {
namespace {

/// The largest relative error of the estimate, against twelve certified digits.
double worst_of_estimate(const std::vector<Logit>& logits) {
  const auto found = softmax(logits, 12);
  const auto estimate = softmax_estimate(logits);
  double worst = 0;
  for (std::size_t k = 0; k < logits.size(); ++k)
    worst = std::max(worst, std::abs(estimate[k] / found[k].midpoint().get_d() - 1));
  return worst;
}

TEST_CASE("the estimate has eleven digits on thousands of random laws") {
  RandomLogits draw{std::mt19937_64(6)};
  double worst = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::vector<Law> logits = draw.laws(2 + static_cast<std::size_t>(draw.below(3)));
    worst = std::max(worst, worst_of_estimate({logits.begin(), logits.end()}));
  }
  CHECK(worst < 1e-11);
}

TEST_CASE("the estimates add up to 1, also for distant logits and many classes") {
  for (const std::vector<Law>& logits :
       {std::vector{Law::uniform(-500, 500), Law::uniform(-400, 300), Law::uniform(-1001, -1000)},
        std::vector(1000, Law::uniform(0, 3)), std::vector{Law::point(3)},
        std::vector{Law::point(2000), Law::point(-2000)}}) {
    double sum = 0;
    for (const double p : softmax_estimate(logits)) sum += p;
    CHECK(sum == doctest::Approx(1).epsilon(1e-11));
  }
}

TEST_CASE("the estimate accepts sums of terms, with and without noise, together with laws") {
  RandomSum random(31);
  RandomLogits draw{std::mt19937_64(7)};
  for (int round = 0; round < times(4); ++round) {
    CAPTURE(round);
    std::vector<Logit> logits;
    for (int k = 0; k < 3; ++k) {
      const auto given = random.question(3 * round + k, 12);
      // Standard deviations from 1/100 to 9.
      const Rational spread = rough_spread(boxes_of(given.halves, given.sigma));
      const Rational factor = ratio(random.integer(1, 30) * random.integer(1, 30), 100) / spread;
      std::vector<SumTerm> terms;
      for (const Rational& half : given.halves) terms.push_back({factor, -half, half});
      logits.push_back(IndependentSum(random.number(-6, 6), terms,
                                      Noise::gaussian(Rational(factor * given.sigma))));
    }
    logits.push_back(draw.laws(1)[0]);
    CHECK(worst_of_estimate(logits) < 1e-11);
  }
}

TEST_CASE("the estimate of sums is accurate for distant logits and thousands of terms") {
  const auto many = [](int count, const Rational& half, const Rational& mean, const Noise& noise) {
    return IndependentSum(
        mean, std::vector<SumTerm>(static_cast<std::size_t>(count), {1, -half, half}), noise);
  };
  const Noise none = Noise::none();
  for (const std::vector<Logit>& logits :
       {std::vector<Logit>{many(50, ratio(1, 4), 0, none), many(50, ratio(1, 3), -500, none)},
        {many(50, ratio(1, 4), 500, none), Law::point(0), many(4, 1, -90, none)},
        {many(5000, ratio(1, 10), 0, none), many(5000, ratio(1, 50), 3, none)},
        {many(0, 1, 0, Noise::gaussian(3)), many(0, 1, 10, Noise::gaussian(ratio(1, 10)))},
        {many(4, tiny, 0, none), many(7, 2, ratio(1, 3), none)},
        {many(1, 5, 0, Noise::gaussian(tiny)), Law::uniform(-1, 1)}})
    CHECK(worst_of_estimate(logits) < 1e-11);
  // A single class.
  CHECK(softmax_estimate(std::vector<Logit>{many(9, 1, 7, none)})[0] ==
        doctest::Approx(1).epsilon(1e-12));
}

}  // namespace
}  // namespace wmi::tests
