#include "encoders/bracket.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "encoders/symbolic.h"
#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/solve.h"
#include "tests/encoders/layer_cases.h"
#include "tests/encoders/random_network.h"

using namespace wmi;
using namespace wmi::encoders;

namespace {

Tensor<Rational> random_tensor(const Shape& shape, std::mt19937& random) {
  auto result = Tensor<Rational>::filled(shape, 0);
  for (Rational& entry : result.entries)
    entry = ratio(std::uniform_int_distribution<int>(-8, 8)(random), 8);
  return result;
}

long double truth_of(std::string_view type, long double x) {
  if (type == "tanh") return std::tanh(x);
  if (type == "sigmoid") return 1 / (1 + std::exp(-x));
  if (type == "gelu") return x * std::erfc(-x / std::sqrt(2.0L)) / 2;
  if (type == "softplus") return std::max(x, 0.0L) + std::log1p(std::exp(-std::abs(x)));
  if (type == "hardswish") return x * std::clamp(x + 3, 0.0L, 6.0L) / 6;
  if (type == "relu") return std::max(x, 0.0L);
  if (type == "abs") return std::abs(x);
  return x;
}

std::vector<long double> affine(const Network& network, const std::string& name,
                                const std::vector<long double>& x) {
  const Tensor<Rational>& weight = network.parameters.at(name + ".weight");
  std::vector<long double> result;
  for (std::size_t i = 0; i < weight.shape[0]; ++i) {
    result.push_back(network.parameters.at(name + ".bias").entries[i].get_d());
    for (std::size_t j = 0; j < x.size(); ++j)
      result[i] += weight.entries[i * x.size() + j].get_d() * x[j];
  }
  return result;
}

/// fc1 -> first -> fc2 -> second -> fc3, with weights of both signs.
Network two_activations(const Layer& first, const Layer& second, std::mt19937& random) {
  Network network{{2},
                  {{"fc1", Linear{}, {"input"}},
                   {"act1", first, {"fc1"}},
                   {"fc2", Linear{}, {"act1"}},
                   {"act2", second, {"fc2"}},
                   {"fc3", Linear{}, {"act2"}}},
                  {"fc3"},
                  {}};
  for (const auto& [name, out, in] : {std::tuple{"fc1", 3, 2}, {"fc2", 3, 3}, {"fc3", 2, 3}}) {
    const auto rows = static_cast<std::size_t>(out), columns = static_cast<std::size_t>(in);
    network.parameters[std::string(name) + ".weight"] = random_tensor({rows, columns}, random);
    network.parameters[std::string(name) + ".bias"] = random_tensor({rows}, random);
  }
  return network;
}

}  // namespace

TEST_CASE("the true outputs of a network lie between its bounds, which converge with the width") {
  const char* const smooth[] = {"tanh", "sigmoid", "gelu", "softplus", "hardswish"};
  for (const std::string first : smooth)
    for (const std::string second : {"tanh", "gelu", "hardswish", "relu", "abs"})
      for (unsigned seed = 0; seed < 4; ++seed) {
        CAPTURE(first);
        CAPTURE(second);
        CAPTURE(seed);
        Rational previous = 1000;
        for (const Rational& width : {ratio(1, 4), ratio(1, 32)}) {
          const Values wanted{{"width", width}, {"low", Rational(-6)}, {"high", Rational(6)}};
          const bool plain = second == "relu" || second == "abs";
          std::mt19937 random(seed);
          const Network network = two_activations(layer(first, wanted),
                                                  layer(second, plain ? Values{} : wanted), random);
          Rational widest = 0;
          for (unsigned trial = 0; trial < 5; ++trial) {
            Tensor<Rational> input = random_tensor({2}, random);
            for (Rational& entry : input.entries) entry *= trial;
            std::vector<long double> x;
            for (const Rational& entry : input.entries) x.push_back(entry.get_d());
            x = affine(network, "fc1", x);
            for (long double& entry : x) entry = truth_of(first, entry);
            x = affine(network, "fc2", x);
            for (long double& entry : x) entry = truth_of(second, entry);
            x = affine(network, "fc3", x);

            const auto found = run_bracketed_exactly(network, input)[0];
            for (std::size_t i = 0; i < x.size(); ++i) {
              const Rational truth(static_cast<double>(x[i])), slack = ratio(1, 1'000'000'000'000);
              REQUIRE(found.lower.entries[i] <= truth + slack);
              REQUIRE(truth <= found.upper().entries[i] + slack);
              widest =
                  std::max<Rational>(widest, found.upper().entries[i] - found.lower.entries[i]);
            }
          }
          CHECK((widest < previous || widest == 0));  // 0 where everything is clamped
          previous = widest / 2;
        }
      }
}

