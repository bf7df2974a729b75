#include "bnn/predictive/predictive.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "tests/bnn/forward.h"
#include "tests/bnn/random_samples.h"

namespace wmi::bnn {
namespace {

using encoders::Network;

const Standardisation units{{0, 0}, {1, 1}, 10, 2.5};
const Observation observation{Observation::Kind::heteroscedastic, Observation::Link::exponential,
                              1e-6};

std::vector<Forecast> predict(const std::vector<Weights>& samples, const Dataset& rows,
                              const CollapseOptions& collapsing, const Dataset* training,
                              PredictiveOptions options = {}) {
  const Network network = small_network();
  const auto collapsed =
      collapse(network, rounded_forward, observation, samples, {}, training, collapsing);
  return forecasts(network, rounded_forward, observation, units, samples, collapsed, rows, options);
}

TEST_CASE("without collapsed weights the law is the mixture of the samples' normal laws") {
  const Network network = small_network();
  const std::vector<Weights> samples = trajectory(1, 4, 0.1);
  const Dataset rows = random_rows(2, 5);
  const std::vector<Forecast> found = predict(samples, rows, {.partition = "none"}, nullptr);
  for (std::size_t i = 0; i < 5; ++i) {
    double mean = 0, second = 0, density = 0, below = 0;
    for (const Weights& sample : samples) {
      const Activations outputs = rounded_forward(network, sample, rows.inputs, "");
      const double f = outputs.outputs.at(i, 0);
      const double v = std::exp(outputs.outputs.at(i, 1)) + 1e-6, t = rows.targets[i] - f;
      mean += f / 4;
      second += (f * f + v) / 4;
      density += std::exp(-t * t / (2 * v)) / std::sqrt(2 * M_PI * v) / 4;
      below += std::erfc(-t / std::sqrt(2 * v)) / 8;
    }
    CHECK(found[i].mean == doctest::Approx(10 + 2.5 * mean));
    CHECK(found[i].deviation == doctest::Approx(2.5 * std::sqrt(second - mean * mean)));
    CHECK(found[i].log_density == doctest::Approx(std::log(density / 2.5)));
    CHECK(found[i].cdf == doctest::Approx(below));
  }
}

TEST_CASE("a distribution function stays between 0 and 1") {
  // 50 times 1/50 is more than 1 in doubles.
  std::vector<OutputLaw<double>> mixture(50);
  for (OutputLaw<double>& law : mixture) law.noise = 1;
  const Predictive law(mixture, {}, units);
  CHECK(law.cdf(1e6) == 1);
  CHECK(law.cdf(-1e6) == 0);
}

TEST_CASE("laws of transformed outcomes follow by the change of variables") {
  // Normal laws, and one with a uniform weight, which is not normal.
  const std::vector<OutputLaw<double>> normal{{0.25, {}, 0.5, {}, 0.75}, {-0.5, {}, 0, {}, 0.5}};
  std::vector<OutputLaw<double>> mixed = normal;
  mixed.push_back({0.5, {{1, -1, 1, 1}}, 0, {}, 0.5});
  for (const auto& laws : {normal, mixed})
    for (const TargetTransform transform : {TargetTransform::log, TargetTransform::log1p,
                                            TargetTransform::logit, TargetTransform::asinh}) {
      CAPTURE(name(transform));
      Standardisation own = units;
      own.target_mean = 0.5;
      own.target_scale = 0.75;
      Standardisation line = own;
      own.target_transform = transform;
      const Predictive law(laws, {}, own), before(laws, {}, line);
      for (const double p : {0.01, 0.3, 0.5, 0.9, 0.999}) {
        CAPTURE(p);
        const double y = law.quantile(p), step = 1e-5 * std::max(1e-3, std::abs(y));
        CHECK(y == doctest::Approx(inverse(transform, before.quantile(p))).epsilon(1e-9));
        CHECK(law.cdf(y) == doctest::Approx(p).epsilon(1e-9));
        const double slope = (law.cdf(y + step) - law.cdf(y - step)) / (2 * step);
        CHECK(std::exp(law.log_density(y)) == doctest::Approx(slope).epsilon(1e-5));
      }
      // Mean, variance and CRPS from the quantile function, by the rule of midpoints.
      constexpr int count = 100'000;
      double sum = 0, squares = 0, distance = 0, spread = 0;
      const double outcome = law.quantile(0.7);
      for (int i = 0; i < count; ++i) {
        const double p = (i + 0.5) / count, y = law.quantile(p);
        sum += y / count;
        squares += y * y / count;
        distance += std::abs(y - outcome) / count;
        spread += (2 * p - 1) * y / count;  // E|Y - Y'| / 2
      }
      CHECK(law.mean() == doctest::Approx(sum).epsilon(1e-3));
      CHECK(law.deviation() == doctest::Approx(std::sqrt(squares - sum * sum)).epsilon(1e-2));
      CHECK(law.crps(outcome) == doctest::Approx(distance - spread).epsilon(1e-3));
      const Predictive::Variance parts = law.variance();
      CHECK(parts.noise + parts.within + parts.between ==
            doctest::Approx(law.deviation() * law.deviation()));
    }
  // Of one normal law the logarithm has a known mean.
  Standardisation own = units;
  own.target_mean = own.target_scale = 1;
  own.target_transform = TargetTransform::log;
  const Predictive law(std::vector<OutputLaw<double>>{{0.5, {}, 0, {}, 0.5}}, {}, own);
  CHECK(law.mean() == doctest::Approx(std::exp(1.5 + 0.125)).epsilon(1e-12));
  CHECK(law.deviation() ==
        doctest::Approx(std::exp(1.625) * std::sqrt(std::expm1(0.25))).epsilon(1e-10));
  CHECK(law.log_density(0) == -INFINITY);
  CHECK(law.cdf(-1) == 0);
  CHECK(law.crps(0) ==
        doctest::Approx(law.mean() - 0.5 * 2 * std::exp(1.625) * std::erf(0.5 / 2)).epsilon(1e-6));
}

TEST_CASE("a box in the eigenbasis has the moments of the conditional posterior") {
  const std::vector<Weights> samples = trajectory(5, 3, 0.1);
  const Dataset training = random_rows(6, 40), rows = random_rows(7, 6);
  const auto gaussian = predict(samples, rows, {.posterior = "conditional"}, &training);
  const auto box = predict(samples, rows, {.posterior = "conditional-box"}, &training);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    CHECK(box[i].mean == doctest::Approx(gaussian[i].mean));
    CHECK(box[i].deviation == doctest::Approx(gaussian[i].deviation));
    CHECK(std::abs(box[i].log_density - gaussian[i].log_density) < 0.05);
  }
}

TEST_CASE("quantiles, scores and densities of a mixture are consistent") {
  const Dataset training = random_rows(11, 40);
  for (const char* partition : {"none", "last", "last:2", "second:3", "second:2+bias", "all"})
    for (const char* posterior : {"conditional", "minmax", "moment", "triangular"}) {
      const std::string_view of = partition, by = posterior;
      if ((of.starts_with("second") || of == "all") && by == "conditional") continue;
      // Not uniform; and no fast series, so that its thousands of places take minutes.
      if ((of == "all" || of == "second:2+bias") && by == "triangular") continue;
      CAPTURE(partition);
      CAPTURE(posterior);
      const Network network = small_network();
      const std::vector<Weights> samples = trajectory(9, 5, 0.2);
      const auto collapsed = collapse(network, rounded_forward, observation, samples, {}, &training,
                                      {.partition = partition, .posterior = posterior});
      const Dataset rows = random_rows(10, 2);
      const auto found = activations(network, rounded_forward, samples, collapsed, rows.inputs);
      std::vector<OutputLaw<double>> mixture;
      for (const auto& sample : output_laws_at(collapsed, found, 0)) mixture.push_back(sample[0]);
      const Predictive law(mixture, {}, units);
      for (const double p : {0.001, 0.05, 0.5, 0.9, 0.999})
        CHECK(law.cdf(law.quantile(p)) == doctest::Approx(p).epsilon(1e-9));
      // Densities are slopes, and the score is the integral of its definition.
      const double y = law.quantile(0.3), step = 1e-4 * law.deviation();
      CHECK(std::exp(law.log_density(y)) ==
            doctest::Approx((law.cdf(y + step) - law.cdf(y - step)) / (2 * step)).epsilon(1e-5));
      double sum = 0, mass = 0, mean = 0;
      const int count = 400;
      const double length = 7 * law.deviation();
      // Below y, and above: the score's integrand jumps there.
      for (const double sign : {-1.0, 1.0})
        for (int i = 0; i < count; ++i) {
          const double width = length * 1.2 / count;
          const double s = y + sign * width * (i + 0.5), density = std::exp(law.log_density(s));
          const double tail = sign < 0 ? law.cdf(s) : 1 - law.cdf(s);
          sum += tail * tail * width;
          mass += density * width;
          mean += s * density * width;
        }
      CHECK(mass == doctest::Approx(1).epsilon(1e-4));
      CHECK(mean == doctest::Approx(law.mean()).epsilon(1e-3));
      CHECK(law.crps(y) == doctest::Approx(sum).epsilon(1e-4));
    }
}

TEST_CASE("forecasts do not depend on the number of threads") {
  const std::vector<Weights> samples = trajectory(12, 3, 0.1);
  const Dataset rows = random_rows(13, 50);
  const CollapseOptions collapsing{.partition = "last", .posterior = "moment"};
  const auto one = predict(samples, rows, collapsing, nullptr, {.threads = 1});
  const auto four = predict(samples, rows, collapsing, nullptr, {.threads = 4});
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    CHECK(one[i].log_density == four[i].log_density);
    CHECK(one[i].quantiles == four[i].quantiles);
    CHECK(one[i].crps == four[i].crps);
  }
}

