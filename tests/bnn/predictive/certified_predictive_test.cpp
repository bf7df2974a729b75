#include "bnn/predictive/certified_predictive.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "bnn/numeric/random.h"
#include "bnn/predictive/predictive.h"
#include "solver/terms/error.h"

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

TEST_CASE("noise of Student's law: doubles agree with certified answers, in the tails too") {
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    OutcomeNoise noise;
    noise.kind = OutcomeNoise::Kind::student;
    noise.scale = std::exp(random.normal());
    noise.freedom = 2.2 + 20 * std::pow(random.uniform(), 3);
    CAPTURE(noise.freedom);
    std::vector<OutputLaw<double>> laws;
    std::vector<OutputLaw<Rational>> exact;
    for (int k = 0; k < 3; ++k) {
      laws.push_back({random.normal(),
                      {},
                      k == 0 ? 0 : std::exp(random.normal() - 1),
                      {},
                      std::exp(random.normal() - 1),
                      false,
                      1.0 + k});
      exact.push_back(to_exact(laws.back()));
      exact.back().weight = laws.back().weight;
    }
    const Standardisation own{{}, {}, 10, 2.5};
    const Predictive fast(laws, {noise}, own);
    const CertifiedPredictive certified(exact, noise, own);
    CHECK(fast.mean() == doctest::Approx(certified.mean().midpoint().get_d()));
    CHECK(fast.deviation() == doctest::Approx(std::sqrt(certified.variance().midpoint().get_d())));
    for (const double at : {10.5, 2.0, 40.0, -300.0, 1e5, 1e9}) {
      CAPTURE(at);
      const auto log = certified.log_density(Rational(at), 10);
      REQUIRE(log);
      CHECK(fast.log_density(at) == doctest::Approx(log->midpoint().get_d()).epsilon(1e-10));
      const Interval below = certified.cdf(Rational(at), 12);
      CHECK(std::abs(fast.cdf(at) - below.midpoint().get_d()) < 1e-11);
    }
    for (const double p : {0.025, 0.5, 0.9, 0.995, 1e-4}) {
      if (p == 1e-4 && i >= 2) continue;  // slow: balls
      CAPTURE(p);
      const double quantile = fast.quantile(p);
      CHECK(fast.cdf(quantile) == doctest::Approx(p).epsilon(1e-9));
      const Interval bounds = certified.quantile(Rational(p), Rational(quantile), 9);
      CHECK(
          (bounds.lower <= Rational(quantile + 1e-6) && Rational(quantile - 1e-6) <= bounds.upper));
      const unsigned digits = p == 1e-4 ? 18 : 12;
      CHECK(certified.cdf(bounds.lower, digits).upper < Rational(p));
      CHECK(certified.cdf(bounds.upper, digits).lower > Rational(p));
    }
    if (i >= 3) continue;
    // CRPS is the integral of (F - [at most y])^2.
    const double y = 12, low = fast.quantile(1e-7), high = fast.quantile(1 - 1e-7);
    double sum = 0;
    const int steps = 4000;
    const double ends[] = {std::asinh(low - y), 0, std::asinh(high - y)};
    for (int side = 0; side < 2; ++side)
      for (int step = 0; step < steps; ++step) {
        const double t = ends[side] + (ends[side + 1] - ends[side]) * (step + 0.5) / steps;
        const double f = fast.cdf(y + std::sinh(t)) - side;
        sum += f * f * std::cosh(t) * (ends[side + 1] - ends[side]) / steps;
      }
    CHECK(fast.crps(y) == doctest::Approx(sum).epsilon(2e-4));
  }
}

