#include "frontends/learning/training_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string_view>

#include "bnn/numeric/random.h"
#include "bnn/training/mlp.h"
#include "bnn/training/parameters.h"
#include "bnn/training/shapes.h"
#include "frontends/cli/usage_error.h"
#include "frontends/common/comma_separated.h"
#include "frontends/common/line.h"
#include "frontends/data/schema.h"
#include "frontends/data/table.h"
#include "frontends/learning/run_recipe.h"
#include "frontends/networks/network.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

/// The names in `id,name`, without empty ones.
std::vector<std::string> column_names(const std::string& text) {
  std::vector<std::string> result = comma_separated(text);
  std::erase(result, "");
  return result;
}

Schema read_schema(const Settings& settings, const std::string& task, const Table& table,
                   const std::function<void(const std::string&)>& warn) {
  return fit_schema(
      table,
      {settings.text("target"),
       task == "auto"         ? LearningTask::automatic
       : task == "regression" ? LearningTask::regression
                              : LearningTask::classification,
       column_names(settings.text("categorical")), column_names(settings.text("ignore"))},
      warn);
}

bnn::Observation read_observation(const Settings& settings, std::size_t classes) {
  bnn::Observation result;
  using Kind = bnn::Observation::Kind;
  const std::string& name = settings.text("likelihood");
  if (name == "auto")
    result.kind = classes == 0   ? Kind::heteroscedastic
                  : classes == 2 ? Kind::sigmoid
                                 : Kind::softmax;
  else
    result.kind = name == "heteroscedastic" ? Kind::heteroscedastic
                  : name == "homoscedastic" ? Kind::homoscedastic
                  : name == "softmax"       ? Kind::softmax
                                            : Kind::sigmoid;
  if (result.regression() != (classes == 0))
    throw UsageError(fmt::format(
        "--likelihood: {} is for {}", name,
        result.regression() ? "numbers, and the target has classes" : "classes; see --task"));
  if (result.kind == Kind::sigmoid && classes != 2)
    throw UsageError(
        fmt::format("--likelihood: sigmoid is for 2 classes, and there are {}", classes));
  result.link = settings.text("link") == "softplus" ? bnn::Observation::Link::softplus
                                                    : bnn::Observation::Link::exponential;
  result.least_variance = settings.number("least-variance");
  return result;
}

std::size_t outputs_of(const bnn::Observation& observation, std::size_t classes) {
  switch (observation.kind) {
    case bnn::Observation::Kind::heteroscedastic:
      return 2;
    case bnn::Observation::Kind::softmax:
      return classes;
    default:
      return 1;
  }
}

/// The network of the job, from a file or of hidden layers, and the weights it starts from.
void read_job_network(const Settings& settings, std::size_t inputs, TrainingJob& job) {
  Run& run = job.run;
  const std::size_t classes = run.schema.classes.size();
  const bool from_file = settings.text("initial") == "file";
  if (!settings.has("network")) {
    if (from_file) throw UsageError("--initial: file needs --network");
    run.network = bnn::mlp(inputs, settings.counts("hidden"), outputs_of(run.observation, classes),
                           settings.text("activation"), settings.number("dropout"));
    return;
  }
  const std::string file = one_line(settings.text("network"));
  try {
    run.network = read_network(settings.text("network"));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", file, error.what()));
  }
  const std::size_t expected = encoders::entry_count(run.network.input);
  if (expected != inputs)
    throw Error(
        fmt::format("{}: the network has {} inputs, and the data {}", file, expected, inputs));
  const bnn::Weights weights = bnn::weights_of(run.network, run.observation);
  bnn::check_weights(run.network, run.observation, classes, weights);
  if (from_file) job.start = weights;
}

