#include "frontends/ciber/verify/verification_problem.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "encoders/auditable.h"
#include "encoders/encode.h"
#include "encoders/encoding/steps.h"
#include "frontends/ciber/event.h"
#include "frontends/ciber/named_values.h"
#include "frontends/ciber/verify/property_formula.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

using encoders::Encoding;
using encoders::Network;
using encoders::Unknown;
using Rule = BoundedQuery::Rule;

/// No layer but the input and the outputs is asked about.
const encoders::KeepLayer none = [](const std::string&) { return false; };

/// Inputs with a joint law are sums of reals without bounds, and are asserted to be in the box.
void keep_in_box(const VerificationProblem& problem, Encoding& encoding) {
  for (const auto& [name, value] : encoding.combinations) {
    const encoders::TensorEntry entry = encoders::find_entry(problem.network, name);
    if (entry.tensor != "input") continue;
    const Interval& box = problem.inputs.box[entry.entry];
    Terms& terms = encoding.problem.terms;
    encoding.problem.assertions.push_back(terms.less_equal(Polynomial(box.lower), value));
    encoding.problem.assertions.push_back(terms.less_equal(value, Polynomial(box.upper)));
  }
}

Encoding encoded(const VerificationProblem& problem, std::span<const Unknown> unknowns) {
  const Network& network = problem.network;
  Encoding result =
      encoders::needs_brackets(network)
          ? encoders::encode_bracketed(network, problem.inputs.fixed, unknowns, {}, none)
          : encoders::encode(network, problem.inputs.fixed, unknowns, {}, none);
  keep_in_box(problem, result);
  return result;
}

/// The terms of the inputs, then those of the outputs. Throws Error if their numbers are not those
/// of the property.
std::vector<Term> values_of(const Encoding& encoding, const Property& property) {
  if (encoding.outputs.size() != property.outputs)
    throw Error("the property is about " + std::to_string(property.outputs) +
                " outputs, but the network has " + std::to_string(encoding.outputs.size()));
  std::vector<Term> result;
  for (const Polynomial& input : encoding.layers.at("input").entries) result.push_back({input});
  const NamedValues values(encoding);
  for (std::size_t i = 0; i < property.outputs; ++i) result.push_back(values.output(i));
  return result;
}

/// Adds the queries that answer the probability of an event.
void ask(Task& task, const std::string& text, const Event& event, Formula given, bool bracketed) {
  Query query;
  query.kind = Query::Kind::probability;
  query.event = event.certain;
  query.given = given;
  query.text = text;
  if (bracketed) query.bounded = {event.exact() ? Rule::single : Rule::between, text};
  task.queries.push_back(query);
  if (event.exact()) return;
  task.queries.back().text += ": at least";
  query.bounded.reset();
  query.event = event.possible;
  query.text += ": at most";
  task.queries.push_back(std::move(query));
}

Task with_queries(Encoding encoding, const VerificationProblem& problem) {
  const std::vector<Term> values = values_of(encoding, problem.property);
  const std::vector<Interval>& support = problem.inputs.support;
  Terms& terms = encoding.problem.terms;
  const auto event = [&](const Property& property) {
    return to_event(simplified(property, support), terms, values);
  };
  Task task;
  const Formula given = event(input_region(problem.property)).certain;
  const bool bracketed = !encoding.upper_outputs.empty();
  ask(task, "P(unsafe)", event(problem.property), given, bracketed);
  if (problem.regions.size() > 1)
    for (std::size_t i = 0; i < problem.regions.size(); ++i)
      ask(task, "P(unsafe region " + std::to_string(i + 1) + ")", event(problem.regions[i]), given,
          bracketed);
  task.problem = std::move(encoding.problem);
  task.names = std::move(encoding.names);
  task.assumptions = problem.inputs.assumptions;
  task.assumptions.insert(task.assumptions.end(), encoding.assumptions.begin(),
                          encoding.assumptions.end());
  return task;
}

}  // namespace

VerificationProblem make_verification_problem(Network network, Property property,
                                              const VerifyArguments& arguments) {
  if (!network.logits_of.empty() && !compares_outputs_only(property))
    throw Error("the network ends in " + network.logits_of +
                "; only comparisons of its outputs with each other can be verified");
  if (!arguments.width.empty()) {
    try {
      network = encoders::within(std::move(network), parse_fraction(arguments.width));
    } catch (const Error& error) {
      throw Error(std::string("--width: ") + error.what());
    }
  }
  VerifyInputs inputs = read_verify_inputs(network, property, arguments);
  std::vector<Property> regions = unsafe_regions(property);
  return {std::move(network), std::move(property), std::move(inputs), std::move(regions)};
}

Task probability_task(const VerificationProblem& problem) {
  return with_queries(encoded(problem, problem.inputs.unknowns), problem);
}

AuditableQuery auditable_probability(const VerificationProblem& problem) {
  AuditableQuery result;
  if (encoders::needs_brackets(problem.network)) return result;
  result.parts =
      encoders::encode_auditable(problem.network, problem.inputs.fixed, problem.inputs.unknowns);
  keep_in_box(problem, result.parts.statement);
  result.task = with_queries(result.parts.statement, problem);
  return result;
}

Task relaxed_task(const VerificationProblem& problem) {
  Encoding encoding = encoded(problem, problem.inputs.uniform);
  const Property loose = simplified(relaxed(problem.property), problem.inputs.box);
  Query query;
  query.kind = Query::Kind::wmi;
  query.event =
      to_event(loose, encoding.problem.terms, values_of(encoding, problem.property)).possible;
  Task task;
  task.queries.push_back(std::move(query));
  task.problem = std::move(encoding.problem);
  task.problem.weights.clear();
  return task;
}

bool has_masks(const Network& network) {
  return std::ranges::any_of(network.layers, [](const encoders::NamedLayer& layer) {
    const auto* const dropout = std::get_if<encoders::Dropout>(&layer.layer);
    return dropout != nullptr && dropout->masks && dropout->drop > 0;
  });
}

bool has_shape(const VerificationProblem& problem) {
  return !trivially_true(simplified(input_region(problem.property), problem.inputs.support));
}

}  // namespace wmi::frontends
