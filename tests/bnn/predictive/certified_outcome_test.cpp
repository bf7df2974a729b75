#include "bnn/predictive/certified_outcome.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "bnn/numeric/random.h"
#include "bnn/predictive/predictive.h"
#include "solver/laws/elementary.h"

namespace wmi::bnn {
namespace {

constexpr TargetTransform transforms[] = {TargetTransform::none, TargetTransform::log,
                                          TargetTransform::log1p, TargetTransform::logit,
                                          TargetTransform::asinh};

Rational width_of(const Interval& value) { return value.upper - value.lower; }

TEST_CASE("a certified law of a transformed outcome agrees with that in doubles") {
  Random random(11);
  for (int i = 0; i < 60; ++i) {
    const TargetTransform transform = transforms[i % 5];
    CAPTURE(name(transform));
    OutcomeNoise noise;
    if (i % 4 == 1) noise.outliers = 0.1, noise.outlier_scale = 3;
    if (i % 4 == 2) noise.kind = OutcomeNoise::Kind::triangular;
    std::vector<OutputLaw<double>> laws;
    std::vector<OutputLaw<Rational>> exact;
    for (int k = 0; k < 2; ++k) {
      OutputLaw<double> law{
          random.normal(), {}, 0.3 * random.uniform(), {}, 0.2 + 0.5 * random.uniform()};
      if (i % 3 == 2) {
        law.terms = {{random.normal(), -0.5, 0.75, 1}, {0.5, -0.5, 0.5, 2}};
        law.deviation = 0;
      }
      laws.push_back(law);
      exact.push_back(to_exact(law));
    }
    const Standardisation own{{}, {}, 0.3, 0.7, {}, {}, 0, transform};
    const Predictive fast(laws, {noise}, own);
    const CertifiedOutcome certified(exact, noise, own);
    const bool closed = transform != TargetTransform::logit;
    REQUIRE(certified.mean(9).has_value() == closed);
    REQUIRE(certified.variance(9).has_value() == closed);
    if (closed) {
      CHECK(fast.mean() == doctest::Approx(certified.mean(9)->midpoint().get_d()).epsilon(1e-8));
      const Interval variance = *certified.variance(9);
      CHECK(fast.deviation() ==
            doctest::Approx(std::sqrt(variance.midpoint().get_d())).epsilon(1e-7));
      CHECK(width_of(variance) <= ratio(1, 1'000'000'000) * variance.lower);
    }
    for (const double p : {0.05, 0.3, 0.5, 0.99}) {
      const double y = fast.quantile(p);
      CAPTURE(p);
      const Interval bounds = certified.quantile(Rational(p), y, 10);
      CHECK(bounds.midpoint().get_d() == doctest::Approx(y).epsilon(1e-7));
      CHECK(certified.cdf(bounds.lower, 14).upper <= Rational(p));
      CHECK(certified.cdf(bounds.upper, 14).lower >= Rational(p));
      const Interval below = certified.cdf(Rational(y), 12);
      CHECK(fast.cdf(y) == doctest::Approx(below.midpoint().get_d()).epsilon(1e-9));
      CHECK(width_of(below) <= ratio(1, 1'000'000'000'000));
      const Interval density = certified.density(Rational(y), 9);
      CHECK(width_of(density) <= ratio(1, 1'000'000'000) * density.lower);
      const auto log = certified.log_density(Rational(y), 9);
      REQUIRE(log);
      CHECK(fast.log_density(y) == doctest::Approx(log->midpoint().get_d()).epsilon(1e-7));
      CHECK(density.midpoint().get_d() ==
            doctest::Approx(std::exp(log->midpoint().get_d())).epsilon(1e-8));
    }
  }
}

TEST_CASE("the mean and the variance of a lognormal law are those of the textbook") {
  const OutputLaw<Rational> normal{ratio(1, 2), {}, 0, {}, 0.5};
  const CertifiedOutcome law(std::span(&normal, 1), {},
                             {{}, {}, 1, 2, {}, {}, 0, TargetTransform::log});
  // log Y is normal with the mean 2 and the deviation 1.
  CHECK(law.mean(20)->contains(exponential(ratio(5, 2), 40).midpoint()));
  const Rational e = exponential(1, 40).midpoint();
  CHECK(law.variance(20)->contains(Rational((e - 1) * exponential(5, 40).midpoint())));
  CHECK(law.quantile(ratio(1, 2), 7, 12).contains(exponential(2, 40).midpoint()));
  // Impossible outcomes.
  CHECK(law.cdf(-1, 9) == Interval(0));
  CHECK(law.density(0, 9) == Interval(0));
  CHECK(!law.log_density(-3, 9));
  const CertifiedOutcome share(std::span(&normal, 1), {},
                               {{}, {}, 0, 1, {}, {}, 0, TargetTransform::logit}, ratio(1, 8));
  CHECK(share.cdf(1, 9) == Interval(1));
  CHECK(share.density(2, 9) == Interval(ratio(1, 8)));
  // Far out the density keeps its digits.
  const double far = 1e30;
  const Interval log = *law.log_density(Rational(far), 9);
  const double z = std::log(far) - 2;
  CHECK(log.midpoint().get_d() ==
        doctest::Approx(-z * z / 2 - 0.5 * std::log(2 * M_PI) - std::log(far)));
  CHECK(width_of(log) < ratio(1, 100'000'000));
}

}  // namespace
}  // namespace wmi::bnn
