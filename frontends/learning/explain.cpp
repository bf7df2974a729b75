// ciber explain: where the uncertainty of one prediction comes from.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "frontends/cli/usage_error.h"
#include "frontends/common/json_writer.h"
#include "frontends/learning/commands.h"
#include "frontends/learning/explanation.h"
#include "frontends/learning/prediction_rows.h"
#include "frontends/learning/prediction_settings.h"
#include "frontends/learning/predictor.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

constexpr Setting explain_settings[] = {
    {"data", "FILE", "", "a table with the row (default: the rows that were trained on)"},
    {"row", "N", "0", "which of its rows, from 0 on"},
    {"input", "VALUES", "", "the input itself instead, in the order of its columns: 3.5,red"},
    {"weights", "N", "10", "so many of the collapsed weights, by their part of the variance",
     kind::Count{0, 100'000}},
    {"json", "", "", "as one JSON object"},
};

constexpr std::string_view examples =
    "  ciber explain houses.run --data houses.csv --row 7\n"
    "  ciber explain houses.run --input 0.02,0,7.1 --partition second:3\n";

/// The largest of these numbers, with their names, in descending order.
std::vector<std::pair<std::string, double>> largest(const std::map<std::string, double>& all,
                                                    std::size_t most) {
  std::vector<std::pair<std::string, double>> result(all.begin(), all.end());
  std::ranges::stable_sort(result,
                           [](const auto& a, const auto& b) { return a.second > b.second; });
  if (result.size() > most) result.resize(most);
  return result;
}

std::string json(const PredictionExplanation& found, std::size_t most,
                 const std::vector<std::string>& assumptions) {
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
      .add("weights", weights)
      .add("patterns", switched)
      .add("exactWithRespectTo", JsonArray::of(assumptions));
  return object.text() + "\n";
}

/// `hidden`: the weights are those of hidden units.
std::string text_lines(const PredictionExplanation& found, std::size_t most, bool hidden,
                       const std::vector<std::string>& assumptions) {
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
  text += fmt::format("exact with respect to: {}\n", fmt::join(assumptions, "; "));
  return text;
}

int run_explain(const Settings& settings, Terminal& terminal) {
  if (settings.words().size() != 1) throw UsageError("name a run directory: ciber explain RUN");
  const Predictor predictor = read_predictor(settings.words()[0], settings);
  if (!predictor.run.observation.regression())
    throw Error(
        "explain splits the variance of a number; of classes, ciber predict gives the "
        "probabilities");
  const Rows row = read_named_row(predictor, settings);
  const std::size_t most = settings.count("weights");
  const PredictionExplanation found = explain(predictor, row);
  const bool hidden = predictor.collapsed[0].layers == bnn::UnknownLayers::second;
  terminal.print(settings.flag("json") ? json(found, most, predictor.assumptions)
                                       : text_lines(found, most, hidden, predictor.assumptions));
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