TEST_CASE("a lower bound in each layer alone would not be a lower bound of the network") {
  // y = -sigmoid(x), about -1/2 at 0: the lower bound of the sigmoid gives an upper bound.
  Network network{{1},
                  {{"act",
                    layer("sigmoid", {{"side", std::string("lower")}, {"pieces", Rational(4)}}),
                    {"input"}},
                   {"fc", Linear{}, {"act"}}},
                  {"fc"},
                  {{"fc.weight", {{1, 1}, {-1}}}}};
  const Tensor<Rational> zero({1}, {0});
  CHECK(run_exactly(network, zero)[0].entries[0] > ratio(-1, 2));
  const auto found = run_bracketed_exactly(network, zero)[0];
  CHECK(found.lower.entries[0] <= ratio(-1, 2));
  CHECK(found.upper().entries[0] >= ratio(-1, 2));
}

TEST_CASE("a network without smooth layers stays exact when it is bracketed") {
  for (const std::string_view type : layer_types())
    for (unsigned seed = 0; seed < 5; ++seed) {
      CAPTURE(type);
      CAPTURE(seed);
      std::mt19937 random(seed);
      const LayerCase layer_case = random_case(type, random);
      if (layer_case.slack != 0) continue;
      const Network network = layer_case.network(type);
      ExactAlgebra exact(network, layer_case.masks);
      BracketAlgebra bracketing(exact);
      bracketing.enter("layer");
      std::vector<Bracket<Tensor<Rational>>> inputs;
      for (const Tensor<Rational>& input : layer_case.inputs) inputs.push_back({input});
      const auto found =
          run_layer<BracketAlgebra<ExactAlgebra>>(network.layers[0].layer, bracketing, inputs);
      CHECK(found.exact());
      CHECK(found.lower == layer_case.expected);
    }
}

TEST_CASE("every layer preserves brackets") {
  for (const std::string_view type : layer_types())
    for (unsigned seed = 0; seed < 20; ++seed) {
      CAPTURE(type);
      CAPTURE(seed);
      std::mt19937 random(seed);
      const LayerCase layer_case = random_case(type, random);
      if (!layer_case.masks.empty()) continue;
      const Network network = layer_case.network(type);
      ExactAlgebra exact(network);
      BracketAlgebra bracketing(exact);
      bracketing.enter("layer");
      std::vector<Bracket<Tensor<Rational>>> inputs;
      for (const Tensor<Rational>& input : layer_case.inputs) {
        Bracket<Tensor<Rational>> around{input, input};
        for (Rational& entry : around.lower.entries)
          entry -= ratio(std::uniform_int_distribution<int>(0, 6)(random), 6);
        for (Rational& entry : around.above->entries)
          entry += ratio(std::uniform_int_distribution<int>(0, 6)(random), 6);
        inputs.push_back(around);
      }
      const auto found =
          run_layer<BracketAlgebra<ExactAlgebra>>(network.layers[0].layer, bracketing, inputs);
      REQUIRE(found.lower.shape == layer_case.expected.shape);
      for (std::size_t i = 0; i < found.lower.size(); ++i) {
        REQUIRE(found.lower.entries[i] <= layer_case.expected.entries[i] + layer_case.slack);
        REQUIRE(layer_case.expected.entries[i] <= found.upper().entries[i] + layer_case.slack);
      }
    }
}