TEST_CASE("answers in doubles with bounds and those of more digits overlap") {
  Random random(17);
  for (int i = 0; i < 300; ++i) {
    std::vector<OutputLaw<Rational>> laws;
    for (int k = 0; k < 3; ++k)
      laws.push_back(to_exact({3 * random.normal(),
                               {},
                               i % 2 == 0 ? 0 : random.uniform(),
                               {},
                               std::exp(2 * random.normal() - 2)}));
    OutcomeNoise noise;
    if (i % 3 == 0) noise = {.outliers = 0.1, .outlier_scale = 10};
    const CertifiedPredictive law(laws, noise, {{}, {}, 100, 0.01});
    const Rational y(100 + 0.05 * random.normal());
    CAPTURE(y.get_d());
    for (const unsigned digits : {6u, 9u, 12u}) {
      const Interval rough = law.cdf(y, digits), fine = law.cdf(y, 30);
      CHECK((rough.lower <= fine.lower && fine.upper <= rough.upper));
      CHECK(rough.upper - rough.lower <= ratio(1, power(Rational(10), digits).get_num()));
      const Interval some = law.density(y, digits), more = law.density(y, 30);
      CHECK((some.lower <= more.lower && more.upper <= some.upper));
      if (more.upper < ratio(1, power(Rational(10), 300).get_num())) continue;
      const bool narrow =
          some.upper - some.lower <= some.upper * ratio(1, power(Rational(10), digits).get_num());
      CHECK(narrow);
    }
  }
}

TEST_CASE("noise of Student's law is refused where the prediction is no normal law") {
  OutcomeNoise noise;
  noise.kind = OutcomeNoise::Kind::student;
  const OutputLaw<double> box{0, {{1, -1, 1, 1}}, 0, {}, 1};
  CHECK_THROWS_AS(FastLaw(box, noise), Error);
  CHECK_THROWS_AS(CertifiedLaw(to_exact(box), noise), Error);
}

TEST_CASE("noise of two scales is a mixture of both, certified and in doubles") {
  // Deviation 2 x 1/2; of a quarter of the outcomes three times as much.
  OutcomeNoise noise;
  noise.scale = 2;
  noise.outliers = 0.25;
  noise.outlier_scale = 3;
  const OutputLaw<Rational> exact{ratio(1, 2), {}, 0, {}, 0.5};
  const OutputLaw<double> rounded{0.5, {}, 0, {}, 0.5};
  const Standardisation own{{}, {}, 0, 1};
  const CertifiedPredictive certified(std::span(&exact, 1), noise, own);
  const Predictive fast(std::span(&rounded, 1), {noise}, own);
  CHECK(certified.mean() == Interval(ratio(1, 2)));
  CHECK(certified.variance() == Interval(3));  // 3/4 * 1 + 1/4 * 9
  CHECK(fast.deviation() == doctest::Approx(std::sqrt(3.0)));
  // 3/4 phi(x) + 1/12 phi(x/3) at x = 1 - 1/2; phi is the normal density.
  const double density =
      (0.75 * std::exp(-0.125) + std::exp(-0.125 / 9) / 12) / std::sqrt(2 * M_PI);
  CHECK(certified.density(1, 15).midpoint().get_d() == doctest::Approx(density).epsilon(1e-13));
  CHECK(fast.log_density(1) == doctest::Approx(std::log(density)).epsilon(1e-12));
  for (const int y : {-20, 2, 40}) {
    CHECK(fast.log_density(y) ==
          doctest::Approx(certified.log_density(y, 12)->midpoint().get_d()).epsilon(1e-9));
    CHECK(fast.cdf(y) == doctest::Approx(certified.cdf(y, 12).midpoint().get_d()).epsilon(1e-9));
  }
  CHECK(fast.cdf(fast.quantile(0.9)) == doctest::Approx(0.9));
}

TEST_CASE("a mixture by weights is that of repeated laws") {
  const OutputLaw<double> one{0, {}, 0, {}, 1}, two{2, {}, 0, {}, 0.5};
  OutputLaw<double> heavy = two;
  heavy.weight = 2;
  const Standardisation own{{}, {}, 0, 1};
  const Predictive weighted(std::vector{one, heavy}, {}, own);
  const Predictive repeated(std::vector{one, two, two}, {}, own);
  CHECK(weighted.mean() == doctest::Approx(repeated.mean()));
  CHECK(weighted.deviation() == doctest::Approx(repeated.deviation()));
  CHECK(weighted.log_density(1) == doctest::Approx(repeated.log_density(1)));
  CHECK(weighted.crps(1) == doctest::Approx(repeated.crps(1)));
  CHECK(weighted.quantile(0.3) == doctest::Approx(repeated.quantile(0.3)));
}

}  // namespace
}  // namespace wmi::bnn
