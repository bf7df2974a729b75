// ciber explain: where the uncertainty of one prediction comes from.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bnn/predictive/fast_law.h"
#include "bnn/predictive/predictive.h"
#include "bnn/torch/forward.h"
#include "frontends/common/json_writer.h"
#include "frontends/learning/commands.h"
#include "frontends/learning/prediction_rows.h"
#include "frontends/learning/prediction_settings.h"
#include "frontends/learning/predictor.h"
#include "frontends/wmi/options.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

constexpr Setting explain_settings[] = {
    {"data", "FILE", "", "a table with the row (default: the rows that were trained on)"},
    {"row", "N", "0", "which of its rows, from 0 on"},
    {"input", "VALUES", "", "the input itself instead, in the order of its columns: 3.5,red"},
    {"weights", "N", "10", "so many of the collapsed weights, by their part of the variance"},
    {"json", "", "", "as one JSON object"},
};

constexpr std::string_view examples =
    "  ciber explain houses.run --data houses.csv --row 7\n"
    "  ciber explain houses.run --input 0.02,0,7.1 --partition second:3\n";

/// What a collapsed weight adds to the variance of the output, on average over the samples.
using Effects = std::map<std::string, double>;

/// The variance of a B-spline law of width w and order m: w^2 / (12 m).
double variance_of(const bnn::Marginal& marginal) {
  const double width = marginal.to - marginal.from;
  return width * width / (12 * static_cast<double>(marginal.order));
}

void add_effects(const bnn::CollapsedSample& sample, std::span<const double> entering, double share,
                 Effects& effects) {
  const bnn::CollapsedSample::Row& row = sample.rows[0];
  const auto multiplier = [&](const bnn::Candidate& candidate) {
    return candidate.input == entering.size() ? 1.0 : entering[candidate.input];
  };
  if (!row.joint.mean.empty()) {  // z_i (Sigma z)_i, which add up to z' Sigma z
    for (std::size_t i = 0; i < row.candidates.size(); ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < row.candidates.size(); ++j)
        sum += row.joint.covariance.at(i, j) * multiplier(row.candidates[j]);
      effects[row.candidates[i].name] += share * sum * multiplier(row.candidates[i]);
    }
    return;
  }
  for (const bnn::Chosen& each : bnn::chosen(sample, entering)) {
    const bnn::Candidate& candidate = row.candidates[each.candidate];
    double factor = multiplier(candidate);
    if (sample.kind == bnn::CollapsedSample::Kind::second) factor *= row.weights[candidate.unit];
    effects[candidate.name] += share * factor * factor * variance_of(candidate.marginal);
  }
}

/// How probable each pattern of units that are on is: the units are independent.
struct Pattern {
  std::string units;  // those that may be on or off: `fc1[3]+ fc1[7]-`
  double probability = 0;
};

void add_patterns(const bnn::CollapsedSample& sample, std::span<const double> entering,
                  double share, std::map<std::string, double>& patterns) {
  // The unit's own law, before the activation: P(A > 0).
  std::map<std::size_t, bnn::OutputLaw<double>> units;
  const bnn::CollapsedSample::Row& row = sample.rows[0];
  std::map<std::size_t, std::vector<bool>> unknown;
  for (const bnn::Chosen& each : bnn::chosen(sample, entering)) {
    const bnn::Candidate& candidate = row.candidates[each.candidate];
    auto& skip = unknown[candidate.unit];
    skip.resize(entering.size() + 1);
    skip[candidate.input] = true;
    const double factor = candidate.input == entering.size() ? 1.0 : entering[candidate.input];
    units[candidate.unit].terms.push_back(
        {factor, candidate.marginal.from, candidate.marginal.to, candidate.marginal.order});
  }
  std::vector<Pattern> found{{"", share}};
  for (auto& [unit, component] : units) {
    const std::vector<bool>& skip = unknown[unit];
    component.constant = skip[entering.size()] ? 0 : sample.hidden_bias[unit];
    for (std::size_t j = 0; j < entering.size(); ++j)
      if (!skip[j]) component.constant += sample.hidden_weights.at(unit, j) * entering[j];
    const double on = 1 - bnn::FastLaw(component, {}).cdf(0);
    std::vector<Pattern> next;
    for (const Pattern& pattern : found)
      for (const bool is_on : {true, false}) {
        const double probability = pattern.probability * (is_on ? on : 1 - on);
        if (probability > 0)
          next.push_back(
              {fmt::format("{}{}{}[{}]{}", pattern.units, pattern.units.empty() ? "" : " ",
                           sample.layer, unit, is_on ? "+" : "-"),
               probability});
      }
    found = std::move(next);
  }
  for (const Pattern& pattern : found) patterns[pattern.units] += pattern.probability;
}