TEST_CASE("a floor holds for densities below it, and only then") {
  const std::vector<Weights> samples = trajectory(14, 2, 0.1);
  Dataset rows = random_rows(15, 2);
  rows.targets[1] = 1e4;
  const auto plain = predict(samples, rows, {.partition = "none"}, nullptr);
  const auto floored = predict(samples, rows, {.partition = "none"}, nullptr, {.floor = 1e-6});
  CHECK(plain[0].log_density == floored[0].log_density);
  CHECK(plain[1].log_density < -1000);
  CHECK(floored[1].log_density == doctest::Approx(std::log(1e-6)));
}

TEST_CASE("the smoothed triangular density mixes in a uniform one") {
  // One sample, no weights collapsed: p = (e + tri(y)) / (e R + mass in range).
  const OutputLaw<double> output_law{0.5, {}, 0, {}, 1};
  PredictiveOptions options;
  options.noise = {OutcomeNoise::Kind::triangular, 2};
  options.epsilon = 0.01;
  options.range_from = -3;
  options.range_to = 1.5;
  const Standardisation own{{}, {}, 0, 1};
  const Predictive law(std::span(&output_law, 1), options, own);
  // Radius 2 around 1/2: tri(1) = 1/2 - 1/8; above 3/2 lies (1/2)^2 / 2 of the mass.
  CHECK(law.log_density(1) == doctest::Approx(std::log((0.01 + 0.375) / (0.045 + 0.875))));
  CHECK(law.log_density(100) == doctest::Approx(std::log(0.01 / (0.045 + 0.875))));
}

