#include "frontends/learning/training_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <string_view>

#include "bnn/data/quantile_bins.h"
#include "bnn/numeric/random.h"
#include "bnn/training/mlp.h"
#include "bnn/training/parameters.h"
#include "bnn/training/random_features.h"
#include "bnn/training/shapes.h"
#include "frontends/cli/usage_error.h"
#include "frontends/common/caps.h"
#include "frontends/common/comma_separated.h"
#include "frontends/common/line.h"
#include "frontends/data/schema.h"
#include "frontends/data/table.h"
#include "frontends/learning/row_weights.h"
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

/// The columns and periods in `hour=24,angle=360`.
std::map<std::string, double> read_periods(const std::string& text) {
  std::map<std::string, double> result;
  for (const std::string& item : column_names(text)) {
    const std::size_t split = item.rfind('=');
    const auto period = split == std::string::npos
                            ? std::nullopt
                            : cell_number(std::string_view(item).substr(split + 1));
    if (!period || !(*period > 0) || !std::isnormal(*period))
      throw UsageError(fmt::format("--periods: '{}' is no column with a period, such as hour=24",
                                   one_line(item)));
    if (!result.emplace(item.substr(0, split), *period).second)
      throw UsageError(
          fmt::format("--periods: '{}' names a column that has a period already", one_line(item)));
  }
  return result;
}

Schema read_schema(const Settings& settings, const std::string& task, const Table& table,
                   const std::function<void(const std::string&)>& warn) {
  std::vector<std::string> ignored = column_names(settings.text("ignore"));
  if (settings.has("row-weights")) {
    const std::string& weights = settings.text("row-weights");
    column_index(table, weights, ", which weighs the rows");  // an error that says what it is for
    if (std::ranges::find(ignored, weights) != ignored.end())
      throw UsageError("--row-weights: the column is ignored by --ignore");
    ignored.push_back(weights);
  }
  return fit_schema(table,
                    {settings.text("target"),
                     task == "auto"         ? LearningTask::automatic
                     : task == "regression" ? LearningTask::regression
                                            : LearningTask::classification,
                     column_names(settings.text("categorical")), std::move(ignored),
                     read_periods(settings.text("periods")), settings.count("waves")},
                    warn);
}

/// The weights of the rows, of mean 1; none if all count alike.
std::vector<double> read_weights(const Settings& settings, const Table& table, const Schema& schema,
                                 std::span<const double> targets) {
  if (!settings.has("row-weights") && !settings.has("class-weights")) return {};
  std::vector<double> result(table.rows(), 1);
  if (settings.has("row-weights")) {
    if (settings.text("row-weights") == schema.target)
      throw UsageError("--row-weights: the target is no weight");
    result = weights_in_column(table, settings.text("row-weights"));
  }
  if (settings.has("class-weights")) {
    const std::vector<double> of =
        class_weights(settings.text("class-weights"), schema.classes, targets);
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] *= of[static_cast<std::size_t>(targets[i])];
  }
  normalise_weights(result);
  return result;
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
  const std::string& link = settings.text("link");
  result.link = link == "softplus"      ? bnn::Observation::Link::softplus
                : link == "exponential" ? bnn::Observation::Link::exponential
                                        : bnn::Observation::Link::bounded;
  result.least_variance = settings.number("least-variance");
  result.tails.kind = bnn::tails_kind(settings.text("tails"));
  if (result.tails.kind != bnn::Tails::Kind::normal && !result.regression())
    throw UsageError("--tails: are of numbers, and the target has classes");
  if (settings.has("freedom")) {
    if (result.tails.kind != bnn::Tails::Kind::student)
      throw UsageError("--freedom: goes with --tails student");
    result.tails.freedom = settings.number("freedom");
  }
  if (result.tails.kind == bnn::Tails::Kind::student && settings.text("target-transform") != "none")
    throw UsageError(
        "--tails student: the inverse of a transform has no mean under Student's law; take "
        "two-scale");
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

/// Before any memory is spent on them.
void check_weights(std::size_t inputs, const std::vector<std::size_t>& hidden) {
  double weights = 0;
  auto before = static_cast<double>(inputs);
  for (const std::size_t units : hidden) {
    weights += (before + 1) * static_cast<double>(units);
    before = static_cast<double>(units);
  }
  if (weights > static_cast<double>(caps::tensors))
    throw UsageError(
        fmt::format("--hidden: more than {} weights; take fewer units, or --cap "
                    "tensors=N",
                    std::size_t{caps::tensors}));
}

