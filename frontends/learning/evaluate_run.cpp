#include "frontends/learning/evaluate_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <sstream>
#include <vector>

#include "bnn/collapse/float_forward.h"
#include "bnn/data/metrics.h"
#include "bnn/training/methods.h"
#include "bnn/training/model.h"
#include "frontends/ciber/job_table.h"
#include "frontends/cli/usage_error.h"
#include "frontends/data/run_directory.h"
#include "frontends/data/schema.h"
#include "frontends/data/table.h"
#include "frontends/learning/compared_methods.h"
#include "frontends/learning/prediction_rows.h"
#include "frontends/learning/prediction_text.h"
#include "frontends/learning/row_job.h"
#include "frontends/learning/score_table.h"
#include "frontends/learning/thread_count.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

/// The samples of a run, by trajectory, and its training rows, if it has them.
bnn::Experiment read_experiment(const Run& run, const std::optional<bnn::Dataset>& training) {
  bnn::Experiment experiment{run.network,
                             bnn::float_forward,
                             bnn::make_model,
                             run.observation,
                             run.standardisation,
                             {},
                             {},
                             run.seed};
  if (training) experiment.training = *training;
  experiment.predictive = run.predictive;
  const bnn::Weights first = read_sample(run, 0);
  for (std::size_t i = 0; i < run.samples.size(); ++i) {
    const std::size_t trajectory = run.samples[i].trajectory;
    if (experiment.trajectories.size() <= trajectory)
      experiment.trajectories.resize(trajectory + 1);
    experiment.trajectories[trajectory].push_back(read_sample(run, i));
    check_alike(run, i, first, experiment.trajectories[trajectory].back());
  }
  std::erase_if(experiment.trajectories, [](const auto& samples) { return samples.empty(); });
  return experiment;
}

/// What is scored.
struct Asked {
  Run run;
  bnn::Experiment experiment;
  bnn::Dataset rows, standard;  // in their own units; standardised
  bnn::PredictiveOptions options;
  std::vector<const bnn::ComparedMethod*> methods;  // in the order of the table
  std::vector<std::string> said;                    // of rows and methods that are left out
  bool broken = false;                              // some rows cannot be read
  bool asked_for_average = false;
};

Asked read_asked(const std::string& path, const std::string& table, const std::string& name,
                 const Settings& settings) {
  Asked asked;
  asked.run = read_usable_run(path);
  const Run& run = asked.run;
  const std::optional<bnn::Dataset> training = read_training_rows(run);
  asked.experiment = read_experiment(run, training);
  const Table read = read_table(table, BrokenRows::kept, name);
  column_index(read, run.schema.target, ", which is the target");
  ScoredRows rows = read_scored_rows(run, read);
  asked.rows = std::move(rows.own);
  asked.standard = std::move(rows.standard);
  asked.said = std::move(rows.said);
  asked.broken = rows.broken;
  asked.options = evaluation_options(settings);
  asked.options.threads = thread_count(settings);
  if (asked.options.floor > 0 && !run.observation.regression())
    throw UsageError("--floor: is about densities, and the target has classes");
  std::vector<const bnn::ComparedMethod*> methods =
      compared_methods(settings, asked.experiment.trajectories.size() > 1);
  if (run.predictive && settings.text("methods").empty())
    methods.push_back(&bnn::find_method("chosen"));
  const bnn::ComparedMethod* const average = &bnn::find_method("average");
  asked.asked_for_average = std::ranges::find(methods, average) != methods.end();
  if (!asked.asked_for_average) asked.methods.push_back(average);
  for (const bnn::ComparedMethod* method : methods) {
    if (method->posterior == "conditional" && !training)
      asked.said.push_back(fmt::format("{}: left out; the run has no training rows", method->name));
    else if (method->sampler == "swag" &&
             std::ranges::any_of(asked.experiment.trajectories,
                                 [](const auto& samples) { return samples.size() < 2; }))
      asked.said.push_back(
          fmt::format("{}: left out; a trajectory has a single sample", method->name));
    else if (run.observation.tails.kind == bnn::Tails::Kind::student &&
             !method->posterior.empty() && method->posterior != "conditional")
      asked.said.push_back(fmt::format(
          "{}: left out; it has boxes, which have no law with Student's noise", method->name));
    else
      asked.methods.push_back(method);
  }
  return asked;
}

int print_scores(const Asked& asked, const std::vector<MethodForecasts>& found, bool json,
                 Terminal& terminal) {
  for (const std::string& line : asked.said) terminal.say(line);
  const bool regression = asked.run.observation.regression();
  const std::span<const bnn::Metric> metrics = bnn::metrics(regression);
  std::vector<ScoreRow> scores = score_rows(found, asked.rows.targets, regression);
  if (!asked.asked_for_average)
    std::erase_if(scores, [](const ScoreRow& row) { return row.method == "average"; });
  terminal.print(json ? score_json_lines(scores, metrics)
                      : score_table(scores, metrics, IntervalStyle::bounds));
  return asked.broken ? 1 : 0;
}

