#include "encoders/encode.h"

#include "encoders/bracket.h"
#include "encoders/densities/triangular.h"
#include "encoders/encoding/steps.h"
#include "encoders/symbolic.h"
#include "solver/terms/error.h"

namespace wmi::encoders {
namespace {

void add_logits(const Network& network, Encoding& encoding) {
  if (!network.logits_of.empty())
    encoding.assumptions.push_back("outputs: the logits before '" + network.logits_of + "'");
}

}  // namespace

Encoding encode_units(const Network& network, const Tensor<Rational>& input,
                      std::span<const Unknown> unknowns, const Outcome& outcome, bool all_units,
                      const KeepLayer& keep) {
  check_outcome(outcome);
  Encoding result;
  const bool has_outcome = std::holds_alternative<TriangularOutcome>(outcome);
  const Declared declared =
      declare(network, input, unknowns,
              has_outcome ? std::optional<std::string>("y") : std::nullopt, result);
  const Network& known = declared.known(network);
  SymbolicAlgebra algebra(known, result.problem, declared.unknowns, declared.ranges,
                          all_units || !declared.bounded);
  for (auto& [name, values] : run_all(known, algebra, declared.start, keep))
    result.layers.emplace(name, values.polynomials());
  for (const std::string& name : network.output) {
    const Tensor<Polynomial>& values = result.layers.at(name);
    for (std::size_t entry = 0; entry < values.size(); ++entry) {
      result.outputs.push_back(values.entries[entry]);
      result.output_names.push_back(name + index_name(values.shape, entry));
    }
  }
  if (result.outputs.empty()) throw Error("the network has no output");
  add_logits(network, result);
  for (const NamedLayer& layer : network.layers)
    std::visit(
        [&](const auto& type) {
          if constexpr (requires { type.instead_of(); })
            result.assumptions.push_back(layer.name + ": " + type.instead_of());
        },
        layer.layer);
  result.names = algebra.names();
  add_outcome(result, outcome);
  return result;
}

Encoding encode(const Network& network, const Tensor<Rational>& input,
                std::span<const Unknown> unknowns, const Outcome& outcome, const KeepLayer& keep) {
  return encode_units(network, input, unknowns, outcome, false, keep);
}

Encoding encode_bracketed(const Network& network, const Tensor<Rational>& input,
                          std::span<const Unknown> unknowns, const Outcome& outcome,
                          const KeepLayer& keep) {
  check_outcome(outcome);
  Encoding result;
  const auto* const triangular = std::get_if<TriangularOutcome>(&outcome);
  const Declared declared =
      declare(network, input, unknowns,
              triangular ? std::optional<std::string>("y - out[0]") : std::nullopt, result);
  if (!declared.bounded && needs_brackets(network))
    throw Error(
        "layers that are known between bounds need bounds of the unknowns; write "
        "normal(mean, deviation, from, to)");
  if (triangular) {
    const Rational ends[] = {-triangular->radius, 0, triangular->radius};
    add_law(result.problem, Triangular::make(ends).law, Polynomial::variable(*result.outcome));
  }
  const Network& known = declared.known(network);
  SymbolicAlgebra algebra(known, result.problem, declared.unknowns, declared.ranges,
                          !declared.bounded);
  BracketAlgebra<SymbolicAlgebra> bracketing(algebra);
  for (auto& [name, values] : run_all(known, bracketing, {declared.start}, keep)) {
    result.upper_layers.emplace(name, values.upper().polynomials());
    result.layers.emplace(name, values.lower.polynomials());
  }
  for (const std::string& name : network.output) {
    const Tensor<Polynomial>&lower = result.layers.at(name), &upper = result.upper_layers.at(name);
    for (std::size_t entry = 0; entry < lower.size(); ++entry) {
      result.outputs.push_back(lower.entries[entry]);
      result.upper_outputs.push_back(upper.entries[entry]);
      result.output_names.push_back(name + index_name(lower.shape, entry));
    }
  }
  if (result.outputs.empty()) throw Error("the network has no output");
  add_logits(network, result);
  for (const NamedLayer& layer : network.layers)
    std::visit(
        [&](const auto& type) {
          if constexpr (requires { type.enclosed_by(); })
            result.assumptions.push_back(layer.name + ": " + type.enclosed_by());
          else if constexpr (requires { type.instead_of(); })
            result.assumptions.push_back(layer.name + ": " + type.instead_of());
        },
        layer.layer);
  result.names = algebra.names();
  if (triangular) result.assumptions.push_back(assumption(*triangular));
  if (const auto* const cubic = std::get_if<CubicSigmoid>(&outcome))
    result.assumptions.push_back(assumption(*cubic));
  return result;
}

Polynomial cubic_sigmoid(Terms& terms, const Polynomial& f, const Rational& reach) {
  return terms.choice(terms.less(f, Polynomial(-reach)), 0,
                      terms.choice(terms.less(Polynomial(reach), f), 1, cubic(f, reach)));
}

}  // namespace wmi::encoders
