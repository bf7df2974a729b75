// ciber train: from a table to a run directory.

#include "bnn/training/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>

#include "bnn/numeric/parallel.h"
#include "bnn/numeric/random.h"
#include "bnn/training/mlp.h"
#include "bnn/training/model.h"
#include "bnn/training/parameters.h"
#include "bnn/training/shapes.h"
#include "frontends/cli/supervised.h"
#include "frontends/common/json_writer.h"
#include "frontends/common/line.h"
#include "frontends/common/write_file.h"
#include "frontends/data/checkpoint.h"
#include "frontends/data/run_directory.h"
#include "frontends/data/table.h"
#include "frontends/formats/json.h"
#include "frontends/learning/commands.h"
#include "frontends/learning/run_recipe.h"
#include "frontends/networks/network.h"
#include "frontends/wmi/options.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr Setting train_settings[] = {
    {"target", "COLUMN", "", "the column to predict"},
    {"out", "RUN", "", "the run directory to make"},
    {"task", "NAME", "auto",
     "auto (words are classes, numbers are not), regression, classification"},
    {"categorical", "COLUMNS", "", "columns of numbers that stand for categories: zip,month"},
    {"ignore", "COLUMNS", "", "columns that are no inputs: id,name"},
    {"hidden", "N,N", "50", "units of the hidden layers"},
    {"activation", "NAME", "relu", "relu, leaky_relu, tanh, ...: a layer of docs/network.md"},
    {"dropout", "P", "0", "after each activation, while training"},
    {"network", "FILE", "", "a network of any layers, NET.safetensors, instead of the hidden ones"},
    {"initial", "NAME", "xavier", "weights to start from: xavier, or file (those of --network)"},
    {"likelihood", "NAME", "auto",
     "heteroscedastic, homoscedastic, softmax, sigmoid; auto: the first, or of classes the last "
     "that fits"},
    {"link", "NAME", "exponential", "from an output to a variance: exponential, softplus"},
    {"least-variance", "X", "1e-6", "added to each variance, in standardised units"},
    {"epochs", "N", "300", "how often all rows are seen before sampling"},
    {"batch", "N", "30", "rows of a step"},
    {"rate", "X", "0.01", "learning rate"},
    {"schedule", "NAME", "linear",
     "of the rate: linear (half of the epochs constant, 5 % from 90 % on), plateau, constant"},
    {"plateau-factor", "X", "0.8", "by which the rate falls on a plateau"},
    {"plateau-patience", "N", "40", "epochs without a smaller loss that make a plateau"},
    {"momentum", "X", "0.9", "of the descent"},
    {"bias-factor", "X", "2", "times the rate for biases"},
    {"weight-decay", "X", "1e-4", "of weights, not of biases"},
    {"clip", "X", "1", "the largest norm of a gradient; 0: any"},
    {"beta", "X", "0", "exponent of the variance that weighs rows (beta-NLL), 0 to 1"},
    {"patience", "N", "0", "stop after N epochs without a better validation loss; 0: never"},
    {"from-best", "", "", "sampling starts at the best validation epoch"},
    {"samples", "N", "40", "how many samples of the weights, of each trajectory"},
    {"every", "N", "5", "epochs between samples; 50steps: steps"},
    {"sampling-rate", "X", "auto", "learning rate while sampling; auto: chosen on validation rows"},
    {"sampling", "NAME", "constant",
     "of the sampling rate: constant, cyclic (falls to each sample)"},
    {"trajectories", "K", "1", "trainings from different weights, side by side"},
    {"validation", "SHARE", "0.1", "of the rows, for what is chosen"},
    {"retrain", "yes|no", "yes", "after choosing, train on all rows"},
    {"seed", "N", "1", "decides everything that is drawn"},
    {"threads", "N", "", "at once; the result does not depend on it (default: all cores)"},
    {"resume", "", "", "go on with the unfinished training of --out"},
};

