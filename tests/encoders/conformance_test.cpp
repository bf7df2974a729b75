// Every type of layer in every meaning, on random attributes, shapes, weights and inputs.

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "encoders/exact.h"
#include "encoders/symbolic.h"
#include "solver/enumerators/smt.h"
#include "tests/encoders/layer_cases.h"

using namespace wmi;
using namespace wmi::encoders;

namespace {

constexpr unsigned cases = 60, formula_cases = 24;

Tensor<Rational> run_exact_layer(const LayerCase& layer_case, std::string_view type) {
  const Network network = layer_case.network(type);
  ExactAlgebra algebra(network, layer_case.masks);
  algebra.enter("layer");
  return run_layer<ExactAlgebra>(network.layers[0].layer, algebra, layer_case.inputs);
}

/// The layer as terms of a problem, with its inputs or its tensors unknown within `reach` of their
/// values, and then asserted to have these values.
struct Encoded {
  Problem problem;
  std::vector<Polynomial> outputs;
  Shape shape;
};

Encoded encode_layer(const LayerCase& layer_case, std::string_view type, bool unknown_inputs,
                     const Rational& reach) {
  const Network network = layer_case.network(type);
  Encoded result;
  Problem& problem = result.problem;
  std::vector<Interval> ranges;
  std::vector<Rational> values;
  const auto declare = [&](const std::string& name, const Rational& value) {
    ranges.emplace_back(value - reach, value + reach);
    values.push_back(value);
    problem.integrated.push_back(true);
    return Polynomial::variable(problem.terms.declare_real(name));
  };
  std::map<std::string, std::map<std::size_t, Polynomial>> unknowns;
  std::vector<SymbolicValue> inputs;
  for (const Tensor<Rational>& input : layer_case.inputs) {
    Tensor<Polynomial> value(input.shape, {});
    for (const Rational& entry : input.entries) {
      const std::string name = "x" + std::to_string(values.size());
      value.entries.push_back(unknown_inputs ? declare(name, entry) : Polynomial(entry));
    }
    inputs.emplace_back(std::move(value));
  }
  if (!unknown_inputs)
    for (const auto& [name, tensor] : network.parameters)
      if (!name.starts_with("layer.running_") && name != "layer.divisor")
        for (std::size_t i = 0; i < tensor.size(); ++i)
          unknowns[name][i] = declare(name + index_name(tensor.shape, i), tensor.entries[i]);

  SymbolicAlgebra algebra(network, problem, unknowns, ranges);
  algebra.enter("layer");
  const Tensor<Polynomial> output =
      run_layer<SymbolicAlgebra>(network.layers[0].layer, algebra, inputs);
  result.outputs = output.entries;
  result.shape = output.shape;
  for (Variable i = 0; i < values.size(); ++i)
    problem.assertions.push_back(
        problem.terms.equal(Polynomial::variable(i), Polynomial(values[i])));
  REQUIRE(problem.terms.boolean_count() == layer_case.masks.size());
  for (std::uint32_t i = 0; i < layer_case.masks.size(); ++i)
    problem.assertions.push_back(layer_case.masks[i] ? problem.terms.boolean(i)
                                                     : !problem.terms.boolean(i));
  return result;
}

/// Records the values of the layer's first choices in the only model, to check that the random
/// cases cover both.
void watch_choices(const Terms& terms, Smt& smt, std::vector<std::set<bool>>& seen) {
  constexpr std::size_t most = 2;  // of one entry, such as both ends of a clamp
  std::size_t number = 0;
  for (std::uint32_t i = 0; i < terms.size() && number < most; ++i) {
    if (terms.node(i).kind != Kind::definition) continue;
    seen.resize(std::max(seen.size(), number + 1));
    smt.push();
    smt.add(terms.definition(terms.node(i).index).condition);
    seen[number++].insert(smt.check().has_value());
    smt.pop();
  }
}

}  // namespace

TEST_CASE("every layer agrees with plain loops in exact numbers") {
  for (const std::string_view type : layer_types())
    for (unsigned seed = 0; seed < cases; ++seed) {
      CAPTURE(type);
      CAPTURE(seed);
      std::mt19937 random(seed);
      const LayerCase layer_case = random_case(type, random);
      const Tensor<Rational> found = run_exact_layer(layer_case, type);
      REQUIRE(found.shape == layer_case.expected.shape);
      for (std::size_t i = 0; i < found.size(); ++i) {
        const Rational &y = found.entries[i], &truth = layer_case.expected.entries[i];
        if (layer_case.slack == 0)
          REQUIRE(y == truth);
        else if (std::get<std::string>(layer_case.attributes.at("side")) == "lower")
          REQUIRE(y <= truth + layer_case.slack);
        else
          REQUIRE(y >= truth - layer_case.slack);
      }
    }
}

TEST_CASE("the formula of every layer has the exact outputs as its only model") {
  for (const std::string_view type : layer_types()) {
    std::vector<std::set<bool>> seen;  // the values of the layer's first choices
    for (unsigned seed = 0; seed < formula_cases; ++seed) {
      CAPTURE(type);
      CAPTURE(seed);
      std::mt19937 random(seed);
      const LayerCase layer_case = random_case(type, random);
      const Tensor<Rational> expected = run_exact_layer(layer_case, type);
      const bool unknown_inputs = layer_case.parameters.empty() || seed % 2 == 0;
      // In small ranges most choices are decided by bounds, in large ones none.
      Encoded encoded = encode_layer(layer_case, type, unknown_inputs, seed % 4 < 2 ? 1 : 30);
      REQUIRE(encoded.shape == expected.shape);

      Terms& terms = encoded.problem.terms;
      std::vector<Formula> equal;
      for (std::size_t i = 0; i < expected.size(); ++i)
        equal.push_back(terms.equal(encoded.outputs[i], Polynomial(expected.entries[i])));
      const Formula all_equal = terms.all(equal);
      Smt smt(terms, {}, encoded.outputs);
      for (const Formula assertion : encoded.problem.assertions) smt.add(assertion);
      smt.push();
      smt.add(all_equal);
      REQUIRE(smt.check().has_value());
      if (layer_case.slack == 0) watch_choices(terms, smt, seen);
      smt.pop();
      smt.add(!all_equal);
      REQUIRE(!smt.check().has_value());
    }
    CAPTURE(type);
    for (const std::set<bool>& ways : seen) CHECK(ways.size() == 2);
  }
}
