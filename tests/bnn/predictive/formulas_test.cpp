#include "bnn/predictive/formulas.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "bnn/predictive/predictive.h"
#include "tests/bnn/forward.h"

namespace wmi::bnn {
namespace {

using encoders::Network;
using encoders::Tensor;

/// Two inputs, three units, mean and raw variance.
Network small_network(bool leaky) {
  Network network{{2},
                  {{"fc1", encoders::Linear{}, {"input"}},
                   {"relu1", encoders::Relu{}, {"fc1"}},
                   {"fc2", encoders::Linear{}, {"relu1"}}},
                  {"fc2"},
                  {}};
  if (leaky) network.layers[1].layer = encoders::LeakyRelu{ratio(1, 100)};
  return network;
}

/// Samples with entries of few bits: the numbers of exact answers stay short.
std::vector<Weights> trajectory(std::mt19937& random, std::size_t count) {
  const auto entry = [&] { return (static_cast<int>(random() % 33) - 16) / 8.0; };
  const auto tensor = [&](encoders::Shape shape) {
    Tensor<double> result = Tensor<double>::filled(shape, 0);
    for (double& value : result.entries) value = entry();
    return result;
  };
  const Weights start{{"fc1.weight", tensor({3, 2})},
                      {"fc1.bias", tensor({3})},
                      {"fc2.weight", tensor({2, 3})},
                      {"fc2.bias", tensor({2})}};
  std::vector<Weights> result(count, start);
  for (Weights& weights : result)
    for (auto& [name, values] : weights)
      for (double& value : values.entries) value += entry() / 4;
  return result;
}

TEST_CASE("formulas and laws give the same numbers on every partition") {
  const Observation observation;
  const Standardisation units{{0, 0}, {1, 1}, 3, 2};
  Dataset training{Matrix(6, 2), {}};
  for (std::size_t i = 0; i < 6; ++i) {
    training.inputs.at(i, 0) = static_cast<double>(i) / 2;
    training.inputs.at(i, 1) = 1 - static_cast<double>(i % 3);
    training.targets.push_back(static_cast<double>(i) - 2);
  }
  struct Case {
    const char* partition;
    const char* choose;
    const char* posterior;
  };
  const Case cases[] = {{"none", "variance", "minmax"},
                        {"last", "variance", "minmax"},
                        {"last:2", "variance", "moment"},
                        {"last:1", "effect", "triangular"},
                        {"last:2", "variance", "conditional-box"},
                        {"second:1", "variance", "minmax"},
                        {"second:2", "effect", "minmax"},
                        {"second:3", "variance", "minmax"},
                        {"second:3", "effect", "minmax"},
                        {"fc1.weight[0,0] fc1.weight[1,1] fc1.bias[2]", "variance", "minmax"},
                        {"fc2.weight[0,0] fc2.bias[0]", "variance", "minmax"}};
  std::size_t several = 0;
  for (unsigned seed = 0; seed < 2; ++seed)
    for (const Case& each : cases) {
      CAPTURE(each.partition);
      CAPTURE(each.posterior);
      CAPTURE(seed);
      std::mt19937 random(seed);
      const Network network = small_network(seed == 1);
      const std::vector<Weights> samples = trajectory(random, 2);
      const auto collapsed = collapse(
          network, rounded_forward, observation, samples, {}, &training,
          {.partition = each.partition, .choose = each.choose, .posterior = each.posterior});
      const std::vector<Rational> input{ratio(3, 4), ratio(-1, 2)};
      const ExactActivations found = exact_forward(network, samples[0], input, collapsed[0].layer);
      const OutputLaw<Rational> output_law =
          output_laws(collapsed[0], found.entering, found.outputs)[0];
      const Rational radius(std::ldexp(std::round(std::ldexp(2.297 * output_law.noise, 8)), -8));
      const Law law = outcome_law(output_law, radius, units);
      const Rational y = law.mean() + ratio(1, 3);
      const Task task = sample_task(
          encode_sample(network, samples[0], collapsed[0], found.entering, found.outputs, radius),
          units, y);
      const FormulaAnswer answer = solve_sample(task, *make_split(), *make_auto({}));
      CHECK(answer.mean == Interval(law.mean()));
      CHECK(*answer.density == Interval(law.density(y)));
      if (output_law.units.size() > 1) ++several;
      // ... and in doubles.
      std::vector<double> entering, outputs;
      for (const Rational& value : found.entering) entering.push_back(value.get_d());
      for (const Rational& value : found.outputs) outputs.push_back(value.get_d());
      const auto doubles = output_laws(collapsed[0], entering, outputs);
      const OutcomeNoise noise{OutcomeNoise::Kind::triangular, radius.get_d() / output_law.noise};
      const Predictive fast(std::span(doubles.data(), 1), {.noise = noise}, units);
      CHECK(fast.mean() == doctest::Approx(law.mean().get_d()));
      CHECK(std::exp(fast.log_density(y.get_d())) ==
            doctest::Approx(law.density(y).get_d()).epsilon(1e-9));
    }
  CHECK(several > 2);
}

TEST_CASE("the enumerators and integrators agree on a collapsed sample") {
  std::mt19937 random(7);
  const Network network = small_network(false);
  const std::vector<Weights> samples = trajectory(random, 2);
  const auto collapsed = collapse(network, rounded_forward, {}, samples, {}, nullptr,
                                  {.partition = "second:2", .posterior = "minmax"});
  const ExactActivations found =
      exact_forward(network, samples[0], {ratio(1, 2), ratio(5, 4)}, "fc1");
  const Task task = sample_task(
      encode_sample(network, samples[0], collapsed[0], found.entering, found.outputs, ratio(3, 2)),
      {{}, {}, 0, 1}, ratio(1, 4));
  const FormulaAnswer expected = solve_sample(task, *make_z3(), *make_triangulation({}));
  CHECK(solve_sample(task, *make_split(), *make_face_lattice({})).mean == expected.mean);
  CHECK(*solve_sample(task, *make_split(), *make_face_lattice({})).density == *expected.density);
  CHECK(expected.density->exact());
}

}  // namespace
}  // namespace wmi::bnn