/// Samples that differ only in the tensors whose names start so.
std::vector<Weights> moving(unsigned seed, const std::string& prefix) {
  std::vector<Weights> result = trajectory(seed, 5, 0.3);
  for (Weights& weights : result)
    for (auto& [name, tensor] : weights)
      if (!name.starts_with(prefix)) tensor = result[0][name];
  return result;
}

TEST_CASE("all weights with a certain first layer are the last layer") {
  const std::vector<Weights> samples = moving(21, "fc2");
  const Dataset rows = random_rows(22, 12);
  for (const char* posterior : {"minmax", "moment"}) {
    const auto all = predict(samples, rows, {.partition = "all", .posterior = posterior}, nullptr);
    const auto last =
        predict(samples, rows, {.partition = "last", .posterior = posterior}, nullptr);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      // The hidden layer in doubles here, in floats there.
      CHECK(all[i].mean == doctest::Approx(last[i].mean).epsilon(1e-5));
      CHECK(all[i].deviation == doctest::Approx(last[i].deviation).epsilon(1e-5));
      CHECK(all[i].log_density == doctest::Approx(last[i].log_density).epsilon(1e-4));
      CHECK(all[i].crps == doctest::Approx(last[i].crps).epsilon(1e-4));
      CHECK(all[i].quantiles[0] == doctest::Approx(last[i].quantiles[0]).epsilon(1e-4));
    }
  }
}

TEST_CASE("all weights with a certain last layer are every weight of the layer before it") {
  // Two of the three units move; 9 entries in all.
  std::vector<Weights> samples = moving(23, "fc1");
  for (Weights& sample : samples)
    for (std::size_t j = 0; j < 2; ++j)
      sample["fc1.weight"].entries[4 + j] = samples[0]["fc1.weight"].entries[4 + j];
  const Dataset rows = random_rows(24, 6);
  const auto all = predict(samples, rows, {.partition = "all"}, nullptr);
  const auto second = predict(samples, rows, {.partition = "second:9"}, nullptr);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    CHECK(all[i].mean == doctest::Approx(second[i].mean).epsilon(1e-9));
    CHECK(all[i].deviation == doctest::Approx(second[i].deviation).epsilon(1e-9));
    CHECK(all[i].log_density == doctest::Approx(second[i].log_density).epsilon(1e-8));
    CHECK(all[i].cdf == doctest::Approx(second[i].cdf).epsilon(1e-9));
  }
}

}  // namespace
}  // namespace wmi::bnn
