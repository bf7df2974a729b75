#include "frontends/learning/prediction_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <thread>

#include "frontends/common/line.h"
#include "frontends/data/table.h"
#include "frontends/wmi/options.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

constexpr Setting predicting[] = {
    {"partition", "WEIGHTS", "last",
     "the weights to collapse: none, last, last:K, second:K, all (of one hidden layer and the "
     "output), or names: 'fc2.weight[0,3] fc2.bias[0]'"},
    {"choose", "NAME", "variance", "the K weights: by variance over the samples, or by effect"},
    {"posterior", "NAME", "auto",
     "of the collapsed weights: conditional, conditional-box, minmax, moment, triangular; auto: "
     "the first for the last layer, else moment"},
    {"lambda", "X", "0.3", "precision of the prior of a conditional posterior"},
    {"temperature", "X", "1", "scales the covariance of a conditional posterior"},
    {"width", "X", "1", "scales the boxes of the other posteriors"},
    {"likelihood", "NAME", "gaussian",
     "of the outcome: gaussian, triangular, or smoothed: triangular with a uniform law mixed in"},
    {"alpha", "X", "2.297", "radius of a triangular law, in standard deviations"},
    {"epsilon", "X", "0.001", "of the smoothed law, in standardised units"},
    {"floor", "X", "", "densities count as at least this (default: no floor)"},
    {"samples", "N", "", "only the first N samples of the run"},
    {"variant", "NAME", "",
     "authors: as first published, alpha 2.45 and two weights of largest effect with the bias, of "
     "the last layer or (--partition second) of one hidden unit"},
    {"threads", "N", "", "at once; the answers do not depend on it (default: all cores)"},
};

std::size_t find_column(const Table& table, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(table.columns, name) - table.columns.begin());
}

Rows to_rows(const Run& run, const Table& table) {
  const bool known = find_column(table, run.schema.target) < table.columns.size();
  const bnn::Dataset data = to_dataset(table, run.schema, known);
  Rows result{bnn::standardised(data.inputs, run.standardisation), {}};
  // A network computes in floats of 32 bits; beyond this it would overflow.
  constexpr double most = 1e15;
  for (std::size_t i = 0; i < result.inputs.rows(); ++i)
    for (std::size_t j = 0; j < result.inputs.columns; ++j)
      if (!(std::abs(result.inputs.at(i, j)) <= most))
        throw Error(fmt::format(
            "{}:{}: column '{}': more than 1e15 standard deviations away from "
            "the training rows",
            one_line(table.name), table.lines[i], one_line(input_names(run.schema)[j])));
  if (known) result.outcomes = data.targets;
  return result;
}

/// The rows that were trained on, their outcomes as a table would write them.
Rows training_rows(const Run& run, const bnn::Dataset& training) {
  Rows result{training.inputs, training.targets};
  if (run.observation.regression())
    for (double& outcome : result.outcomes)
      outcome = std::stod(fmt::format(
          "{:.15g}", run.standardisation.target_mean + run.standardisation.target_scale * outcome));
  return result;
}

}  // namespace

std::vector<Setting> prediction_settings() {
  return {std::begin(predicting), std::end(predicting)};
}

std::span<const Setting> with_prediction_settings(std::span<const Setting> own) {
  static std::deque<std::vector<Setting>> tables;
  std::vector<Setting>& table = tables.emplace_back(own.begin(), own.end());
  table.insert(table.end(), std::begin(predicting), std::end(predicting));
  return table;
}

bnn::CollapseOptions read_collapse(const Settings& settings) {
  bnn::CollapseOptions result;
  result.partition = settings.text("partition");
  result.choose =
      settings.choice("choose", std::to_array<std::string_view>({"variance", "effect"}));
  std::vector<std::string_view> posteriors{"auto"};
  for (const bnn::PosteriorEntry& entry : bnn::posteriors()) posteriors.push_back(entry.name);
  const std::string posterior = settings.choice("posterior", posteriors);
  if (posterior != "auto") result.posterior = posterior;
  result.options.lambda = settings.number("lambda", 0, 1e12);
  result.options.temperature = settings.number("temperature", 0, 1e6);
  result.options.width = settings.number("width", 0, 1e6);
  if (settings.has("variant")) {
    settings.choice("variant", std::to_array<std::string_view>({"authors"}));
    if (!settings.given("partition") || result.partition == "last")
      result.partition = "last:2+bias";
    else if (result.partition == "second")
      result.partition = "second:2+bias";
    if (!settings.given("choose")) result.choose = "effect";
    if (!settings.given("posterior")) result.posterior = "minmax";
  }
  return result;
}

