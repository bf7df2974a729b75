#include "bnn/predictive/certified_predictive.h"

#include <doctest/doctest.h>

#include <vector>

#include "bnn/predictive/predictive.h"

namespace wmi::bnn {
namespace {

TEST_CASE("quantiles are certified to the digits asked for") {
  // A standard normal outcome; its quantile at 39/40, to 40 digits.
  const OutputLaw<Rational> normal{0, {}, 0, {}, 1};
  const Standardisation own{{}, {}, 0, 1};
  const Rational truth = ratio(Integer("19599639845400542355245944305205515279555"),
                               power(Rational(10), 40).get_num());
  const CertifiedPredictive one(std::span(&normal, 1), {}, own);
  for (const unsigned digits : {9u, 10u, 20u, 30u}) {
    CAPTURE(digits);
    const Interval found = one.quantile(ratio(39, 40), Rational(1.959963984540), digits);
    CHECK(found.contains(truth));
    CHECK(found.upper - found.lower <= ratio(1, power(Rational(10), digits).get_num()));
  }
  // Of a mixture with a collapsed ReLU: the distribution function passes p in it.
  const OutputLaw<Rational> mixture[] = {normal,
                                         {ratio(1, 3), {}, 0, {{1, 0, 0, {{1, -3, 3, 1}}}}, 0.5}};
  const CertifiedPredictive two(mixture, {}, {{}, {}, 10, 2.5});
  const Predictive guess(
      std::vector<OutputLaw<double>>{{0, {}, 0, {}, 1},
                                     {1.0 / 3, {}, 0, {{1, 0, 0, {{1, -3, 3, 1}}}}, 0.5}},
      {}, {{}, {}, 10, 2.5});
  const Interval found = two.quantile(ratio(4, 5), Rational(guess.quantile(0.8)), 25);
  CHECK(found.upper - found.lower < ratio(1, power(Rational(10), 24).get_num()));
  CHECK(two.cdf(found.lower, 30).upper < ratio(4, 5));
  CHECK(two.cdf(found.upper, 30).lower > ratio(4, 5));
}

TEST_CASE("quantiles far out in the tails have their digits, from a poor guess too") {
  const OutputLaw<Rational> normal{0, {}, 0, {}, 1};
  const CertifiedPredictive law(std::span(&normal, 1), {}, {{}, {}, 0, 1});
  for (const unsigned zeros : {8u, 15u, 30u, 100u})
    for (const bool above : {false, true}) {
      CAPTURE(zeros);
      const Rational tail = ratio(1, power(Rational(10), zeros).get_num());
      const Rational p = above ? Rational(1 - tail) : tail;
      const Interval found = law.quantile(p, 0, 6);
      CHECK(found.upper - found.lower <= ratio(1, 100'000));
      CHECK(law.cdf(found.lower, zeros + 20).upper < p);
      CHECK(law.cdf(found.upper, zeros + 20).lower > p);
    }
  // -21.2734535609..., by Newton's steps in 50 digits.
  CHECK(law.quantile(ratio(1, power(Rational(10), 100).get_num()), 0, 6)
            .contains(ratio(Integer("-212734535609"), Integer("10000000000"))));
}

}  // namespace
}  // namespace wmi::bnn