/// A network of hidden layers, with as many outputs as the likelihood reads.
encoders::Network hidden_network(const Settings& settings, const bnn::Matrix& inputs,
                                 const bnn::Observation& observation, std::size_t classes) {
  if (settings.text("initial") == "file") throw UsageError("--initial: file needs --network");
  check_weights(inputs.columns, settings.counts("hidden"));
  bnn::InputLayers first;
  if (settings.has("bins"))
    if (encoders::Ramps ramps = bnn::quantile_bins(inputs, settings.count("bins"));
        ramps.size() > 0)
      first.ramps = std::move(ramps);
  first.scale = settings.text("input-scales") == "yes";
  return bnn::mlp(inputs.columns, settings.counts("hidden"), outputs_of(observation, classes),
                  settings.text("activation"), settings.number("dropout"), first);
}

/// The network of --network, for rows of so many inputs.
encoders::Network file_network(const Settings& settings, std::size_t inputs) {
  const std::string file = one_line(settings.text("network"));
  encoders::Network network;
  try {
    network = read_network(settings.text("network"));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", file, error.what()));
  }
  const std::size_t expected = encoders::entry_count(network.input);
  if (expected != inputs)
    throw Error(
        fmt::format("{}: the network has {} inputs, and the data {}", file, expected, inputs));
  return network;
}

/// The candidates of the search: networks, likelihoods and recipes. `rows` is the number of all.
void read_candidates(const Settings& settings, std::size_t rows, TrainingJob& job) {
  const std::size_t classes = job.run.schema.classes.size();
  job.values = training_candidates(settings, rows, job.rows.inputs.columns, classes == 0);
  const bool from_file = settings.has("network");
  std::optional<encoders::Network> network;
  if (from_file) {
    for (const std::string_view name : {"bins", "input-scales"})
      if (settings.given(name))
        throw UsageError(fmt::format("--{}: --network says what its layers are", name));
    network = file_network(settings, job.rows.inputs.columns);
  }
  for (const OptionValues& values : job.values) {
    const Settings filled = with_values(settings, values);
    bnn::TrainingCandidate candidate;
    candidate.name = candidate_name(values);
    candidate.recipe = read_recipe(filled);
    candidate.recipe.corrected = job.freedom.correction;
    candidate.observation = read_observation(filled, classes);
    candidate.network =
        network ? *network
                : hidden_network(filled, job.rows.inputs, candidate.observation, classes);
    if (candidate.recipe.drawn)
      candidate.network = bnn::with_prior_layer(std::move(candidate.network));
    if (network) {
      const bnn::Weights weights = bnn::weights_of(*network, candidate.observation);
      try {
        bnn::check_weights(*network, candidate.observation, classes, weights);
      } catch (const Error&) {
        if (settings.given("likelihood") || &values == &job.values.back()) throw;
        continue;  // a noise model that the network has no outputs for
      }
      if (settings.text("initial") == "file") job.start = weights;
    }
    job.candidates.push_back(std::move(candidate));
  }
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
  if (run.schema.classes.empty()) {
    check(run.schema.target, scales.target_mean, scales.target_scale);
    if (!bnn::can_compute_with(scales.target_mean, scales.target_scale))
      check(run.schema.target, scales.target_mean, INFINITY);
  }
}

bnn::TargetTransform read_transform(const Settings& settings, const Schema& schema) {
  const bnn::TargetTransform result = bnn::target_transform(settings.text("target-transform"));
  if (result != bnn::TargetTransform::none && !schema.classes.empty())
    throw UsageError("--target-transform: is of numbers, and the target has classes");
  return result;
}

/// Throws Error, naming line and column, for a target that has no such transform, wherever it is:
/// learnt from, validated on or set aside.
void check_targets(const Table& table, const Schema& schema, bnn::TargetTransform transform) {
  const std::size_t column = column_index(table, schema.target, ", which is the target");
  for (std::size_t i = 0; i < table.rows(); ++i)
    if (const std::optional<double> target = cell_number(table.cell(i, column));
        target && !bnn::is_possible(transform, *target))
      fail_cell(table, i, column,
                fmt::format("'{}' has no transform '{}'", one_line(table.cell(i, column)),
                            bnn::name(transform)));
}

constexpr std::size_t most_rows_in_parts = 5000;
constexpr std::size_t most_validation = 2000;
constexpr std::size_t least_rows = 20;  // that a choice makes sense for
constexpr std::size_t few_rows = 80;    // to choose by
constexpr std::size_t most_parts = 5;
constexpr std::uint64_t part_use = 1000;  // what seeds of parts are mixed with
constexpr double seconds_a_row = 1e-3;
constexpr double final_share = 2;  // of the budget: what the final training may cost
constexpr std::size_t least_samples = 2;
/// Parts and trajectories on each of them, from the dearest on; the last if none can be afforded.
constexpr std::pair<std::size_t, std::size_t> divisions[] = {{5, 5}, {5, 4}, {5, 3}, {3, 4},
                                                             {3, 3}, {2, 4}, {2, 3}};