bnn::PredictiveOptions read_predictive(const Settings& settings, const bnn::Dataset* training) {
  bnn::PredictiveOptions result;
  const std::string name = settings.choice(
      "likelihood", std::to_array<std::string_view>({"gaussian", "triangular", "smoothed"}));
  const bool authors = settings.has("variant");
  if (name != "gaussian") result.noise.kind = bnn::OutcomeNoise::Kind::triangular;
  result.noise.alpha =
      authors && !settings.given("alpha") ? 2.45 : settings.number("alpha", 1e-6, 1e6);
  if (name == "smoothed") {
    if (!training || training->targets.empty())
      throw Error(
          "--likelihood smoothed needs the range of the training rows, which the run does "
          "not have; take triangular or gaussian");
    result.epsilon = settings.number("epsilon", 1e-300, 1e6);
    const auto [least, most] = std::ranges::minmax(training->targets);
    result.range_from = least;
    result.range_to = most;
  }
  if (settings.has("floor")) result.floor = settings.number("floor", 0, 1e300);
  result.threads = settings.has("threads")
                       ? static_cast<unsigned>(settings.count("threads", 1, 1024))
                       : std::max(1u, std::thread::hardware_concurrency());
  return result;
}

Predictor read_predictor(const std::string& path, const Settings& settings) {
  Predictor result;
  result.run = read_run(path);
  const std::size_t there = result.run.samples.size();
  if (there == 0) throw Error(fmt::format("{}: has no samples yet", one_line(path)));
  const std::size_t count = settings.has("samples") ? settings.count("samples", 1, there) : there;
  std::vector<std::size_t> trajectories;
  for (std::size_t i = 0; i < count; ++i) {
    result.samples.push_back(read_sample(result.run, i));
    check_alike(result.run, i, result.samples.front(), result.samples.back());
    trajectories.push_back(result.run.samples[i].trajectory);
  }
  result.training = read_training_rows(result.run);
  result.collapsing = read_collapse(settings);
  const bnn::Dataset* const training = result.training ? &*result.training : nullptr;
  result.options = read_predictive(settings, training);
  if (result.options.floor > 0 && !result.run.observation.regression())
    throw UsageError("--floor: is about densities, and the target has classes");
  result.collapsed = bnn::collapse(result.run.network, result.run.observation, result.samples,
                                   trajectories, training, result.collapsing);
  result.assumptions = bnn::ledger(result.collapsing, result.run.network, false);
  if (result.run.observation.regression())
    result.assumptions.push_back(
        result.options.noise.kind == bnn::OutcomeNoise::Kind::gaussian
            ? "likelihood: gaussian"
            : fmt::format(
                  "likelihood: triangular of {} standard deviations{}", result.options.noise.alpha,
                  result.options.epsilon > 0 ? fmt::format(", its density smoothed with epsilon {}",
                                                           result.options.epsilon)
                                             : ""));
  if (result.options.floor > 0)
    result.assumptions.push_back(fmt::format("densities: at least {}", result.options.floor));
  return result;
}

Rows read_rows(const Run& run, const std::string& path) { return to_rows(run, read_table(path)); }

Rows read_words(const Run& run, const std::string& words) {
  Table table;
  table.name = "--input";
  for (const Feature& feature : run.schema.features) table.columns.push_back(feature.name);
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t comma = std::min(words.find(',', at), words.size());
    table.cells.push_back(words.substr(at, comma - at));
    at = comma + 1;
  }
  if (table.cells.size() != table.columns.size())
    throw UsageError(fmt::format("--input: {} values for {} inputs: {}", table.cells.size(),
                                 table.columns.size(), fmt::join(table.columns, ", ")));
  table.lines = {1};
  Rows result = to_rows(run, table);
  return result;
}

Rows read_row(const Predictor& predictor, const Settings& settings) {
  const Run& run = predictor.run;
  if (settings.has("input")) return read_words(run, settings.text("input"));
  if (!settings.has("data") && (!predictor.training || !settings.given("row")))
    throw UsageError(fmt::format("name the input: --input 1,2,..., or --data FILE.csv --row N{}",
                                 predictor.training ? ", or --row N of the training rows" : ""));
  const Rows all = settings.has("data") ? read_rows(run, settings.text("data"))
                                        : training_rows(run, *predictor.training);
  const std::size_t rows = all.inputs.rows();
  if (rows == 0)
    throw Error(fmt::format("{}: has no rows",
                            one_line(settings.has("data") ? settings.text("data") : run.path)));
  const std::size_t row = settings.has("row") ? settings.count("row", 0, rows - 1) : 0;
  Rows result{bnn::Matrix(1, all.inputs.columns), {}};
  std::ranges::copy(all.inputs.row(row), result.inputs.row(0).begin());
  if (!all.outcomes.empty()) result.outcomes = {all.outcomes[row]};
  return result;
}

}  // namespace wmi::frontends
