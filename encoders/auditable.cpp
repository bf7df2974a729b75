#include "encoders/auditable.h"

#include <algorithm>
#include <map>
#include <set>

#include "encoders/encoding/steps.h"
#include "solver/terms/error.h"

namespace wmi::encoders {
namespace {

/// Throws Error if entries of a layer could be mistaken for other names.
void check_distinct(const Network& network) {
  for (const NamedLayer& layer : network.layers) {
    const bool output = network.output == std::vector<std::string>{layer.name};
    if ((layer.name == "out" && !output) || network.parameters.contains(layer.name))
      throw Error("the layer '" + layer.name + "' has the name of something else");
  }
}

std::vector<NamedValue> values_of(const Network& network, const Tensor<Rational>& input,
                                  std::span<const Unknown> unknowns, const Problem& problem) {
  std::vector<NamedValue> result;
  for (Variable i = 0; i < problem.integrated.size() && problem.integrated[i]; ++i)
    result.push_back({problem.terms.real_name(i), std::nullopt});
  std::vector<std::optional<Rational>> inputs(input.entries.begin(), input.entries.end());
  for (const Unknown& unknown : unknowns) {
    const TensorEntry entry = find_entry(network, unknown.name);
    const bool is_input = entry.tensor == "input";
    const Shape& shape =
        is_input ? input.shape : network.parameters.find(entry.tensor)->second.shape;
    if (unknown.name != entry.tensor + index_name(shape, entry.entry))
      throw Error("'" + unknown.name + "' is another way to write its name");
    const std::optional<Rational> number = unknown.density.number();
    if (is_input)
      inputs[entry.entry] = number;
    else if (number)
      result.push_back({unknown.name, number});
  }
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i]) result.push_back({"input" + index_name(input.shape, i), inputs[i]});
  return result;
}

/// The layers that a checker encodes itself (frontends/check/program): each ReLU is a choice there,
/// whether bounds decide it or not.
using Reencoded = std::variant<Linear, Relu, Flatten, Rearrange, Affine, Add>;

template <class Type, class... Types>
constexpr bool is_one_of(const std::variant<Types...>*) {
  return (std::same_as<Type, Types> || ...);
}

}  // namespace

AuditableEncoding encode_auditable(const Network& network, const Tensor<Rational>& input,
                                   std::span<const Unknown> unknowns, const Outcome& outcome) {
  check_distinct(network);
  if (has_unnormalised_laws(unknowns))
    throw Error("integrals under normal laws are enclosed, and have no certificate");
  const bool all_units = std::ranges::all_of(network.layers, [](const NamedLayer& layer) {
    return std::visit(
        []<class Type>(const Type&) { return is_one_of<Type>(static_cast<Reencoded*>(nullptr)); },
        layer.layer);
  });
  AuditableEncoding result{{}, encode_units(network, input, unknowns, outcome, all_units), {}};
  if (result.network.problem.terms.boolean_count() > 0)
    throw Error("the network has a law of its own");  // of dropout masks

  const auto output_name = [](std::size_t i) { return "out[" + std::to_string(i) + "]"; };
  std::set<std::string> names;
  for (const auto& [name, values] : result.network.layers)
    for (std::size_t i = 0; i < values.size(); ++i)
      names.insert(name + index_name(values.shape, i));
  for (std::size_t i = 0; i < result.network.outputs.size(); ++i) names.insert(output_name(i));
  for (const Unknown& unknown : unknowns)
    if (!unknown.density.number()) names.erase(unknown.name);

  Encoding& statement = result.statement;
  const bool has_outcome = std::holds_alternative<TriangularOutcome>(outcome);
  declare(network, input, unknowns, has_outcome ? std::optional<std::string>("y") : std::nullopt,
          statement, names);
  result.values = values_of(network, input, unknowns, statement.problem);
  std::map<std::string, Polynomial> reals;
  for (Variable i = 0; i < statement.problem.integrated.size(); ++i)
    reals.emplace(statement.problem.terms.real_name(i), Polynomial::variable(i));
  for (const auto& [name, values] : result.network.layers) {
    Tensor<Polynomial>& entries = statement.layers[name];
    entries.shape = values.shape;
    for (std::size_t i = 0; i < values.size(); ++i)
      entries.entries.push_back(reals.at(name + index_name(values.shape, i)));
  }
  for (std::size_t i = 0; i < result.network.outputs.size(); ++i)
    statement.outputs.push_back(reals.at(output_name(i)));
  statement.output_names = result.network.output_names;
  add_outcome(statement, outcome);
  return result;
}

}  // namespace wmi::encoders
