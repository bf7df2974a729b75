#include "bnn/predictive/drawn_classes.h"

#include <doctest/doctest.h>

#include <cmath>

#include "bnn/numeric/random.h"
#include "bnn/predictive/classes.h"

namespace wmi::bnn {
namespace {

/// Logits of this many samples, of deviations up to `spread`.
std::vector<std::vector<OutputLaw<double>>> random_logits(std::size_t samples, std::size_t count,
                                                          double spread, Random& random) {
  std::vector<std::vector<OutputLaw<double>>> result(samples);
  for (auto& sample : result)
    for (std::size_t k = 0; k < count; ++k) {
      sample.push_back({2 * random.normal(), {}, 0, {}, 0});
      sample.back().deviation = spread * random.uniform();
    }
  return result;
}

double drawn(const std::vector<std::vector<OutputLaw<double>>>& samples,
             const Observation& observation, std::size_t target) {
  const DrawnClasses draws(samples.size(), samples[0].size());
  double sum = 0;
  for (std::size_t i = 0; i < samples.size(); ++i)
    sum += draws.probability(i, samples[i], observation, target);
  return sum / static_cast<double>(samples.size());
}

}  // namespace

TEST_CASE("drawn probabilities of a mixture of forty samples are near the exact ones") {
  Random random(3);
  for (const std::size_t count : {1, 2, 3, 7}) {
    const Observation observation{count == 1 ? Observation::Kind::sigmoid
                                             : Observation::Kind::softmax};
    for (int repetition = 0; repetition < 20; ++repetition) {
      const auto samples = random_logits(40, count, 1.5, random);
      const std::vector<double> exact = class_probabilities(samples, observation);
      for (std::size_t k = 0; k < exact.size(); ++k)
        CHECK(std::abs(drawn(samples, observation, k) - exact[k]) < 0.015);
    }
  }
}

TEST_CASE("drawn probabilities of certain logits are exact, and sum to 1 for others") {
  Random random(4);
  for (const std::size_t count : {1, 2, 5}) {
    const Observation observation{count == 1 ? Observation::Kind::sigmoid
                                             : Observation::Kind::softmax};
    const auto certain = random_logits(3, count, 0, random),
               other = random_logits(3, count, 2, random);
    const std::vector<double> exact = class_probabilities(certain, observation);
    double sum = 0;
    for (std::size_t k = 0; k < exact.size(); ++k) {
      CHECK(drawn(certain, observation, k) == doctest::Approx(exact[k]).epsilon(1e-12));
      sum += drawn(other, observation, k);
    }
    CHECK(sum == doctest::Approx(1));
  }
}

TEST_CASE("scale and temperature act on the logits") {
  const Observation softmax{Observation::Kind::softmax};
  Random random(5);
  const auto samples = random_logits(1, 3, 1, random);
  auto scaled = samples;
  for (OutputLaw<double>& logit : scaled[0]) {
    logit.constant /= 2;
    logit.deviation *= 3.0 / 2;
  }
  const DrawnClasses draws(1, 3);
  CHECK(draws.probability(0, samples[0], softmax, 1, 2, 9) ==
        doctest::Approx(draws.probability(0, scaled[0], softmax, 1)).epsilon(1e-12));
}

}  // namespace wmi::bnn