std::vector<std::pair<std::string, double>> sorted(const std::map<std::string, double>& all,
                                                   std::size_t most) {
  std::vector<std::pair<std::string, double>> result(all.begin(), all.end());
  std::ranges::stable_sort(result,
                           [](const auto& a, const auto& b) { return a.second > b.second; });
  if (result.size() > most) result.resize(most);
  return result;
}

int run_explain(const Settings& settings, Terminal& terminal) {
  if (settings.words().size() != 1) throw UsageError("name a run directory: ciber explain RUN");
  const Predictor predictor = read_predictor(settings.words()[0], settings);
  if (!predictor.run.observation.regression())
    throw Error(
        "explain splits the variance of a number; of classes, ciber predict gives the "
        "probabilities");
  const Rows row = read_named_row(predictor, settings);
  const std::size_t most = settings.count("weights", 0, 100'000);
  const std::vector<bnn::Activations> found =
      bnn::activations(predictor.run.network, bnn::torch_forward, predictor.samples,
                       predictor.collapsed, row.inputs);
  std::vector<bnn::OutputLaw<double>> mixture;
  for (const auto& sample : bnn::components_at(predictor.collapsed, found, 0))
    mixture.push_back(sample[0]);
  const bnn::Predictive law(mixture, predictor.options, predictor.run.standardisation);
  const bnn::Predictive::Variance parts = law.variance();
  const double total = parts.noise + parts.within + parts.between;

  const double scale = predictor.run.standardisation.target_scale;
  const double share = scale * scale / static_cast<double>(predictor.samples.size());
  Effects effects;
  std::map<std::string, double> patterns;
  for (std::size_t i = 0; i < predictor.samples.size(); ++i) {
    const bnn::CollapsedSample& sample = predictor.collapsed[i];
    if (sample.kind == bnn::CollapsedSample::Kind::none) continue;
    if (sample.kind == bnn::CollapsedSample::Kind::all)
      throw Error("effects are those of the weights of one layer; --partition last or second:K");
    add_effects(sample, found[i].entering.row(0), share, effects);
    if (sample.kind == bnn::CollapsedSample::Kind::second)
      add_patterns(sample, found[i].entering.row(0),
                   1 / static_cast<double>(predictor.samples.size()), patterns);
  }
  const bool second = predictor.collapsed[0].kind == bnn::CollapsedSample::Kind::second;
  if (settings.flag("json")) {
    JsonArray weights, switched;
    for (const auto& [name, effect] : sorted(effects, most))
      weights.add(JsonObject().add("name", name).add("variance", effect));
    for (const auto& [units, probability] : sorted(patterns, 100))
      switched.add(JsonObject().add("units", units).add("probability", probability));
    JsonObject object;
    object.add("mean", law.mean())
        .add("deviation", law.deviation())
        .add("variance", JsonObject()
                             .add("noise", parts.noise)
                             .add("within", parts.within)
                             .add("between", parts.between))
        .add("weights", weights)
        .add("patterns", switched)
        .add("exactWithRespectTo", JsonArray::of(predictor.assumptions));
    terminal.print(object.text() + "\n");
    return 0;
  }
  std::string text =
      fmt::format("mean {:.6g}, standard deviation {:.6g}; its variance comes from\n", law.mean(),
                  law.deviation());
  const auto line = [&](std::string_view name, double part) {
    text += fmt::format("  {:<34} {:>12.6g}  {:5.1f} %\n", name, part, 100 * part / total);
  };
  line("the noise of the outcome", parts.noise);
  line("unknown weights within samples", parts.within);
  line("differences between samples", parts.between);
  if (!effects.empty()) {
    text +=
        second
            ? "collapsed weights by their effect while their unit is on:\n"
            : "collapsed weights by their part of it (negative where they make up for others):\n";
    for (const auto& [name, effect] : sorted(effects, most))
      text += fmt::format("  {:<34} {:>12.6g}\n", name, effect);
  }
  if (!patterns.empty()) {
    text += "units that the unknown weights may turn on (+) or off (-):\n";
    for (const auto& [units, probability] : sorted(patterns, 12))
      text += fmt::format("  {:<34} {:>12.6g}\n", units, probability);
  }
  text += fmt::format("exact with respect to: {}\n", fmt::join(predictor.assumptions, "; "));
  terminal.print(text);
  return 0;
}

}  // namespace

Command explain_command() {
  return {"explain",
          "RUN [--data FILE.csv] --row N | --input VALUES [options]",
          "Splits the variance of one prediction into the noise of the outcome, the collapsed\n"
          "weights within samples and the differences between samples; lists these weights, and\n"
          "for second:K the patterns of units that they turn on and off.",
          with_prediction_settings(explain_settings),
          examples,
          run_explain};
}

}  // namespace wmi::frontends