/// How many rows a part holds out.
std::size_t validation_rows(const Settings& settings, std::size_t rows) {
  const auto share_of = [&](double share) {
    return static_cast<std::size_t>(std::lround(share * static_cast<double>(rows)));
  };
  if (settings.given("validation")) {
    const std::size_t count = share_of(settings.number("validation"));
    if (count < 2 || count + 2 > rows)
      throw UsageError(
          fmt::format("--validation: {} of {} rows are too few to choose by; give a larger share, "
                      "or --search no",
                      count, rows));
    return count;
  }
  if (rows < least_rows) return 0;
  return std::clamp(share_of(0.1), std::min(few_rows, share_of(0.2)), most_validation);
}

/// Divides the rows into those for training and those for validation, and standardises them.
void divide_rows(const Settings& settings, const bnn::Dataset& all, TrainingJob& job) {
  Run& run = job.run;
  const std::string& retrain = settings.text("retrain");
  job.retrain = retrain == "yes";
  const bool search = settings.text("search") == "yes";
  job.parts_by_cost = search && retrain == "auto" && all.rows() <= most_rows_in_parts;
  if (!search) job.retrain = true;
  const std::size_t count = search ? validation_rows(settings, all.rows()) : 0;
  const std::vector<std::size_t> order = bnn::shuffled(all.rows(), bnn::mixed(run.seed, 1u << 20));
  std::vector<bnn::Part> parts;
  if (count > 0) {
    const std::size_t number =
        job.retrain || job.parts_by_cost ? std::min(all.rows() / count, most_parts) : 1;
    for (std::size_t part = 0; part < number; ++part) {
      const auto from = order.begin() + static_cast<std::ptrdiff_t>(part * count);
      std::vector<std::size_t> held(from, from + static_cast<std::ptrdiff_t>(count));
      std::vector<std::size_t> rest(order.begin(), from);
      rest.insert(rest.end(), from + static_cast<std::ptrdiff_t>(count), order.end());
      std::ranges::sort(held);
      std::ranges::sort(rest);
      parts.push_back({bnn::select(all, rest), bnn::select(all, held)});
    }
  } else {
    job.retrain = true;
    job.parts_by_cost = false;
  }
  const bnn::Scaling scaling =
      settings.text("scaling") == "robust" ? bnn::Scaling::robust : bnn::Scaling::standard;
  run.standardisation = bnn::fit_standardisation(
      job.retrain || job.parts_by_cost ? all : parts[0].training, run.schema.classes.empty(),
      scaling, read_transform(settings, run.schema));
  check_scales(run);
  bnn::limit_inputs(run.standardisation,
                    job.retrain || job.parts_by_cost ? all : parts[0].training);
  for (const bnn::Part& part : parts)
    job.parts.push_back({bnn::standardised(part.training, run.standardisation),
                         bnn::standardised(part.validation, run.standardisation)});
  job.rows = job.retrain || job.parts_by_cost ? bnn::standardised(all, run.standardisation)
                                              : job.parts[0].training;
}

/// The rows that are learnt from, and those that are set aside.
struct Divided {
  Table learnt;
  Table aside;
};

Divided set_aside(const Settings& settings, const Table& table, std::uint64_t seed) {
  std::vector<std::size_t> order = bnn::shuffled(table.rows(), bnn::mixed(seed, 1u << 21));
  const auto count = static_cast<std::size_t>(
      std::lround(settings.number("conformal") * static_cast<double>(table.rows())));
  if (count == 0) throw UsageError("--conformal: so small a share has no rows");
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(count);
  std::sort(order.begin(), middle);
  std::sort(middle, order.end());
  return {select(table, {middle, order.end()}), select(table, {order.begin(), middle})};
}

/// Those of the rows set aside that the schema can read, standardised.
bnn::Dataset read_aside(const Table& table, const Run& run) {
  const ReadRows read = read_rows(table, run.schema);
  std::vector<std::size_t> good;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (read.errors.contains(i)) continue;
    if (std::isnan(read.data.targets[i]))
      throw Error(
          fmt::format("{}:{}: the target is missing", one_line(table.name), table.lines[i]));
    good.push_back(i);
  }
  return bnn::standardised(bnn::select(read.data, good), run.standardisation);
}

/// Nominal seconds: what trying candidates may cost beside five trainings of a small network.
double usual_budget(std::size_t rows) {
  return std::clamp(seconds_a_row * static_cast<double>(rows), 0.3, 30.0);
}

/// What is tried as the sampling rate.
std::vector<double> sampling_rates(const Settings& settings) {
  if (settings.text("sampling-rate") != "auto") return {settings.number("sampling-rate", 0, 1000)};
  if (settings.text("optimizer") == "adam")
    return {std::begin(bnn::adam_sampling_rates), std::end(bnn::adam_sampling_rates)};
  return {std::begin(bnn::sampling_rates), std::end(bnn::sampling_rates)};
}

}  // namespace

