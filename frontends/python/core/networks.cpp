#include "frontends/python/core/networks.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "encoders/bracket.h"
#include "encoders/encoding/steps.h"
#include "encoders/shape_algebra.h"
#include "frontends/ciber/embedded_problem.h"
#include "frontends/ciber/named_values.h"
#include "frontends/common/line.h"
#include "frontends/formats/format.h"
#include "frontends/networks/network.h"
#include "frontends/networks/onnx/network_file.h"
#include "frontends/networks/safetensors.h"
#include "solver/terms/error.h"

namespace wmi::python {
namespace {

using encoders::Encoding;
using encoders::Network;
using encoders::Outcome;
using frontends::NamedValues;
using frontends::onnx::ReadNetwork;

/// The names of an encoding.
class Naming {
 public:
  Naming(Encoding& encoding, const std::vector<std::string>& units, const Outcome& outcome)
      : encoding_(encoding), values_(encoding) {
    add_outputs();
    add_unknowns();
    if (const auto* const cubic = std::get_if<encoders::CubicSigmoid>(&outcome)) add_class(*cubic);
    for (const std::string& unit : units) add_unit(unit);
  }

  Names names;
  std::vector<std::string> bounded;

 private:
  void add_outputs() {
    for (std::size_t i = 0; i < values_.output_count(); ++i)
      add(NamedValues::output_name(i), values_.output(i));
  }

  void add_unknowns() {
    const Problem& problem = encoding_.problem;
    for (Variable real = 0; real < problem.integrated.size(); ++real)
      add(problem.terms.real_name(real), {Polynomial::variable(real)});
    for (const auto& [name, sum] : encoding_.combinations) add(name, {sum});
    for (std::uint32_t boolean = 0; boolean < problem.terms.boolean_count(); ++boolean)
      names.emplace(problem.terms.boolean_name(boolean), problem.terms.boolean(boolean));
  }

  /// The probability of the class, which rises with the first output.
  void add_class(const encoders::CubicSigmoid& outcome) {
    encoders::check_outcome(outcome);
    Terms& terms = encoding_.problem.terms;
    const frontends::Term f = values_.output(0);
    frontends::Term probability{encoders::cubic_sigmoid(terms, f.lower, outcome.reach)};
    if (!f.exact()) probability.above = encoders::cubic_sigmoid(terms, f.upper(), outcome.reach);
    add("class", probability);
    encoding_.assumptions.push_back(encoders::assumption(outcome));
  }

  void add_unit(const std::string& name) {
    if (names.contains(name) || std::ranges::find(bounded, name) != bounded.end()) return;
    const std::optional<frontends::Term> term = values_.find(name);
    if (!term)
      throw Error("there is no '" + name +
                  "'; name an output out[0], a unit fc1[3], an input input[0] or a random weight");
    add(name, *term);
  }

  void add(const std::string& name, const frontends::Term& term) {
    if (term.exact()) {
      names.emplace(name, term.lower);
      return;
    }
    names.emplace("lower " + name, term.lower);
    names.emplace("upper " + name, term.upper());
    bounded.push_back(name);
  }

  Encoding& encoding_;
  NamedValues values_;
};

/// The outcome as far as it is part of the measure: the probability of a class is a term instead.
Outcome measured(const Outcome& outcome) {
  return std::holds_alternative<encoders::CubicSigmoid>(outcome) ? Outcome() : outcome;
}

Encoding encoding_of(const Network& network, const NetworkValues& values,
                     const encoders::KeepLayer& keep) {
  const Outcome outcome = measured(values.outcome);
  if (values.width)
    return encoders::encode_bracketed(encoders::within(network, *values.width), values.input,
                                      values.unknowns, outcome, keep);
  if (encoders::needs_brackets(network))
    return encoders::encode_bracketed(network, values.input, values.unknowns, outcome, keep);
  return encoders::encode(network, values.input, values.unknowns, outcome, keep);
}

}  // namespace

SharedNetwork read_network_file(const std::string& path) {
  try {
    return std::make_shared<ReadNetwork>(frontends::read_any_network(path));
  } catch (const Error& error) {
    const std::string what = error.what();
    if (what.starts_with(path + ": ")) throw Error(frontends::one_line(what));
    throw Error(frontends::message(path, error.where(), what));
  }
}

SharedNetwork parse_network(const std::string& bytes) {
  Network network = frontends::to_network(frontends::parse_safetensors(bytes));
  output_size(network);
  return std::make_shared<ReadNetwork>(ReadNetwork{std::move(network), {}});
}

std::size_t output_size(const Network& network) {
  encoders::ShapeAlgebra algebra(network.parameters);
  std::size_t result = 0;
  for (const auto& output : encoders::run(network, algebra, {network.input}))
    result += encoders::entry_count(output.shape);
  return result;
}

std::vector<Interval> run_network(const Network& network, const encoders::Tensor<Rational>& input) {
  std::vector<Interval> result;
  for (const auto& output : encoders::run_bracketed_exactly(network, input))
    for (std::size_t i = 0; i < output.lower.size(); ++i)
      result.emplace_back(output.lower.entries[i], output.upper().entries[i]);
  return result;
}

EncodedNetwork encode_network(const Network& network, const NetworkValues& values,
                              const std::vector<std::string>& units) {
  Encoding encoding = encoding_of(network, values, [&](const std::string& layer) {
    return std::ranges::any_of(units, [&](const std::string& unit) {
      return unit.starts_with(layer) && unit.substr(layer.size()).starts_with('[');
    });
  });
  Naming naming(encoding, units, values.outcome);
  return {{encoding.problem, std::move(naming.names), encoding.assumptions},
          encoding.names,
          std::move(naming.bounded)};
}

AuditableNetwork encode_auditable(const Network& network, const NetworkValues& values,
                                  const std::vector<std::string>& units) {
  if (values.width || encoders::needs_brackets(network))
    throw Error("the network is known only between bounds");
  AuditableNetwork result{
      encoders::encode_auditable(network, values.input, values.unknowns, measured(values.outcome)),
      {}};
  Encoding& statement = result.parts.statement;
  Naming naming(statement, units, values.outcome);
  result.statement = {statement.problem, std::move(naming.names), statement.assumptions};
  return result;
}

EmbeddedTask embedded_task(const std::optional<frontends::AuditableQuery>& parts,
                           const Task& task) {
  const frontends::EmbeddedProblem problem = frontends::embedded_problem(
      [&] { return parts.value_or(frontends::AuditableQuery()); }, [&] { return task; });
  std::ostringstream head;
  problem.write(head);
  EmbeddedTask result{std::move(head).str(), problem.text(), {}};
  result.task = frontends::read_smtlib({"the network's problem", result.text}).at(0);
  result.task.assumptions = task.assumptions;
  for (std::size_t i = 0; i < task.queries.size(); ++i)
    result.task.queries.at(i).bounded = task.queries[i].bounded;
  return result;
}

}  // namespace wmi::python
