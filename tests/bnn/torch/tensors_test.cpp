#include "bnn/torch/tensors.h"

#include "tests/bnn/torch/torch_doctest.h"

// After doctest, whose CHECK is meant.
#include "encoders/exact.h"
#include "tests/encoders/layer_cases.h"

namespace wmi::bnn {
namespace {

using encoders::LayerCase;
using encoders::Network;
using encoders::Tensor;

/// The layer on a batch of the same input three times.
torch::Tensor run_case(const LayerCase& layer_case, std::string_view type) {
  const Network network = layer_case.network(type);
  const auto parameters = to_tensors(network, torch::kDouble);
  TensorAlgebra algebra(parameters, false);
  algebra.enter("layer");
  std::vector<TensorAlgebra::Value> inputs;
  for (const Tensor<Rational>& input : layer_case.inputs) {
    const torch::Tensor row = to_tensor(input, torch::kDouble).reshape({1, -1});
    inputs.push_back({row.repeat({3, 1}), input.shape});
  }
  const TensorAlgebra::Value output =
      encoders::run_layer<TensorAlgebra>(network.layers[0].layer, algebra, inputs);
  REQUIRE(output.shape == layer_case.expected.shape);
  return output.entries.expand({3, -1});
}

/// The same in exact numbers, which other tests compare with plain loops.
Tensor<Rational> exactly(const LayerCase& layer_case, std::string_view type) {
  const Network network = layer_case.network(type);
  encoders::ExactAlgebra algebra(network, layer_case.masks);
  algebra.enter("layer");
  return encoders::run_layer<encoders::ExactAlgebra>(network.layers[0].layer, algebra,
                                                     layer_case.inputs);
}

TEST_CASE("every layer computes in tensors what it does in exact numbers") {
  for (const std::string_view type : encoders::layer_types())
    for (unsigned seed = 0; seed < 40; ++seed) {
      CAPTURE(type);
      CAPTURE(seed);
      std::mt19937 random(seed);
      const LayerCase layer_case = encoders::random_case(type, random);
      if (!layer_case.masks.empty()) continue;  // dropout draws its own
      const Tensor<Rational> exact = exactly(layer_case, type);
      const torch::Tensor found = run_case(layer_case, type);
      for (std::int64_t row = 0; row < 3; ++row)
        for (std::size_t i = 0; i < exact.size(); ++i) {
          // Smooth layers are bounds in exact numbers, and themselves here.
          const bool smooth = layer_case.slack != 0;
          const double expected = (smooth ? layer_case.expected : exact).entries[i].get_d();
          const double value = found[row][static_cast<std::int64_t>(i)].item<double>();
          REQUIRE(std::abs(value - expected) <=
                  layer_case.slack.get_d() + 1e-9 * (1 + std::abs(expected)));
        }
    }
}

Network small_network() {
  Network network{{2},
                  {{"fc1", encoders::Linear{}, {"input"}},
                   {"relu1", encoders::Relu{}, {"fc1"}},
                   {"fc2", encoders::Linear{}, {"relu1"}}},
                  {"fc2"},
                  {}};
  network.parameters.emplace("fc1.weight",
                             Tensor<Rational>({3, 2}, {1, -1, ratio(1, 2), 2, -3, ratio(1, 4)}));
  network.parameters.emplace("fc1.bias", Tensor<Rational>({3}, {0, 1, -1}));
  network.parameters.emplace("fc2.weight", Tensor<Rational>({1, 3}, {1, -2, ratio(3, 2)}));
  network.parameters.emplace("fc2.bias", Tensor<Rational>({1}, {ratio(1, 8)}));
  return network;
}

TEST_CASE("a batch is run at once, and each of its rows as by itself") {
  const Network network = small_network();
  const torch::Tensor inputs = torch::tensor({{1.0, 2.0}, {-1.0, 0.5}, {0.0, 0.0}}, torch::kDouble);
  const torch::Tensor found =
      run_on_tensors(network, to_tensors(network, torch::kDouble), inputs, false)[0];
  REQUIRE(found.sizes() == torch::IntArrayRef({3, 1}));
  for (std::int64_t row = 0; row < 3; ++row) {
    const Tensor<Rational> input(
        {2}, {Rational(inputs[row][0].item<double>()), Rational(inputs[row][1].item<double>())});
    CHECK(found[row][0].item<double>() ==
          encoders::run_exactly(network, input)[0].entries[0].get_d());
  }
}

TEST_CASE("gradients reach every weight") {
  const Network network = small_network();
  auto parameters = to_tensors(network, torch::kDouble);
  for (auto& [name, tensor] : parameters) tensor.requires_grad_(true);
  const torch::Tensor inputs = torch::tensor({{1.0, 2.0}, {-2.0, 0.5}}, torch::kDouble);
  run_on_tensors(network, parameters, inputs, true)[0].sum().backward();
  for (const auto& [name, tensor] : parameters) {
    CAPTURE(name);
    REQUIRE(tensor.grad().defined());
    CHECK(tensor.grad().abs().sum().item<double>() > 0);
  }
}

TEST_CASE("dropout draws in training, with the right mean, and not otherwise") {
  Network network{
      {1000},
      {{"drop",
        encoders::make_layer(
            "dropout", encoders::Attributes({{"p", ratio(1, 4)}, {"mode", std::string("masks")}})),
        {"input"}}},
      {"drop"},
      {}};
  torch::manual_seed(1);
  const torch::Tensor inputs = torch::ones({20, 1000}, torch::kDouble);
  const torch::Tensor trained = run_on_tensors(network, {}, inputs, true)[0];
  CHECK(std::abs(trained.mean().item<double>() - 1) < 0.02);
  CHECK(std::abs((trained == 0).to(torch::kDouble).mean().item<double>() - 0.25) < 0.02);
  CHECK(torch::equal(run_on_tensors(network, {}, inputs, false)[0], inputs));
}

}  // namespace
}  // namespace wmi::bnn
