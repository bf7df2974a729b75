#include "frontends/learning/evaluate_run.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "bnn/collapse/float_forward.h"
#include "bnn/data/metrics.h"
#include "bnn/training/methods.h"
#include "bnn/training/model.h"
#include "frontends/cli/usage_error.h"
#include "frontends/data/run_directory.h"
#include "frontends/data/schema.h"
#include "frontends/data/table.h"
#include "frontends/learning/compared_methods.h"
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

}  // namespace

int evaluate_run(const std::string& path, const Settings& settings, Terminal& terminal) {
  for (const std::string_view name : {"out", "recipe", "splits", "epochs"})
    if (settings.given(name))
      throw UsageError(fmt::format("--{}: is for splits of a data set, not for a run", name));
  if (!settings.has("data")) throw UsageError("--data: needs a CSV file with rows to score");
  const Run run = read_run(path);
  if (run.samples.empty()) throw Error(path + ": has no samples yet; see ciber train --resume");
  const std::optional<bnn::Dataset> training = read_training_rows(run);
  const bnn::Experiment experiment = read_experiment(run, training);
  const bnn::Dataset rows = to_dataset(read_table(settings.text("data")), run.schema);
  if (rows.rows() == 0) throw Error(settings.text("data") + ": has no rows");
  const bnn::Dataset standard = bnn::standardised(rows, run.standardisation);
  bnn::PredictiveOptions options = evaluation_options(settings);
  options.threads = thread_count(settings);
  if (options.floor > 0 && !run.observation.regression())
    throw UsageError("--floor: is about densities, and the target has classes");
  std::vector<MethodForecasts> found{
      {"average", bnn::forecasts(bnn::find_method("average"), experiment, standard,
                                 run.samples.size(), options)}};
  bool asked = false;
  std::vector<const bnn::ComparedMethod*> methods =
      compared_methods(settings, experiment.trajectories.size() > 1);
  if (run.predictive && settings.text("methods").empty())
    methods.push_back(&bnn::find_method("chosen"));
  for (const bnn::ComparedMethod* method : methods) {
    if (method->posterior == "conditional" && !training) {
      terminal.say(fmt::format("{}: left out; the run has no training rows", method->name));
      continue;
    }
    if (run.observation.tails.kind == bnn::Tails::Kind::student && !method->posterior.empty() &&
        method->posterior != "conditional") {
      terminal.say(fmt::format("{}: left out; it has boxes, which have no law with Student's noise",
                               method->name));
      continue;
    }
    if (method->name == "average") {
      asked = true;
      std::rotate(found.begin(), found.begin() + 1, found.end());  // in the order of the table
      continue;
    }
    found.push_back({std::string(method->name),
                     bnn::forecasts(*method, experiment, standard, run.samples.size(), options)});
  }
  const std::span<const bnn::Metric> metrics = bnn::metrics(run.observation.regression());
  std::vector<ScoreRow> scores = score_rows(found, rows.targets, run.observation.regression());
  if (!asked) std::erase_if(scores, [](const ScoreRow& row) { return row.method == "average"; });
  terminal.print(settings.flag("json") ? score_json_lines(scores, metrics)
                                       : score_table(scores, metrics, IntervalStyle::bounds));
  return 0;
}

}  // namespace wmi::frontends