std::string TrainingJob::checkpoint(const std::string& name) const {
  const std::filesystem::path folder(run.path);
  return (folder / "checkpoints" / (name + ".safetensors")).string();
}

std::string TrainingJob::checkpoint(std::size_t trajectory) const {
  return checkpoint(fmt::format("{:03}", trajectory));
}

std::uint64_t TrainingJob::seed(std::size_t part, std::size_t trajectory) const {
  return bnn::mixed(bnn::mixed(run.seed, part_use + part), trajectory);
}

double TrainingJob::nominal_seconds() const {
  bnn::TrainingCandidate stopped = candidates[*candidate];
  if (recipe.stop_after > 0)
    stopped.recipe.epochs =
        retrain ? recipe.stop_after : std::min(recipe.epochs, recipe.stop_after + recipe.patience);
  return static_cast<double>(trajectories) *
         bnn::nominal_seconds(stopped, parts[0].training.rows(), 1);
}

void TrainingJob::decide_final_parts() {
  if (!parts_by_cost) return;
  const std::size_t usual = trajectories * recipe.samples;
  const double trainings =
      final_share * budget * static_cast<double>(trajectories) / nominal_seconds();
  final_parts = std::min(trajectories, parts.size());
  if (!trajectories_given)
    for (const auto& [of_parts, of_each] : divisions) {
      final_parts = std::min(of_parts, parts.size());
      trajectories = final_parts * of_each;
      if (static_cast<double>(trajectories) <= trainings) break;
    }
  if (final_parts == 1) rows = parts[0].training;
  if (!samples_given && !recipe.drawn)
    recipe.samples = std::max(least_samples, (usual + trajectories - 1) / trajectories);
}

void TrainingJob::take(std::size_t chosen) {
  candidate = chosen;
  run.network = candidates[chosen].network;
  run.observation = candidates[chosen].observation;
  const double rate = recipe.sampling_rate;
  recipe = candidates[chosen].recipe;
  recipe.sampling_rate = rate;
}

bool restore_choice(const Run& run, TrainingJob& job) {
  const std::optional<RecordedChoice> chosen = read_choice(run);
  if (!chosen) return false;
  if (chosen->candidate >= job.candidates.size())
    throw Error(fmt::format("{}: it was started by another version of ciber; train anew",
                            one_line(run.path)));
  job.recipe.sampling_rate = chosen->sampling_rate;
  job.take(chosen->candidate);
  job.recipe.stop_after = chosen->epochs;
  job.decide_final_parts();
  job.run.predictive = run.predictive;
  return true;
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
  const std::string& task = settings.text("task");
  const Table all_rows = read_table(settings.words()[0]);
  const bool conformal = settings.has("conformal");
  const Divided divided =
      conformal ? set_aside(settings, all_rows, settings.count("seed")) : Divided{all_rows, {}};
  const Table& table = divided.learnt;
  if (!table.header) warn("the first row has numbers only, so the columns are called c1, c2, ...");
  Run& run = job.run;
  run.path = out;
  run.schema = read_schema(settings, task, table, warn);
  const bnn::TargetTransform transform = read_transform(settings, run.schema);
  if (transform != bnn::TargetTransform::none) check_targets(all_rows, run.schema, transform);
  bnn::Dataset all = to_dataset(table, run.schema);
  all.weights = read_weights(settings, table, run.schema, all.targets);
  run.data_hash = data_hash(all_rows);
  if (conformal && !run.schema.classes.empty())
    throw UsageError("--conformal: is about intervals of numbers, and the target has classes");
  run.seed = settings.count("seed");
  run.complete = false;
  run.recipe = recipe_json(settings);
  job.trajectories = settings.count("trajectories");
  job.trajectories_given = settings.given("trajectories");
  job.samples_given = settings.given("samples");
  job.rates = sampling_rates(settings);
  if (settings.has("lambda")) job.freedom.lambdas = {settings.number("lambda")};
  if (settings.has("prior-mean")) job.freedom.at_sample = settings.text("prior-mean") == "sample";
  if (settings.has("temperature")) job.freedom.temperatures = {settings.number("temperature")};
  if (settings.has("freedom")) job.freedom.freedoms = {settings.number("freedom")};
  job.freedom.weights = settings.text("sample-weights") == "auto";
  job.freedom.correction = settings.text("recalibrate") == "yes";
  job.budget = settings.has("budget") ? settings.number("budget") : usual_budget(all.rows());
  divide_rows(settings, all, job);
  read_candidates(settings, all.rows(), job);
  job.recipe.sampling_rate = job.rates[job.rates.size() / 2];
  job.take(0);
  if (conformal) job.conformal = read_aside(divided.aside, run);
  return job;
}

}  // namespace wmi::frontends