TEST_CASE("terms are bracketed like numbers, also under an unknown weight of either sign") {
  // y = w tanh(1), w in [-1, 1]: at each end of w the bounds are those of numbers.
  Network network{
      {1},
      {{"act", layer("tanh", {{"pieces", Rational(8)}}), {"input"}}, {"fc", Linear{}, {"act"}}},
      {"fc"},
      {{"fc.weight", {{1, 1}, {0}}}}};
  Problem problem;
  const Variable w = problem.terms.declare_real("w");
  problem.integrated.push_back(true);
  const std::map<std::string, std::map<std::size_t, Polynomial>> unknowns{
      {"fc.weight", {{0, Polynomial::variable(w)}}}};
  SymbolicAlgebra symbolic(network, problem, unknowns, {Interval(-1, 1)});
  const auto found =
      run_bracketed(network, symbolic, Tensor<Polynomial>({1}, {Polynomial(Rational(1))}))[0];
  const Interval range_of_lower = symbolic.range(found.lower.polynomial(0));
  for (const int weight : {-1, 1}) {
    network.parameters["fc.weight"].entries[0] = weight;
    const auto numbers = run_bracketed_exactly(network, {{1}, {1}})[0];
    CHECK(range_of_lower.lower <= numbers.lower.entries[0]);
  }
  CHECK(problem.terms.real_count() == 2);  // w and max(w, 0)
}

TEST_CASE("answers about the bounds bracket the true answer") {
  // y = 1 - 2 tanh(w), w uniform on [0, 2]: E[y] = 1 - log(cosh(2)), and y <= 0 where w >=
  // log(3)/2.
  const Network network{
      {1},
      {{"act", layer("tanh", {{"width", ratio(1, 50)}}), {"input"}}, {"fc", Linear{}, {"act"}}},
      {"fc"},
      {{"fc.weight", {{1, 1}, {-2}}}, {"fc.bias", {{1}, {1}}}}};
  Problem problem;
  const Polynomial w = Polynomial::variable(problem.terms.declare_real("input[0]"));
  problem.integrated.push_back(true);
  problem.assertions = {problem.terms.less_equal(0, w), problem.terms.less_equal(w, 2)};
  SymbolicAlgebra symbolic(network, problem, {}, {Interval(0, 2)});
  const auto found = run_bracketed(network, symbolic, Tensor<Polynomial>({1}, {w}))[0];
  Query mean, below;
  mean.kind = Query::Kind::expectation;
  below.kind = Query::Kind::cdf;
  below.at = 0;
  const auto answers = [&](const Polynomial& y) {
    mean.term = below.term = y;
    const auto solved = solve({problem, {mean, below}}, *make_split(), *make_auto({}));
    return std::pair(solved.answers[0].value.value().lower, solved.answers[1].value.value().lower);
  };
  const auto [least_mean, most_below] = answers(found.lower.polynomial(0));
  const auto [greatest_mean, least_below] = answers(found.upper().polynomial(0));
  const Rational true_mean(1 - std::log(std::cosh(2.0))), true_below(1 - std::log(3.0) / 4);
  CHECK(least_mean < true_mean);
  CHECK(true_mean < greatest_mean);
  CHECK(greatest_mean - least_mean < ratio(1, 25));
  CHECK(least_below < true_below);
  CHECK(true_below < most_below);
  CHECK(most_below - least_below < ratio(1, 50));
}

TEST_CASE("dropout by masks multiplies both ends by the same masks") {
  const Network network{
      {2},
      {{"act", layer("tanh"), {"input"}},
       {"drop", layer("dropout", {{"mode", std::string("masks")}, {"p", ratio(1, 4)}}), {"act"}}},
      {"drop"},
      {}};
  const Tensor<Rational> input({2}, {-1, 2});
  const auto found = run_bracketed_exactly(network, input, {false, true})[0];
  Network bare = network;
  bare.output = {"act"};
  const auto before = run_bracketed_exactly(bare, input, {false, true})[0];
  CHECK(found.lower.entries == std::vector<Rational>{0, before.lower.entries[1] * ratio(4, 3)});
  CHECK(found.upper().entries == std::vector<Rational>{0, before.upper().entries[1] * ratio(4, 3)});

  Problem problem;
  SymbolicAlgebra symbolic(network, problem, {}, {});
  run_bracketed(network, symbolic,
                Tensor<Polynomial>({2}, {Polynomial(Rational(-1)), Polynomial(Rational(2))}));
  CHECK(problem.terms.boolean_count() == 2);
  CHECK(problem.weights.size() == 4);
}

TEST_CASE("a smooth layer outside a bracket needs a side") {
  const Network network{{1}, {{"act", layer("tanh"), {"input"}}}, {"act"}, {}};
  CHECK_THROWS_WITH_AS(run_exactly(network, {{1}, {1}}),
                       "act: is smooth: give attribute 'side' (lower or upper) to let a bound "
                       "stand for it, or bracket the network",
                       Error);
}
