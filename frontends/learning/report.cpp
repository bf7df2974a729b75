// ciber report: reads a run, forecasts rows with its collapsed samples, and writes the page.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>
#include <vector>

#include "bnn/predictive/predictive.h"
#include "bnn/training/model.h"
#include "bnn/training/sample_quality.h"
#include "bnn/training/train.h"
#include "frontends/cli/usage_error.h"
#include "frontends/common/line.h"
#include "frontends/common/outputs.h"
#include "frontends/common/read_file.h"
#include "frontends/data/schema.h"
#include "frontends/data/table.h"
#include "frontends/learning/commands.h"
#include "frontends/learning/conformal_intervals.h"
#include "frontends/learning/prediction_questions.h"
#include "frontends/learning/prediction_rows.h"
#include "frontends/learning/prediction_settings.h"
#include "frontends/learning/predictor.h"
#include "frontends/learning/report_page.h"
#include "frontends/learning/run_summary.h"
#include "frontends/learning/training_search.h"
#include "frontends/plots/plain_number.h"
#include "frontends/plots/svg.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

constexpr Setting own_settings[] = {
    {"data", "CSV", "",
     "rows to forecast and score, with the target's column; best held out from training (default: "
     "the training rows, where they were kept)"},
    {"out", "FILE", "report.html", "where the page goes; - is standard output",
     kind::Output{{page_beginning}}},
    {"examples", "N", "10", "rows to show one by one", kind::Count{0, 1'000}},
    {"bootstrap", "N", "1000", "replicates of the intervals of scores", kind::Count{1, 1'000'000}},
    {"seed", "N", "1", "decides which rows they draw", kind::Count{0}},
};

constexpr std::size_t most_inputs = 30;  // more columns are not shown
constexpr std::size_t band_stations = 200;
constexpr std::size_t band_rows = 1000;
constexpr std::size_t spread_rows = 500;

/// The cells of a row as its table had them: numbers, and words for categories.
std::vector<std::string> cells(const Run& run, std::span<const double> inputs) {
  std::vector<std::string> result;
  const auto value = [&](std::size_t j) {
    const double scale = run.standardisation.input_scale[j];
    const double found = bnn::own_units(inputs[j], j, run.standardisation);
    return std::abs(found) < 1e-12 * scale ? 0 : found;  // 0 up to rounding
  };
  std::size_t at = 0;
  for (const Feature& feature : run.schema.features) {
    const std::size_t count = input_count(feature), first = at;
    at += count;
    if (feature.categories.empty()) {
      const bool missing = feature.median && value(first + count - 1) > 0.5;
      result.push_back(missing        ? "missing"
                       : feature.date ? date_text(value(first))
                                      : typeset(plain_number(value(first), 5)));
      continue;
    }
    std::size_t most = 0;
    for (std::size_t k = 1; k < count; ++k)
      if (value(first + k) > value(first + most)) most = k;
    result.push_back(most < feature.categories.size() ? feature.categories[most] : "other");
  }
  return result;
}

/// At most so many rows, evenly spaced.
std::vector<std::size_t> evenly(std::size_t rows, std::size_t most) {
  std::vector<std::size_t> result;
  const std::size_t shown = std::min(rows, most);
  for (std::size_t i = 0; i < shown; ++i) result.push_back(i * rows / shown);
  return result;
}

/// The predictive band along the only input, a little beyond the rows.
BandPanel band(const Predictor& predictor, const ForecastStretcher& conformal,
               const bnn::Dataset& rows, const std::vector<double>& outcomes) {
  const bnn::Standardisation& scales = predictor.run.standardisation;
  const auto [least, most] = std::ranges::minmax(rows.inputs.entries);
  const double room = scales.input_clip > 0 ? 0 : std::max((most - least) / 8, 1e-6);
  bnn::Dataset grid{bnn::Matrix(band_stations + 1, 1), {}};
  for (std::size_t i = 0; i <= band_stations; ++i)
    grid.inputs.at(i, 0) =
        least - room +
        (most - least + 2 * room) * static_cast<double>(i) / static_cast<double>(band_stations);
  BandPanel panel;
  std::vector<bnn::Forecast> found = forecasts(predictor, grid);
  conformal.stretch(found);
  for (std::size_t i = 0; i <= band_stations; ++i) {
    panel.x.push_back(bnn::own_units(grid.inputs.at(i, 0), 0, scales));
    panel.mean.push_back(found[i].mean);
    panel.lower.push_back(found[i].quantiles[1]);
    panel.upper.push_back(found[i].quantiles[5]);
  }
  for (const std::size_t i : evenly(outcomes.size(), band_rows)) {
    panel.data_x.push_back(bnn::own_units(rows.inputs.at(i, 0), 0, scales));
    panel.data_y.push_back(outcomes[i]);
  }
  return panel;
}

/// Fills in forecasts, outcomes and examples for the rows of --data, or for the training rows.
/// Returns the exit status: 1 if rows cannot be read.
int forecast(ReportInput& input, const Predictor& predictor, const Settings& settings,
             Terminal& terminal) {
  const Run& run = predictor.run;
  const bool regression = run.observation.regression();
  bnn::Dataset rows;                // standardised
  std::vector<std::size_t> places;  // in the table; empty: all rows
  int status = 0;
  if (settings.has("data")) {
    const Table table = read_table(settings.text("data"), BrokenRows::kept);
    ScoredRows found = read_scored_rows(run, table);
    for (const std::string& line : found.said) terminal.say(line);
    status = found.broken ? 1 : 0;
    rows = std::move(found.standard);
    places = std::move(found.places);
    input.outcomes = std::move(found.own.targets);
    input.rows = fs::path(settings.text("data")).filename().string();
    input.seen_in_training = !run.data_hash.empty() && data_hash(table) == run.data_hash;
  } else if (predictor.training) {
    rows = *predictor.training;
    for (const double target : rows.targets)
      input.outcomes.push_back(regression ? bnn::own_target(target, run.standardisation) : target);
    input.rows = "the training data";
    input.seen_in_training = true;
  } else {
    return 0;
  }
  const ForecastStretcher conformal(predictor);
  input.forecasts = forecasts(predictor, rows);
  conformal.stretch(input.forecasts);
  if (regression) input.constant_guess = bnn::own_target(0, run.standardisation);
  if (!regression && predictor.training) {
    input.class_shares.assign(run.schema.classes.size(), 0);
    for (const double target : predictor.training->targets)
      input.class_shares.at(static_cast<std::size_t>(target)) +=
          1 / static_cast<double>(predictor.training->rows());
  }
  if (predictor.samples.size() > 1 && regression) {
    const std::vector<std::size_t> taken = evenly(rows.inputs.rows(), spread_rows);
    bnn::Dataset some_rows = rows;
    some_rows.targets.resize(rows.inputs.rows());
    input.spread_to_noise = bnn::relative_spread(run.network, bnn::make_model, run.observation,
                                                 predictor.samples, select(some_rows, taken));
  }
  const std::vector<std::string> names = input_names(run.schema);
  if (names.size() == 1 && regression) {
    input.band = band(predictor, conformal, rows, input.outcomes);
    input.input = names[0];
  }
  if (run.schema.features.size() <= most_inputs)
    for (const Feature& feature : run.schema.features) input.inputs.push_back(feature.name);
  for (const std::size_t i : evenly(rows.inputs.rows(), settings.count("examples"))) {
    Example example{std::to_string(places.empty() ? i : places[i]), {}, {}, input.forecasts[i]};
    if (!input.outcomes.empty()) example.outcome = input.outcomes[i];
    if (!input.inputs.empty()) example.inputs = cells(run, rows.inputs.row(i));
    input.examples.push_back(std::move(example));
  }
  return status;
}

int report(const Settings& settings, Terminal& terminal) {
  if (settings.words().size() != 1) throw UsageError("report: needs one RUN; see --help");
  const std::string path = settings.words()[0];
  const std::string& out = settings.text("out");
  std::error_code error;
  if (fs::is_directory(out, error))
    throw UsageError("--out: '" + one_line(out) + "' is a directory; name a file");
  const Predictor predictor = read_predictor(path, settings);
  ReportInput input;
  const fs::path named = fs::path(path).lexically_normal();
  input.title = (named.has_filename() ? named : named.parent_path()).filename().string();
  input.regression = predictor.run.observation.regression();
  input.target = predictor.run.schema.target;
  input.classes = predictor.run.schema.classes;
  input.facts = run_facts(predictor.run, predictor.training ? predictor.training->rows() : 0,
                          predictor.samples[0]);
  input.layers = layer_facts(predictor.run.network, predictor.samples[0]);
  input.recipe = recipe_lines(predictor.run.recipe);
  if (const fs::path file = fs::path(predictor.run.path) / choices_file; fs::exists(file))
    input.choices = read_file(file.string());
  input.sampling_rate_chosen = input.choices.find("sampling rate") != std::string::npos;
  if (const fs::path metrics = fs::path(path) / "metrics.csv"; fs::exists(metrics))
    input.losses = loss_curves(read_file(metrics.string()));
  input.samples = predictor.samples.size();
  std::vector<std::size_t> trajectories;
  for (std::size_t i = 0; i < predictor.samples.size(); ++i)
    trajectories.push_back(predictor.run.samples[i].trajectory);
  input.spreads = spread(predictor.samples, trajectories);
  std::ranges::sort(trajectories);
  input.trajectories =
      static_cast<std::size_t>(std::ranges::unique(trajectories).begin() - trajectories.begin());
  input.bootstrap = {settings.count("bootstrap"), 0.95, settings.count("seed")};
  input.method =
      predictor.collapsing.partition == "none"
          ? "The plain average of the samples."
          : fmt::format("The average over collapsed samples; unknown in each: {}; posterior: {}.",
                        predictor.collapsing.partition,
                        bnn::posterior_name(predictor.collapsing, predictor.run.network));
  const int status = forecast(input, predictor, settings, terminal);
  input.assumptions = predictor.assumptions;
  if (read_conformal_rows(predictor.run)) input.assumptions.emplace_back(conformal_assumption);
  input.assumptions.emplace_back(doubles_assumption);
  if (out == "-") {
    terminal.print(report_page(input));
  } else {
    save_result(out, report_page(input));
    terminal.say("wrote " + one_line(out));
  }
  return status;
}

}  // namespace

Command report_command() {
  return {
      "report",
      "RUN [--data CSV] [--out FILE]",
      "Writes one HTML page about a run: what was trained, scores with intervals, calibration,\n"
      "pictures and examples. It opens offline, on any screen.",
      with_prediction_settings(own_settings),
      "  ciber report runs/boston --data test.csv --out report.html\n",
      report};
}

}  // namespace wmi::frontends
