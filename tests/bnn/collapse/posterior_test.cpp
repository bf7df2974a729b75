#include "bnn/collapse/posterior.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

TEST_CASE("the conditional posterior solves ridge regression") {
  // One feature, y = 2 z without noise, variance 1/4: P = lambda + 4 sum z^2, mean 8 sum z^2 / P.
  const Matrix features = [] {
    Matrix result(3, 1);
    result.entries = {1, 2, 3};
    return result;
  }();
  const std::vector<double> targets{2, 4, 6}, variances(3, 0.25);
  const JointGaussian found =
      conditional_posterior(features, targets, variances, {}, {.lambda = 4, .temperature = 3});
  CHECK(found.mean[0] == doctest::Approx(112.0 / 60));
  CHECK(found.covariance.at(0, 0) == doctest::Approx(3.0 / 60));
  // Around the sampled weight -5, the prior adds lambda times it.
  const std::vector<double> sampled{-5};
  const auto around = [&](double lambda) {
    return conditional_posterior(features, targets, variances, sampled,
                                 {.lambda = lambda, .at_sample = true});
  };
  CHECK(around(4).mean[0] == doctest::Approx((112.0 - 20) / 60));
  CHECK(around(4).covariance.at(0, 0) == doctest::Approx(1.0 / 60));
  CHECK(around(1e10).mean[0] == doctest::Approx(-5).epsilon(1e-6));
  CHECK(around(1e10).covariance.at(0, 0) < 1e-9);
}

TEST_CASE("logits whose prior is around the sampled weights stay there if it is strong") {
  for (const std::size_t classes : {1, 3}) {
    CAPTURE(classes);
    Matrix features(3, 2), sampled(classes, 2);
    features.entries = {1, 0.5, -0.5, 1, 0.25, 1};
    for (std::size_t j = 0; j < sampled.entries.size(); ++j)
      sampled.entries[j] = 2 - static_cast<double>(j);
    const std::vector<double> targets{1, 0, 1};
    const auto strong =
        laplace_posterior(features, targets, sampled, {.lambda = 1e8, .at_sample = true});
    const auto weak =
        laplace_posterior(features, targets, sampled, {.lambda = 0.01, .at_sample = true});
    double moved = 0;
    for (std::size_t k = 0; k < classes; ++k)
      for (std::size_t j = 0; j < 2; ++j) {
        CHECK(strong[k].mean[j] == doctest::Approx(sampled.at(k, j)).epsilon(1e-6).scale(1));
        moved += std::abs(weak[k].mean[j] - sampled.at(k, j));
      }
    CHECK(moved > 0.1);
  }
}

TEST_CASE("a row of weight 2 is two rows for the posterior of logits") {
  for (const std::size_t classes : {1, 3}) {
    CAPTURE(classes);
    Matrix features(3, 2), repeated(5, 2), start(classes, 2);
    features.entries = {1, 0.5, -0.5, 1, 0.25, 1};
    repeated.entries = {1, 0.5, 1, 0.5, -0.5, 1, 0.25, 1, 0.25, 1};
    const std::vector<double> targets{1, 0, 1}, twice{1, 1, 0, 1, 1}, weights{2, 1, 2};
    const auto weighed = laplace_posterior(features, targets, start, {}, weights);
    const auto all = laplace_posterior(repeated, twice, start, {});
    for (std::size_t k = 0; k < classes; ++k) {
      for (std::size_t j = 0; j < 2; ++j)
        CHECK(weighed[k].mean[j] == doctest::Approx(all[k].mean[j]).epsilon(1e-4));
      for (std::size_t j = 0; j < 4; ++j)
        CHECK(weighed[k].covariance.entries[j] ==
              doctest::Approx(all[k].covariance.entries[j]).epsilon(1e-4));
    }
  }
}

TEST_CASE("the law of SWAG has half the covariances of the samples") {
  Matrix samples(3, 2);
  samples.entries = {1, 4, 2, 6, 3, 5};
  const JointGaussian found = swag_posterior(samples, {.temperature = 2});
  CHECK(found.mean == std::vector<double>{2, 5});
  CHECK(found.covariance.entries ==
        std::vector<double>{2, 0.5, 0.5, 2});  // 1, 1/2 over n - 1, T = 2
}

TEST_CASE("a posterior is found by its name") {
  CHECK(find_posterior("minmax").name == "minmax");
  CHECK_THROWS_AS(find_posterior("normal"), Error);
}

TEST_CASE("minmax is the range of the values, scaled around its centre") {
  const std::vector<double> values{1, 3, 2};
  const Marginal plain = find_posterior("minmax").marginal(values, {});
  CHECK(plain.from == 1);
  CHECK(plain.to == 3);
  const Marginal wide = find_posterior("minmax").marginal(values, {.width = 2});
  CHECK(wide.from == doctest::Approx(0));
  CHECK(wide.to == doctest::Approx(4));
}

}  // namespace
}  // namespace wmi::bnn
