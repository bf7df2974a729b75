#include "bnn/predictive/formulas.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "bnn/collapse/forward.h"
#include "bnn/predictive/certified_law.h"
#include "solver/solve.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

using encoders::Tensor;

/// The layers from this one on, fed by the input.
encoders::Network rest_of(const encoders::Network& network, const std::string& layer,
                          std::size_t inputs) {
  encoders::Network result{{inputs}, {}, network.output, {}};
  std::set<std::string> known;
  for (const encoders::NamedLayer& each : network.layers) {
    if (each.name != layer && known.empty()) continue;
    encoders::NamedLayer copy = each;
    if (each.name == layer) {
      copy.from = {"input"};
    } else {
      for (const std::string& from : each.from)
        if (!known.contains(from))
          throw Error("'" + each.name + "' sees '" + from + "' beside '" + layer +
                      "'; such a network cannot be cut there");
    }
    known.insert(each.name);
    result.layers.push_back(std::move(copy));
  }
  return result;
}

Law law_of(const Marginal& marginal) {
  const Rational from(marginal.from), to(marginal.to);
  if (from == to) return Law::point(from);
  if (marginal.order == 1) return Law::uniform(from, to);
  if (marginal.order == 2) return Law::triangular((from + to) / 2, (to - from) / 2);
  throw Error("a posterior of this kind has no formula");
}

}  // namespace

encoders::Encoding encode_sample(const encoders::Network& network, const Weights& weights,
                                 const CollapsedSample& sample, std::span<const Rational> entering,
                                 std::span<const Rational> outputs, const Rational& radius) {
  const encoders::TriangularOutcome outcome{radius};
  if (sample.layers == UnknownLayers::none) {  // the output is a number
    encoders::Network point{{1}, {{"f", encoders::Linear{}, {"input"}}}, {"f"}, {}};
    point.parameters.emplace("f.weight", Tensor<Rational>{{1, 1}, {1}});
    return encode(point, {{1}, {outputs[0]}}, {}, outcome);
  }
  if (sample.layers == UnknownLayers::all)
    throw Error(
        "partition 'all' has products of unknowns, which formulas are not; collapse 'last:K' "
        "or 'second:K'");
  const CollapsedSample::Row& row = sample.rows[0];
  const std::vector<Rational> numbers(entering.begin(), entering.end());
  std::vector<encoders::Unknown> unknowns;
  if (!row.joint.mean.empty()) {
    if (row.basis.values.empty())
      throw Error(
          "posterior 'conditional' is a Gaussian, not a formula; conditional-box is its box");
    // W = mean + sum of u_k v_k: a layer that turns the features, and one with the unknowns.
    const OutputLaw<Rational> output_law = output_laws(sample, entering, outputs)[0];
    const std::size_t count = output_law.terms.size();
    encoders::Network turned{
        {entering.size()},
        {{"turned", encoders::Linear{}, {"input"}}, {"f", encoders::Linear{}, {"turned"}}},
        {"f"},
        {}};
    auto matrix = Tensor<Rational>::filled({count + 1, entering.size()}, 0);
    auto shift = Tensor<Rational>::filled({count + 1}, 0);
    const auto entry = [&](std::size_t to, std::size_t input) -> Rational& {
      return input == entering.size() ? shift.entries[to]
                                      : matrix.entries[to * entering.size() + input];
    };
    for (std::size_t j = 0; j < row.weights.size(); ++j) entry(count, j) = Rational(row.weights[j]);
    entry(count, entering.size()) = Rational(row.bias);
    for (std::size_t i = 0; i < count; ++i) {
      entry(count, row.candidates[i].input) = Rational(row.joint.mean[i]);
      for (std::size_t k = 0; k < count; ++k)
        entry(k, row.candidates[i].input) = Rational(row.basis.vectors.at(k, i));
    }
    auto last = Tensor<Rational>::filled({1, count + 1}, 0);
    last.entries[count] = 1;
    for (std::size_t k = 0; k < count; ++k)
      if (output_law.terms[k].coefficient != 0 &&
          output_law.terms[k].from != output_law.terms[k].to)
        unknowns.push_back({"f.weight[0," + std::to_string(k) + "]",
                            {Law::uniform(output_law.terms[k].from, output_law.terms[k].to), ""}});
    turned.parameters = {{"turned.weight", matrix}, {"turned.bias", shift}, {"f.weight", last}};
    return encode(turned, {turned.input, numbers}, unknowns, outcome);
  }
  encoders::Network rest = rest_of(network, sample.layer, entering.size());
  const encoders::Network known = with_weights(network, weights);
  for (const encoders::NamedLayer& layer : rest.layers)
    for (const auto& [name, tensor] : known.parameters)
      if (name.starts_with(layer.name + ".")) rest.parameters.emplace(name, tensor);
  std::vector<double> rounded;
  rounded.reserve(numbers.size());
  for (const Rational& number : numbers) rounded.push_back(number.get_d());
  for (const Chosen& each : chosen(sample, rounded)) {
    const Candidate& candidate = row.candidates[each.candidate];
    const bool seen = candidate.input == numbers.size() || numbers[candidate.input] != 0;
    const Law law = law_of(candidate.marginal);
    unknowns.push_back({candidate.name, {seen ? law : Law::point(law.mean()), ""}});
  }
  return encode(rest, {rest.input, numbers}, unknowns, outcome);
}

Task sample_task(encoders::Encoding encoding, const Standardisation& standardisation,
                 const std::optional<Rational>& y) {
  Task task;
  const Polynomial outcome =
      Polynomial(Rational(standardisation.target_mean)) +
      Polynomial(Rational(standardisation.target_scale)) * Polynomial::variable(*encoding.outcome);
  const auto ask = [&](Query::Kind kind) {
    Query query{};
    query.kind = kind;
    query.event = truth;
    query.given = truth;
    query.term = outcome;
    if (kind == Query::Kind::density) query.at = *y;
    query.text = kind == Query::Kind::density ? "density of the outcome" : "mean of the outcome";
    task.queries.push_back(std::move(query));
  };
  ask(Query::Kind::expectation);
  if (y) ask(Query::Kind::density);
  task.problem = std::move(encoding.problem);
  task.names = std::move(encoding.names);
  task.assumptions = std::move(encoding.assumptions);
  return task;
}

FormulaAnswer solve_sample(const Task& task, const Enumerator& enumerator,
                           const Integrator& integrator, unsigned threads) {
  const Solution solution = solve(task, enumerator, integrator, {.threads = threads});
  for (const Answer& answer : solution.answers)
    if (!answer.value)
      throw Error("the formula has no answer: " +
                  (answer.refused.empty() ? answer.undefined : answer.refused));
  FormulaAnswer result{*solution.answers[0].value, {}, solution.answers[0].cells};
  if (solution.answers.size() > 1) result.density = solution.answers[1].value;
  return result;
}

Law outcome_law(const OutputLaw<Rational>& output_law, const Rational& radius,
                const Standardisation& standardisation) {
  return convolution(law_of(output_law), Law::triangular(0, radius))
      .image(Rational(standardisation.target_scale), Rational(standardisation.target_mean));
}

}  // namespace wmi::bnn