std::vector<bnn::Forecast> forecast(const Asked& asked, const bnn::ComparedMethod& method,
                                    const bnn::Dataset& rows) {
  return bnn::forecasts(method, asked.experiment, rows, asked.run.samples.size(), asked.options);
}

std::string text_of(const bnn::Forecast& forecast) {
  std::string result;
  const auto add = [&](double value) { result += exact_text(value) + " "; };
  for (const double value :
       {forecast.mean, forecast.deviation, forecast.log_density, forecast.cdf, forecast.crps})
    add(value);
  for (const double value : forecast.quantiles) add(value);
  for (const double value : forecast.probabilities) add(value);
  return result;
}

bnn::Forecast parse_forecast(const std::string& line) {
  std::vector<double> numbers;
  std::istringstream in(line);
  for (std::string word; in >> word;) numbers.push_back(parse_exact_double(word));
  bnn::Forecast result;
  double* const values[] = {&result.mean, &result.deviation, &result.log_density, &result.cdf,
                            &result.crps};
  const std::size_t first = std::size(values), rest = first + result.quantiles.size();
  if (numbers.size() < rest)
    throw Error("a unit has no forecast, but '" + line.substr(0, 40) + "'");
  for (std::size_t i = 0; i < first; ++i) *values[i] = numbers[i];
  std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(first), result.quantiles.size(),
              result.quantiles.begin());
  result.probabilities.assign(numbers.begin() + static_cast<std::ptrdiff_t>(rest), numbers.end());
  return result;
}

bnn::Dataset some_rows(const bnn::Dataset& all, std::size_t first, std::size_t count) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), first);
  return bnn::select(all, rows);
}

/// The forecasts of each method for each row.
class EvaluateTask final : public RowTask {
 public:
  EvaluateTask(const Job& job, Settings settings)
      : settings_(std::move(settings)),
        asked_(read_asked(job.input(0).parent_path().string(), job.input(1).string(),
                          settings_.text("data"), settings_)) {
    asked_.options.threads = 1;
  }

  std::size_t rows() const override { return asked_.rows.rows(); }
  std::size_t groups() const override { return asked_.methods.size(); }

  std::vector<std::string> lines(std::size_t group, std::size_t first,
                                 std::size_t count) const override {
    const bnn::ComparedMethod& method = *asked_.methods[group];
    std::vector<bnn::Forecast> found;
    if (method.sampler.empty()) {
      found = forecast(asked_, method, some_rows(asked_.standard, first, count));
    } else {  // its samples are drawn once in a process
      std::vector<bnn::Forecast>& all = drawn_[group];
      if (all.empty()) all = forecast(asked_, method, asked_.standard);
      found.assign(all.begin() + static_cast<std::ptrdiff_t>(first),
                   all.begin() + static_cast<std::ptrdiff_t>(first + count));
    }
    std::vector<std::string> result;
    for (const bnn::Forecast& each : found) result.push_back(text_of(each));
    return result;
  }

  int report(const Settings& settings, const Lines& lines, Terminal& terminal) const override {
    std::vector<MethodForecasts> found;
    for (std::size_t group = 0; group < lines.size(); ++group) {
      found.push_back({std::string(asked_.methods[group]->name), {}});
      for (const std::string& line : lines[group])
        found.back().forecasts.push_back(parse_forecast(line));
    }
    return print_scores(asked_, found, settings.flag("json"), terminal);
  }

 private:
  const Settings settings_;
  Asked asked_;
  mutable std::map<std::size_t, std::vector<bnn::Forecast>> drawn_;  // by group
};

int make_evaluate_job(const std::string& path, const Settings& settings, Terminal& terminal) {
  NewJob job{.directory = settings.text("job"), .description = {}, .inputs = run_files(path)};
  const std::string& table = settings.text("data");
  job.inputs.insert(job.inputs.begin() + 1, {"table/" + table_name(table), table});
  job.description.program = "ciber";
  job.description.command = "evaluate";
  job.description.arguments = job_arguments(settings, evaluate_settings(), not_of_a_row_job);
  job.description.files = {path, table};
  job.description.parts = settings.count("parts");
  return make_job(std::move(job), ciber_job_commands(), terminal);
}

}  // namespace

int evaluate_run(const std::string& path, const Settings& settings, Terminal& terminal) {
  for (const std::string_view name : {"out", "recipe", "splits", "epochs"})
    if (settings.given(name))
      throw UsageError(fmt::format("--{}: is for splits of a data set, not for a run", name));
  if (!settings.has("data")) throw UsageError("--data: needs a CSV file with rows to score");
  if (settings.given("job")) return make_evaluate_job(path, settings, terminal);
  const Asked asked = read_asked(path, settings.text("data"), settings.text("data"), settings);
  std::vector<MethodForecasts> found;
  for (const bnn::ComparedMethod* method : asked.methods)
    found.push_back({std::string(method->name), forecast(asked, *method, asked.standard)});
  return print_scores(asked, found, settings.flag("json"), terminal);
}

std::unique_ptr<JobWork> open_evaluate_job(Job& job, Terminal&) {
  return row_work(
      job, std::make_unique<EvaluateTask>(
               job, Settings("ciber evaluate", evaluate_settings(), job.description().arguments)));
}

}  // namespace wmi::frontends