/// Throws Error if doubles cannot standardise a column: its numbers are too large or too close.
void check_scales(const Run& run) {
  const auto check = [](const std::string& column, double mean, double scale) {
    if (!std::isfinite(mean) || !std::isnormal(scale))
      throw Error(
          fmt::format("column '{}': its numbers are too large or too small to compute "
                      "with; measure it in another unit",
                      one_line(column)));
  };
  const bnn::Standardisation& scales = run.standardisation;
  const std::vector<std::string> inputs = input_names(run.schema);
  for (std::size_t j = 0; j < inputs.size(); ++j)
    check(inputs[j], scales.input_mean[j], scales.input_scale[j]);
  if (run.observation.regression()) {
    check(run.schema.target, scales.target_mean, scales.target_scale);
    if (!bnn::can_compute_with(scales.target_mean, scales.target_scale))
      check(run.schema.target, scales.target_mean, INFINITY);
  }
}

/// Divides the rows into those for training and those for validation, and standardises them.
void divide_rows(const Settings& settings, const bnn::Dataset& all, TrainingJob& job) {
  Run& run = job.run;
  const bool automatic = settings.text("sampling-rate") == "auto";
  const bool retrain = settings.text("retrain") == "yes";
  const double share = settings.number("validation");
  const bool needed =
      automatic || job.recipe.from_best || job.recipe.patience > 0 || (!retrain && share > 0);
  const auto count = static_cast<std::size_t>(std::lround(share * static_cast<double>(all.rows())));
  if (needed && (count < 2 || count + 2 > all.rows()))
    throw UsageError(
        fmt::format("--validation: {} of {} rows are too few to choose by; give a "
                    "larger share, or --sampling-rate",
                    count, all.rows()));
  job.rate_chosen = automatic;
  job.choosing = needed && (automatic || retrain);
  if (automatic)
    job.rates.assign(std::begin(bnn::sampling_rates), std::end(bnn::sampling_rates));
  else
    job.rates = {job.recipe.sampling_rate};
  std::vector<std::size_t> order = bnn::shuffled(all.rows(), bnn::mixed(run.seed, 1u << 20));
  const auto held = order.begin() + static_cast<std::ptrdiff_t>(needed ? count : 0);
  std::sort(order.begin(), held);
  std::sort(held, order.end());
  const bnn::Dataset part = bnn::select(all, std::vector(held, order.end()));
  run.standardisation =
      bnn::fit_standardisation(retrain ? all : part, run.observation.regression());
  check_scales(run);
  job.training = bnn::standardised(part, run.standardisation);
  job.validation =
      bnn::standardised(bnn::select(all, std::vector(order.begin(), held)), run.standardisation);
  job.rows = retrain ? bnn::standardised(all, run.standardisation) : job.training;
}

}  // namespace

std::string TrainingJob::checkpoint(const std::string& name) const {
  const std::filesystem::path folder(run.path);
  return (folder / "checkpoints" / (name + ".safetensors")).string();
}

std::string TrainingJob::checkpoint(std::size_t trajectory) const {
  return checkpoint(fmt::format("{:03}", trajectory));
}

TrainingJob prepare_training(const Settings& settings, const std::string& out, unsigned threads,
                             const std::function<void(const std::string&)>& warn) {
  if (settings.words().size() != 1)
    throw UsageError(settings.words().empty()
                         ? "give the file of the data: ciber train DATA.csv ..."
                         : "give one file of data, not several");
  if (!settings.has("target")) throw UsageError("--target: name the column to predict");
  TrainingJob job;
  job.threads = threads;
  job.recipe = read_recipe(settings);
  const std::string& task = settings.text("task");
  const Table table = read_table(settings.words()[0]);
  if (!table.header) warn("the first row has numbers only, so the columns are called c1, c2, ...");
  Run& run = job.run;
  run.path = out;
  run.schema = read_schema(settings, task, table, warn);
  const bnn::Dataset all = to_dataset(table, run.schema);
  run.observation = read_observation(settings, run.schema.classes.size());
  run.data_hash = data_hash(table);
  run.seed = settings.count("seed");
  run.complete = false;
  run.recipe = recipe_json(settings);
  read_job_network(settings, all.inputs.columns, job);
  job.trajectories = settings.count("trajectories");
  divide_rows(settings, all, job);
  return job;
}

}  // namespace wmi::frontends