constexpr std::string_view examples =
    "  ciber train houses.csv --target price --out houses.run\n"
    "  ciber train iris.csv --target species --hidden 20,20 --out iris.run\n"
    "  ciber train yacht.csv --target resistance --trajectories 5 --samples 8 --every 25 --out "
    "yacht.run\n"
    "  ciber train --resume --out houses.run\n";

std::vector<std::string> names(const std::string& text) {
  std::vector<std::string> result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    if (comma > at) result.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return result;
}

template <std::size_t size>
std::string chosen(const Settings& settings, std::string_view name,
                   const std::array<std::string_view, size>& choices) {
  return settings.choice(name, choices);
}

bnn::Recipe read_recipe(const Settings& settings) {
  constexpr std::size_t many = 1'000'000'000;
  bnn::Recipe recipe;
  recipe.epochs = settings.count("epochs", 0, many);
  recipe.batch = settings.count("batch", 1, many);
  recipe.rate = settings.number("rate", 0, 1000);
  const std::string schedule = chosen(
      settings, "schedule", std::to_array<std::string_view>({"linear", "plateau", "constant"}));
  recipe.schedule = schedule == "linear"    ? bnn::Recipe::Schedule::linear
                    : schedule == "plateau" ? bnn::Recipe::Schedule::plateau
                                            : bnn::Recipe::Schedule::constant;
  recipe.plateau_factor = settings.number("plateau-factor", 0, 1);
  recipe.plateau_patience = settings.count("plateau-patience", 1, many);
  recipe.momentum = settings.number("momentum", 0, 0.9999);
  recipe.bias_factor = settings.number("bias-factor", 0, 1000);
  recipe.weight_decay = settings.number("weight-decay", 0, 1000);
  recipe.clip = settings.number("clip", 0, 1e9);
  recipe.beta = settings.number("beta", 0, 1);
  recipe.patience = settings.count("patience", 0, many);
  recipe.from_best = settings.flag("from-best");
  recipe.samples = settings.count("samples", 1, 100'000);
  const std::string& every = settings.text("every");
  const auto [unit, error] =
      std::from_chars(every.data(), every.data() + every.size(), recipe.every);
  const std::string_view rest(unit, every.data() + every.size());
  recipe.every_steps = rest == "steps";
  if (error != std::errc() || recipe.every == 0 || !(rest.empty() || recipe.every_steps))
    throw UsageError(
        fmt::format("--every: '{}' is no number of epochs, such as 5, or of steps, such as 50steps",
                    one_line(every)));
  if (settings.text("sampling-rate") != "auto")
    recipe.sampling_rate = settings.number("sampling-rate", 0, 1000);
  recipe.sampling = chosen(settings, "sampling",
                           std::to_array<std::string_view>({"constant", "cyclic"})) == "cyclic"
                        ? bnn::Recipe::Sampling::cyclic
                        : bnn::Recipe::Sampling::constant;
  return recipe;
}

bnn::Observation read_observation(const Settings& settings, std::size_t classes) {
  bnn::Observation result;
  using Kind = bnn::Observation::Kind;
  const std::string name =
      chosen(settings, "likelihood",
             std::to_array<std::string_view>(
                 {"auto", "heteroscedastic", "homoscedastic", "softmax", "sigmoid"}));
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
  result.link = chosen(settings, "link",
                       std::to_array<std::string_view>({"exponential", "softplus"})) == "softplus"
                    ? bnn::Observation::Link::softplus
                    : bnn::Observation::Link::exponential;
  result.least_variance = settings.number("least-variance", 0, 1);
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

/// All that a training is made of.
struct Job {
  Run run;
  bnn::Recipe recipe;
  std::optional<bnn::Weights> start;
  bnn::Dataset rows;        // those that are trained on in the end
  bnn::Dataset training;    // without the validation rows
  bnn::Dataset validation;  // may be none
  std::vector<double> rates;
  bool choosing = false;  // before the training on all rows
  bool rate_chosen = false;
  std::size_t trajectories = 1;
  unsigned threads = 1;

  std::string checkpoint(const std::string& name) const {
    return (fs::path(run.path) / "checkpoints" / (name + ".safetensors")).string();
  }
  std::string checkpoint(std::size_t trajectory) const {
    return checkpoint(fmt::format("{:03}", trajectory));
  }
};

/// What somebody who watches sees of all trajectories.
class Progress {
 public:
  void expect(std::size_t epochs) {
    const std::lock_guard lock(mutex_);
    total_ += epochs;
  }
  /// So many were done by an earlier process.
  void skip(std::size_t epochs) {
    const std::lock_guard lock(mutex_);
    total_ -= std::min(total_, epochs);
  }
  void done(const std::string& what, const bnn::Epoch& epoch) {
    const std::lock_guard lock(mutex_);
    ++done_;
    last_ = fmt::format("{}, epoch {}{}: loss {:.4f}, rate {:.2g}", what, epoch.number,
                        epoch.sampling ? " (sampling)" : "", epoch.loss, epoch.rate);
  }
  std::string line() const {
    const std::lock_guard lock(mutex_);
    if (done_ == 0) return "training";
    const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
    const double left = elapsed / static_cast<double>(done_) *
                        static_cast<double>(total_ > done_ ? total_ - done_ : 0);
    const double share =
        std::min(1.0, static_cast<double>(done_) / static_cast<double>(std::max(total_, done_)));
    constexpr double width = 20;
    return fmt::format(
        "[{:<20}] {:.0f} %, {} left; {}", std::string(static_cast<std::size_t>(width * share), '='),
        100 * share,
        left < 90 ? fmt::format("{:.0f} s", left) : fmt::format("{:.0f} min", left / 60), last_);
  }

 private:
  mutable std::mutex mutex_;
  Clock::time_point start_ = Clock::now();
  std::size_t done_ = 0;
  std::size_t total_ = 0;
  std::string last_;
};

/// The settings that matter for the result, as a JSON object.
std::string recipe_json(const Settings& settings) {
  JsonObject result(JsonSpacing::blanks);
  result.add("data", settings.words()[0]);
  for (const Setting& setting : train_settings) {
    if (setting.name == "out" || setting.name == "threads" || setting.name == "resume") continue;
    if (settings.has(setting.name))
      result.line(1).add(setting.name, setting.argument.empty()
                                           ? JsonText(true)
                                           : JsonText(settings.text(setting.name)));
  }
  return result.text();
}

/// Adds a member to a JSON object.
std::string with_member(std::string object, const std::string& name, const std::string& json) {
  object.pop_back();
  return object + ",\n " + json_string(name) + ": " + json + "}";
}

/// The words of a command line that say the same as this recipe, with the data of another file.
std::vector<std::string> recipe_words(const Json::Value& recipe,
                                      const std::vector<std::string>& data = {}) {
  std::vector<std::string> result = data;
  if (recipe.kind() != Json::Kind::object) return result;
  for (const Json::Value& member : recipe.items()) {
    const auto known = std::ranges::find(train_settings, member.key(), &Setting::name);
    if (member.key() == "data") {
      if (data.empty()) result.push_back(member.text());
    } else if (known != std::end(train_settings) && known->argument.empty())
      result.push_back("--" + member.key());
    else if (known != std::end(train_settings))
      result.push_back("--" + member.key() + "=" + member.text());
  }
  return result;
}

/// The settings that the unfinished run was started with; those given now may not contradict. The
/// file of the data may have moved: that it is the same one is for its hash to say.
Settings resumed(const Settings& now, const Run& run) {
  const Json json(run.recipe.empty() ? "{}" : run.recipe);
  Settings then("train", train_settings, recipe_words(json.root(), now.words()));
  for (const Setting& setting : train_settings) {
    if (setting.name == "resume" || setting.name == "threads" || setting.name == "out") continue;
    if (now.given(setting.name) && now.text(setting.name) != then.text(setting.name))
      throw UsageError(fmt::format("--{}: the run was started with {}", setting.name,
                                   then.has(setting.name) ? then.text(setting.name) : "none"));
  }
  if (then.words().size() != 1 && now.words().empty())
    throw Error(one_line(run.path) + ": it was not made by ciber train");
  return then;
}

/// Numbers so large or so close together that doubles cannot standardise them are refused.
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
  if (run.observation.regression())
    check(run.schema.target, scales.target_mean, scales.target_scale);
}

Job prepare(const Settings& settings, const std::string& out, bool resume, unsigned threads,
            Terminal& terminal) {
  if (settings.words().size() != 1)
    throw UsageError(settings.words().empty()
                         ? "give the file of the data: ciber train DATA.csv ..."
                         : "give one file of data, not several");
  if (!settings.has("target")) throw UsageError("--target: name the column to predict");
  Job job;
  job.threads = threads;
  job.recipe = read_recipe(settings);
  const std::string task = chosen(
      settings, "task", std::to_array<std::string_view>({"auto", "regression", "classification"}));
  const Table table = read_table(settings.words()[0]);
  const auto warn = [&](const std::string& what) {
    if (!resume) terminal.say("warning: " + what);
  };
  if (!table.header) warn("the first row has numbers only, so the columns are called c1, c2, ...");
  Run& run = job.run;
  run.schema = fit_schema(table,
                          {settings.text("target"),
                           task == "auto"         ? LearningTask::automatic
                           : task == "regression" ? LearningTask::regression
                                                  : LearningTask::classification,
                           names(settings.text("categorical")), names(settings.text("ignore"))},
                          warn);
  const bnn::Dataset all = to_dataset(table, run.schema);
  const std::size_t classes = run.schema.classes.size();
  run.path = out;
  run.observation = read_observation(settings, classes);
  run.data_hash = data_hash(table);
  run.seed = settings.count("seed", 0, std::numeric_limits<std::size_t>::max());
  run.complete = false;
  run.recipe = recipe_json(settings);

  const std::string initial =
      chosen(settings, "initial", std::to_array<std::string_view>({"xavier", "file"}));
  if (settings.has("network")) {
    try {
      run.network = read_network(settings.text("network"));
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", one_line(settings.text("network")), error.what()));
    }
    if (encoders::entry_count(run.network.input) != all.inputs.columns)
      throw Error(fmt::format("{}: the network has {} inputs, and the data {}",
                              one_line(settings.text("network")),
                              encoders::entry_count(run.network.input), all.inputs.columns));
    bnn::check_weights(run.network, run.observation, classes,
                       bnn::weights_of(run.network, run.observation));
    if (initial == "file") job.start = bnn::weights_of(run.network, run.observation);
  } else {
    if (initial == "file") throw UsageError("--initial: file needs --network");
    run.network = bnn::mlp(all.inputs.columns, settings.counts("hidden"),
                           outputs_of(run.observation, classes), settings.text("activation"),
                           settings.number("dropout", 0, 0.99));
  }
  job.trajectories = settings.count("trajectories", 1, 10'000);

  const bool automatic = settings.text("sampling-rate") == "auto";
  const bool retrain =
      chosen(settings, "retrain", std::to_array<std::string_view>({"yes", "no"})) == "yes";
  const double share = settings.number("validation", 0, 0.9);
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
  const std::vector<std::size_t> order = bnn::shuffled(all.rows(), bnn::mixed(run.seed, 1u << 20));
  const std::size_t held = needed ? count : 0;
  std::vector<std::size_t> first(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(held));
  std::vector<std::size_t> rest(order.begin() + static_cast<std::ptrdiff_t>(held), order.end());
  std::ranges::sort(first);
  std::ranges::sort(rest);
  const bnn::Dataset part = bnn::select(all, rest);
  run.standardisation =
      bnn::fit_standardisation(retrain ? all : part, run.observation.regression());
  check_scales(run);
  job.training = bnn::standardised(part, run.standardisation);
  job.validation = bnn::standardised(bnn::select(all, first), run.standardisation);
  job.rows = retrain ? bnn::standardised(all, run.standardisation) : job.training;
  return job;
}

/// Saves at most every few seconds, and at the last.
bnn::Hooks saving(const std::string& file, const std::stop_token& stop) {
  bnn::Hooks hooks;
  hooks.stop = stop;
  auto saved = std::make_shared<Clock::time_point>(Clock::now());
  hooks.checkpoint = [file, saved](const bnn::Checkpoint& checkpoint, bool last) {
    if (!last && Clock::now() < *saved + 5s) return;
    write_checkpoint(file, checkpoint);
    *saved = Clock::now();
  };
  return hooks;
}

/// The samples of all trajectories that are on the disk, in their order.
void list_samples(Job& job, const std::vector<std::size_t>& counts) {
  job.run.samples.clear();
  for (std::size_t k = 0; k < counts.size(); ++k)
    for (std::size_t i = 0; i < counts[k]; ++i)
      job.run.samples.push_back({sample_file(k * job.recipe.samples + i), k});
}

/// What an earlier process chose, kept in the recipe.
bool read_choice(Job& job, const Run& before) {
  const Json json(before.recipe.empty() ? "{}" : before.recipe);
  const auto chosen = json.root().find("chosen");
  if (!chosen) return false;
  job.recipe.sampling_rate = std::stod(chosen->at("sampling-rate").text());
  job.recipe.stop_after = std::stoul(chosen->at("epochs").text());
  return true;
}

void train_all(Job& job, bool decided, Progress& progress, const std::stop_token& stop) {
  const std::size_t sampling_epochs =
      job.recipe.every_steps ? 0 : job.recipe.samples * job.recipe.every;
  progress.expect(
      job.trajectories *
      ((job.recipe.stop_after > 0 ? job.recipe.stop_after : job.recipe.epochs) + sampling_epochs));
  if (job.choosing && !decided) {
    progress.expect(job.recipe.epochs +
                    (job.rates.size() > 1
                         ? job.rates.size() * sampling_epochs *
                               std::min(job.recipe.samples, bnn::tried_samples) / job.recipe.samples
                         : 0));
    const std::string file = job.checkpoint("choice");
    const std::optional<bnn::Checkpoint> before = read_checkpoint(file);
    bnn::Hooks hooks = saving(file, stop);
    bnn::Checkpoint last = before.value_or(bnn::Checkpoint());
    progress.skip(last.metrics.size());
    const auto save = hooks.checkpoint;
    hooks.checkpoint = [&](const bnn::Checkpoint& checkpoint, bool ending) {
      last = checkpoint;
      save(checkpoint, ending);
    };
    hooks.epoch = [&](const bnn::Epoch& epoch) { progress.done("choosing", epoch); };
    const bnn::Choice choice = bnn::choose(
        job.run.network, job.run.observation, job.training, job.validation, job.recipe, job.rates,
        bnn::mixed(job.run.seed, 0), job.threads, hooks, job.start, before ? &*before : nullptr);
    if (stop.stop_requested()) throw Stopped();
    write_checkpoint(file, last);
    JsonArray scores(JsonSpacing::blanks);
    for (const auto& [rate, score] : choice.scores)
      scores.add(JsonArray(JsonSpacing::blanks).add(rate).add(score));
    job.recipe.sampling_rate = choice.sampling_rate;
    job.recipe.stop_after = choice.epochs;
    job.run.recipe = with_member(job.run.recipe, "chosen",
                                 JsonObject(JsonSpacing::blanks)
                                     .add("sampling-rate", choice.sampling_rate)
                                     .add("epochs", choice.epochs)
                                     .add("scores", scores)
                                     .text());
    write_run(job.run);
  }
  const bool retrained = job.rows.rows() != job.training.rows();
  bnn::Recipe recipe = job.recipe;
  if (retrained) {  // the epochs are known; nothing is validated any more
    recipe.patience = 0;
    recipe.from_best = false;
  } else {
    recipe.stop_after = 0;
  }
  std::mutex mutex;
  std::vector<std::size_t> counts(job.trajectories);
  std::vector<std::vector<bnn::Epoch>> metrics(job.trajectories);
  bnn::in_parallel(job.trajectories, job.threads, [&](std::size_t k) {
    const std::optional<bnn::Checkpoint> before = read_checkpoint(job.checkpoint(k));
    if (before) {
      progress.skip(before->metrics.size());
      const std::lock_guard lock(mutex);
      counts[k] = before->samples;
    }
    bnn::Hooks hooks = saving(job.checkpoint(k), stop);
    hooks.epoch = [&](const bnn::Epoch& epoch) {
      progress.done(fmt::format("trajectory {} of {}", k + 1, job.trajectories), epoch);
    };
    hooks.sample = [&](const bnn::Weights& weights, std::size_t number) {
      write_sample(job.run, sample_file(k * recipe.samples + number), weights);
      const std::lock_guard lock(mutex);
      counts[k] = number + 1;
    };
    const auto save = hooks.checkpoint;
    hooks.checkpoint = [&](const bnn::Checkpoint& checkpoint, bool ending) {
      save(checkpoint, ending);
      if (checkpoint.samples == recipe.samples) write_checkpoint(job.checkpoint(k), checkpoint);
      if (!ending) return;
      const std::lock_guard lock(mutex);
      list_samples(job, counts);
      write_run(job.run);
    };
    const bnn::Trajectory found = bnn::train(
        job.run.network, job.run.observation, job.rows, retrained ? bnn::Dataset() : job.validation,
        recipe, bnn::mixed(job.run.seed, k), hooks, job.start, before ? &*before : nullptr);
    metrics[k] = found.metrics;
  });
  if (stop.stop_requested()) throw Stopped();
  list_samples(job, counts);
  std::string lines(metrics_header);
  if (const auto choice = read_checkpoint(job.checkpoint("choice")))
    lines += metrics_lines(0, "choice", choice->metrics);
  for (std::size_t k = 0; k < metrics.size(); ++k) lines += metrics_lines(k, "train", metrics[k]);
  save((fs::path(job.run.path) / "metrics.csv").string(), lines);
  job.run.complete = true;
  write_run(job.run);
  std::error_code ignored;
  fs::remove_all(fs::path(job.run.path) / "checkpoints", ignored);
}

/// How far the mean of the samples is from the outcomes of these rows: the root mean square, which
/// for standardised outcomes is a part of their deviation.
double mean_error(const Job& job, const std::vector<bnn::Weights>& samples,
                  const bnn::Dataset& rows) {
  std::vector<double> means(rows.rows());
  for (const bnn::Weights& weights : samples) {
    const bnn::Matrix found = bnn::outputs(job.run.network, weights, rows.inputs);
    for (std::size_t i = 0; i < rows.rows(); ++i)
      means[i] += found.at(i, 0) / static_cast<double>(samples.size());
  }
  double square = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i)
    square += (means[i] - rows.targets[i]) * (means[i] - rows.targets[i]);
  return std::sqrt(square / static_cast<double>(rows.rows()));
}

/// What a reader of the summary should know of the samples.
std::string summary(const Job& job, Terminal& terminal) {
  std::vector<bnn::Weights> samples;
  for (std::size_t i = 0; i < job.run.samples.size(); ++i)
    samples.push_back(read_sample(job.run, i));
  std::vector<std::size_t> some = bnn::shuffled(job.rows.rows(), 1);
  if (some.size() > 1000) some.resize(1000);
  const bnn::Dataset rows = bnn::select(job.rows, some);
  const double spread = bnn::relative_spread(job.run.network, job.run.observation, samples, rows);
  std::string text = fmt::format("{} rows, {} inputs; {} samples", job.rows.rows(),
                                 job.rows.inputs.columns, samples.size());
  if (job.trajectories > 1) text += fmt::format(" of {} trajectories", job.trajectories);
  text +=
      fmt::format(" at the rate {}{}\n", job.recipe.sampling_rate,
                  job.rate_chosen ? fmt::format(", chosen on {} rows", job.validation.rows()) : "");
  if (samples.size() > 1)
    text += fmt::format("spread over the samples: {:.2f} of the noise\n", spread);
  if (job.run.observation.regression())
    text += fmt::format("error on training rows: {:.2f} of the target's deviation\n",
                        mean_error(job, samples, rows));
  if (samples.size() > 1 && spread < 0.2)
    terminal.say(
        "warning: the samples hardly differ, so there is little to average; a larger "
        "--sampling-rate, or several --trajectories, would help");
  return text + fmt::format("{}: complete\n", one_line(job.run.path));
}

int run_train(const Settings& given, Terminal& terminal) {
  if (!given.has("out")) throw UsageError("--out: name the run directory to make");
  const std::string out = given.text("out");
  const bool resume = given.flag("resume");
  const unsigned threads = given.has("threads")
                               ? static_cast<unsigned>(given.count("threads", 1, 1024))
                               : std::max(1u, std::thread::hardware_concurrency());
  std::error_code error;
  const bool there = fs::exists(fs::path(out) / "run.json", error);
  std::optional<Run> before;
  if (resume) {
    before = read_run(out);
    if (before->complete) {
      terminal.print(fmt::format("{}: complete already\n", one_line(out)));
      return 0;
    }
  } else if (there) {
    const bool complete = read_run(out).complete;
    throw UsageError(fmt::format(
        "--out: {} holds a run already{}", one_line(out),
        complete ? "; give another name, or remove it" : ", unfinished; --resume goes on with it"));
  } else if (fs::exists(out, error) &&
             !(fs::is_directory(out, error) && fs::is_empty(out, error))) {
    throw UsageError(fmt::format("--out: {} is there, and is no run", one_line(out)));
  }
  Job job = prepare(before ? resumed(given, *before) : given, out, resume, threads, terminal);
  bool decided = false;
  if (before) {
    if (before->data_hash != job.run.data_hash)
      throw Error(
          fmt::format("{}: the run was started with other data (its hash differs)", one_line(out)));
    job.run.recipe = before->recipe;
    decided = read_choice(job, *before);
  }
  if (!before) {
    write_training_rows(job.run, job.rows);
    write_run(job.run);
  }
  Progress progress;
  const bool trained = supervised(
      terminal, threads,
      [&](const std::stop_token& stop) { train_all(job, decided, progress, stop); },
      [&] { return progress.line(); },
      [&](std::string_view reason) {
        return fmt::format("stopped by {}; ciber train --resume --out {} goes on", reason,
                           one_line(out));
      });
  if (!trained) return 3;
  terminal.print(summary(job, terminal));
  return 0;
}

}  // namespace

bnn::Recipe recipe_of(const Run& run) {
  const Json json(run.recipe.empty() ? "{}" : run.recipe);
  bnn::Recipe recipe = read_recipe(Settings("train", train_settings, recipe_words(json.root())));
  if (const auto chosen = json.root().find("chosen"))
    if (const auto rate = chosen->find("sampling-rate"))
      recipe.sampling_rate = std::stod(rate->text());
  return recipe;
}

Command train_command() {
  return {"train",
          "DATA.csv --target COLUMN --out RUN [options]",
          "Trains a network on the rows of a table and keeps samples of its weights, taken along\n"
          "the way at a learning rate that keeps them moving. Columns of words become one input\n"
          "for each word; numbers are standardised. Ctrl-C stops it, --resume goes on.",
          train_settings,
          examples,
          run_train};
}

}  // namespace wmi::frontends
