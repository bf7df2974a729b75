// ciber explain: where the uncertainty of one prediction comes from.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "frontends/cli/usage_error.h"
#include "frontends/common/json_writer.h"
#include "frontends/common/line.h"
#include "frontends/data/schema.h"
#include "frontends/data/table.h"
#include "frontends/learning/commands.h"
#include "frontends/learning/explanation.h"
#include "frontends/learning/feature_effects.h"
#include "frontends/learning/prediction_rows.h"
#include "frontends/learning/prediction_settings.h"
#include "frontends/learning/predictor.h"

namespace wmi::frontends {
namespace {

constexpr Setting explain_settings[] = {
    {"data", "FILE", "", "a table with the row (default: the rows that were trained on)"},
    {"row", "N", "0", "which of its rows, from 0 on"},
    {"input", "VALUES", "", "the input itself instead, in the order of its columns: 3.5,red"},
    {"weights", "N", "10", "so many of the inputs and of the collapsed weights, largest first",
     kind::Count{0, 100'000}},
    {"importance", "", "",
     "instead: how much worse all rows are predicted when an input is shuffled among them"},
    {"seed", "N", "1", "decides how they are shuffled", kind::Count{0}},
    {"json", "", "", "as one JSON object"},
};

constexpr std::string_view examples =
    "  ciber explain houses.run --data houses.csv --row 7\n"
    "  ciber explain houses.run --input 0.02,0,7.1 --partition second:3\n"
    "  ciber explain houses.run --data later.csv --importance\n";

std::string assumptions_line(const Predictor& predictor) {
  return fmt::format("exact with respect to: {}\n", fmt::join(predictor.assumptions, "; "));
}

/// The largest of these numbers, with their names, in descending order.
std::vector<std::pair<std::string, double>> largest(const std::map<std::string, double>& all,
                                                    std::size_t most) {
  std::vector<std::pair<std::string, double>> result(all.begin(), all.end());
  std::ranges::stable_sort(result,
                           [](const auto& a, const auto& b) { return a.second > b.second; });
  if (result.size() > most) result.resize(most);
  return result;
}

JsonArray effects_json(const std::vector<FeatureEffect>& effects, bool regression) {
  JsonArray result;
  for (const FeatureEffect& effect : effects) {
    JsonObject object;
    object.add("name", effect.name);
    if (regression)
      object.add("mean", effect.mean).add("deviation", effect.deviation);
    else
      object.add("probability", effect.probability);
    result.add(object);
  }
  return result;
}

std::string json(const PredictionExplanation& found, const std::vector<FeatureEffect>& effects,
                 std::size_t most, const std::vector<std::string>& assumptions) {
  JsonArray weights, switched;
  for (const auto& [name, effect] : largest(found.effects, most))
    weights.add(JsonObject().add("name", name).add("variance", effect));
  for (const auto& [units, probability] : largest(found.patterns, 100))
    switched.add(JsonObject().add("units", units).add("probability", probability));
  JsonObject object;
  object.add("mean", found.mean)
      .add("deviation", found.deviation)
      .add("variance", JsonObject()
                           .add("noise", found.variance.noise)
                           .add("within", found.variance.within)
                           .add("between", found.variance.between))
      .add("inputs", effects_json(effects, true))
      .add("weights", weights)
      .add("patterns", switched)
      .add("exactWithRespectTo", JsonArray::of(assumptions));
  return object.text() + "\n";
}

/// `hidden`: the weights are those of hidden units.
std::string text_lines(const PredictionExplanation& found,
                       const std::vector<FeatureEffect>& effects, std::size_t most, bool hidden) {
  const auto& [noise, within, between] = found.variance;
  const double total = noise + within + between;
  std::string text =
      fmt::format("mean {:.6g}, standard deviation {:.6g}; its variance comes from\n", found.mean,
                  found.deviation);
  const auto line = [&](std::string_view name, double part) {
    text += fmt::format("  {:<34} {:>12.6g}  {:5.1f} %\n", name, part, 100 * part / total);
  };
  line("the noise of the outcome", noise);
  line("unknown weights within samples", within);
  line("differences between samples", between);
  text +=
      "inputs by how far they move the mean, and the deviation, from where these would be with\n"
      "the input at its average:\n";
  for (std::size_t i = 0; i < std::min(effects.size(), most); ++i)
    text += fmt::format("  {:<34} {:>+12.6g}  {:>+12.6g}\n", one_line(effects[i].name),
                        effects[i].mean, effects[i].deviation);
  if (!found.effects.empty()) {
    text +=
        hidden
            ? "collapsed weights by their effect while their unit is on:\n"
            : "collapsed weights by their part of it (negative where they make up for others):\n";
    for (const auto& [name, effect] : largest(found.effects, most))
      text += fmt::format("  {:<34} {:>12.6g}\n", name, effect);
  }
  if (!found.patterns.empty()) {
    text += "units that the unknown weights may turn on (+) or off (-):\n";
    for (const auto& [units, probability] : largest(found.patterns, 12))
      text += fmt::format("  {:<34} {:>12.6g}\n", units, probability);
  }
  return text;
}

std::string explained_number(const Predictor& predictor, const Rows& row,
                             const Settings& settings) {
  const std::size_t most = settings.count("weights");
  const PredictionExplanation found = explain(predictor, row);
  const std::vector<FeatureEffect> effects = feature_effects(predictor, row.inputs.row(0));
  const bool hidden = predictor.collapsed[0].layers == bnn::UnknownLayers::second;
  return settings.flag("json")
             ? json(found, effects, most, predictor.assumptions)
             : text_lines(found, effects, most, hidden) + assumptions_line(predictor);
}

std::string explained_class(const Predictor& predictor, const Rows& row, const Settings& settings) {
  const ClassExplanation found = explain_class(predictor, row);
  const std::vector<FeatureEffect> effects = feature_effects(predictor, row.inputs.row(0));
  const std::string& name = predictor.run.schema.classes.at(found.likeliest);
  const double between = found.entropy - found.within;
  if (settings.flag("json"))
    return JsonObject()
               .add("class", name)
               .add("probability", found.probability)
               .add("entropy", JsonObject().add("within", found.within).add("between", between))
               .add("inputs", effects_json(effects, false))
               .add("exactWithRespectTo", JsonArray::of(predictor.assumptions))
               .text() +
           "\n";
  std::string text =
      fmt::format("class {}, probability {:.6g}; the entropy {:.6g} nats comes from\n",
                  one_line(name), found.probability, found.entropy);
  const auto line = [&](std::string_view what, double part) {
    text += fmt::format("  {:<34} {:>12.6g}  {:5.1f} %\n", what, part,
                        found.entropy > 0 ? 100 * part / found.entropy : 0);
  };
  line("classes that samples cannot tell", found.within);
  line("differences between samples", between);
  text +=
      "inputs by how far they move this probability from where it would be with the input at its\n"
      "average:\n";
  for (std::size_t i = 0; i < std::min(effects.size(), settings.count("weights")); ++i)
    text += fmt::format("  {:<34} {:>+12.6g}\n", one_line(effects[i].name), effects[i].probability);
  return text + assumptions_line(predictor);
}

/// The importance of all inputs for the rows of --data, or for the training rows.
std::string importance_lines(const Predictor& predictor, const bnn::Dataset& rows,
                             const Settings& settings) {
  std::string text;
  if (!settings.flag("json"))
    text = fmt::format(
        "inputs by how much the log likelihood of {} rows{} falls when they are shuffled, with "
        "its\n"
        "standard error:\n",
        rows.rows(), settings.has("data") ? "" : " seen in training");
  for (const FeatureImportance& each : feature_importance(predictor, rows, settings.count("seed")))
    text += settings.flag("json")
                ? JsonObject()
                          .add("name", each.name)
                          .add("importance", each.loss.mean)
                          .add("standardError", each.loss.standard_error)
                          .text() +
                      "\n"
                : fmt::format("  {:<34} {:>12.6g} +- {:.2g}\n", one_line(each.name), each.loss.mean,
                              each.loss.standard_error);
  return text;
}

int print_importance(const Predictor& predictor, const Settings& settings, Terminal& terminal) {
  if (!settings.has("data")) {
    if (!predictor.training)
      throw UsageError("--importance: name rows with the target: --data FILE.csv");
    terminal.print(importance_lines(predictor, *predictor.training, settings));
    return 0;
  }
  const Table table = read_table(settings.text("data"), BrokenRows::kept);
  column_index(table, predictor.run.schema.target, ", which is the target");
  const ScoredRows rows = read_scored_rows(predictor.run, table);
  terminal.print(importance_lines(predictor, rows.standard, settings));
  for (const std::string& line : rows.said) terminal.say(line);
  return rows.broken ? 1 : 0;
}

int run_explain(const Settings& settings, Terminal& terminal) {
  if (settings.words().size() != 1) throw UsageError("name a run directory: ciber explain RUN");
  if (settings.flag("importance") && (settings.has("input") || settings.given("row")))
    throw UsageError("--importance: is about all rows; leave out --row and --input");
  const Predictor predictor = read_predictor(settings.words()[0], settings);
  if (settings.flag("importance")) {
    return print_importance(predictor, settings, terminal);
  }
  const Rows row = read_named_row(predictor, settings);
  terminal.print(predictor.run.observation.regression()
                     ? explained_number(predictor, row, settings)
                     : explained_class(predictor, row, settings));
  return 0;
}

}  // namespace

Command explain_command() {
  return {
      "explain",
      "RUN [--data FILE.csv] --row N | --input VALUES [options]",
      "Splits the variance of one prediction into the noise of the outcome, the collapsed\n"
      "weights within samples and the differences between samples; lists the inputs that move\n"
      "it, the weights, and for second:K the patterns of units that they turn on and off. Of a\n"
      "class, splits the entropy. With --importance, the inputs that matter for all rows.",
      with_prediction_settings(explain_settings),
      examples,
      run_explain};
}

}  // namespace wmi::frontends
