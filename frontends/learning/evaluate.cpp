// ciber evaluate: all methods on the same splits of a data set, or on held-out rows of a run.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <thread>

#include "bnn/data/metrics.h"
#include "bnn/numeric/parallel.h"
#include "bnn/numeric/random.h"
#include "bnn/training/methods.h"
#include "bnn/training/recipes.h"
#include "frontends/cli/supervised.h"
#include "frontends/common/json_writer.h"
#include "frontends/data/journal.h"
#include "frontends/data/run_directory.h"
#include "frontends/data/splits.h"
#include "frontends/data/table.h"
#include "frontends/learning/commands.h"
#include "frontends/learning/split_training.h"
#include "frontends/plots/plain_number.h"
#include "frontends/wmi/options.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

constexpr Setting settings_table[] = {
    {"data", "FILE", "", "of a RUN: the rows to score, a CSV file with the target"},
    {"methods", "NAMES", "", "those to compare, separated by commas (default: all that fit)"},
    {"out", "DIR", "", "of splits: where results.csv is kept; run again to go on"},
    {"recipe", "NAME", "",
     "of splits: boston, concrete, energy, yacht, naval (default: by the name "
     "of the directory)"},
    {"hidden", "N,N", "50", "of splits: units of the hidden layers"},
    {"splits", "N", "", "of splits: only the first N"},
    {"trajectories", "K", "5", "of splits: trainings of each"},
    {"samples", "N", "40", "of splits: of each trajectory, and in a pooled average altogether"},
    {"epochs", "N", "", "of splits: instead of the recipe's"},
    {"validation", "SHARE", "0.1", "of splits: of the training rows, where the recipe needs them"},
    {"retrain", "yes|no", "yes",
     "of splits: what was found on validation rows is repeated on all training rows"},
    {"floor", "EPS", "0", "densities count as at least this, for every method alike"},
    {"seed", "N", "1", "decides everything that is drawn"},
    {"threads", "N", "", "at once; the numbers do not depend on it (default: all cores)"},
    {"json", "", "", "one JSON object a line"},
};

constexpr std::string_view examples =
    "  ciber evaluate houses.run --data later.csv\n"
    "  ciber evaluate data/bostonHousing --out boston --recipe boston\n";

unsigned thread_count(const Settings& settings) {
  if (settings.given("threads")) return static_cast<unsigned>(settings.count("threads", 1, 1024));
  return std::max(1u, std::thread::hardware_concurrency());
}

std::vector<const Method*> chosen_methods(const Settings& settings, bool several) {
  std::vector<const Method*> result;
  const std::string& names = settings.text("methods");
  if (names.empty()) {
    for (const Method& method : methods())
      if (method.standard && (several || !method.pooled)) result.push_back(&method);
    return result;
  }
  for (std::size_t at = 0; at <= names.size();) {
    const std::size_t comma = std::min(names.find(',', at), names.size());
    const Method& method = find_method(names.substr(at, comma - at));
    if (method.pooled && !several)
      throw UsageError(
          fmt::format("--methods: {} needs several trajectories", std::string(method.name)));
    result.push_back(&method);
    at = comma + 1;
  }
  return result;
}

/// A row of the table that is printed: scores, and differences of the first to the plain average.
struct Line {
  std::string method;
  std::vector<bnn::Estimate> scores;  // value and standard error or interval, by metric
  bnn::Estimate difference;
};

void print(const std::vector<Line>& lines, std::span<const bnn::Metric> metrics, bool errors,
           bool json, Terminal& terminal) {
  if (json) {
    for (const Line& line : lines) {
      JsonObject object;
      object.add("method", line.method);
      const auto add = [&](std::string_view name, const bnn::Estimate& estimate) {
        object.add(name, JsonObject()
                             .add("value", estimate.value)
                             .add("lower", estimate.lower)
                             .add("upper", estimate.upper));
      };
      for (std::size_t m = 0; m < metrics.size(); ++m) add(metrics[m].name, line.scores[m]);
      add("difference", line.difference);
      terminal.print(object.text() + "\n");
    }
    return;
  }
  const auto show = [&](const bnn::Estimate& estimate) {
    if (std::isnan(estimate.value)) return std::string("-");
    const int places = std::min(3, decimal_places(std::max(1.0, std::abs(estimate.value)), 4));
    if (errors)
      return fmt::format("{:.{}f} +- {:.{}f}", estimate.value, places,
                         (estimate.upper - estimate.lower) / 2, places);
    return fmt::format("{:.{}f} [{:.{}f}, {:.{}f}]", estimate.value, places, estimate.lower, places,
                       estimate.upper, places);
  };
  std::vector<std::vector<std::string>> cells{{"method"}};
  for (const bnn::Metric& metric : metrics) {
    cells[0].emplace_back(metric.title);
    if (&metric == &metrics[0]) cells[0].emplace_back("minus average's");
  }
  for (const Line& line : lines) {
    cells.push_back({line.method});
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      cells.back().push_back(show(line.scores[m]));
      if (m == 0) cells.back().push_back(show(line.difference));
    }
  }
  std::vector<std::size_t> widths(cells[0].size());
  for (const auto& row : cells)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  for (const auto& row : cells) {
    std::string text;
    for (std::size_t i = 0; i < row.size(); ++i)
      text += i == 0 ? fmt::format("{:<{}}", row[i], widths[i])
                     : fmt::format("  {:>{}}", row[i], widths[i]);
    terminal.print(text + "\n");
  }
}

bnn::PredictiveOptions predictive_options(const Settings& settings) {
  bnn::PredictiveOptions options;
  options.floor = settings.number("floor", 0, 1e300);
  return options;
}

// --- the rows of a run ------------------------------------------------------------------------

int evaluate_run(const std::string& path, const Settings& settings, Terminal& terminal) {
  for (const std::string_view name : {"out", "recipe", "splits", "epochs"})
    if (settings.given(name))
      throw UsageError(fmt::format("--{}: is for splits of a data set, not for a run", name));
  if (!settings.has("data")) throw UsageError("--data: needs a CSV file with rows to score");
  const Run run = read_run(path);
  if (run.samples.empty()) throw Error(path + ": has no samples yet; see ciber train --resume");
  Experiment experiment{run.network, run.observation, run.standardisation, {}, {}, run.seed};
  const std::optional<bnn::Dataset> training = read_training_rows(run);
  if (training) experiment.training = *training;
  const bnn::Weights first = read_sample(run, 0);
  for (std::size_t i = 0; i < run.samples.size(); ++i) {
    const std::size_t trajectory = run.samples[i].trajectory;
    if (experiment.trajectories.size() <= trajectory)
      experiment.trajectories.resize(trajectory + 1);
    experiment.trajectories[trajectory].push_back(read_sample(run, i));
    check_alike(run, i, first, experiment.trajectories[trajectory].back());
  }
  std::erase_if(experiment.trajectories, [](const auto& samples) { return samples.empty(); });
  const bnn::Dataset rows = to_dataset(read_table(settings.text("data")), run.schema);
  if (rows.rows() == 0) throw Error(settings.text("data") + ": has no rows");
  const bnn::Dataset standard = bnn::standardised(rows, run.standardisation);
  bnn::PredictiveOptions options = predictive_options(settings);
  options.threads = thread_count(settings);
  if (options.floor > 0 && !run.observation.regression())
    throw UsageError("--floor: is about densities, and the target has classes");
  const std::span<const bnn::Metric> metrics = bnn::metrics(run.observation.regression());
  std::vector<Line> lines;
  const std::vector<bnn::Forecast> average =
      forecasts(find_method("average"), experiment, standard, run.samples.size(), options);
  for (const Method* method : chosen_methods(settings, experiment.trajectories.size() > 1)) {
    if (method->posterior == "conditional" && !training) {
      terminal.say(fmt::format("{}: left out; the run has no training rows", method->name));
      continue;
    }
    const std::vector<bnn::Forecast> found =
        forecasts(*method, experiment, standard, run.samples.size(), options);
    Line line{std::string(method->name), {}, {}};
    for (const bnn::Metric& metric : metrics)
      line.scores.push_back(bnn::estimate(metric, found, rows.targets));
    line.difference = bnn::paired_difference(metrics[0], found, average, rows.targets);
    lines.push_back(std::move(line));
  }
  print(lines, metrics, false, settings.flag("json"), terminal);
  return 0;
}

// --- splits of a data set ---------------------------------------------------------------------

struct Plan {
  SplitData data;
  SplitTraining training;
  std::uint64_t seed;
  std::vector<const Method*> methods;
  bnn::PredictiveOptions options;
};

/// Trains on one split and scores all methods: a line for each.
std::vector<std::string> run_split(const Plan& plan, std::size_t split, std::stop_token stop) {
  const std::uint64_t seed = bnn::mixed(plan.seed, split);
  const bnn::Dataset test = bnn::select(plan.data.rows, plan.data.tests[split]);
  Experiment experiment = open_split(plan.data, split, plan.training, seed);
  add_trajectories(experiment, plan.training, stop);
  std::vector<std::string> lines;
  const bnn::Dataset rows = bnn::standardised(test, experiment.standardisation);
  for (const Method* method : plan.methods) {
    const std::vector<bnn::Forecast> found =
        forecasts(*method, experiment, rows, plan.training.recipe.samples, plan.options);
    std::string line(method->name);
    for (const bnn::Metric& metric : bnn::metrics(true))
      line += fmt::format(",{}", bnn::score(metric, found, test.targets));
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string split_name(std::size_t split) { return fmt::format("{:03}", split); }

/// The scores of a method, by split: a column for each metric.
using Scores = std::map<std::string, std::vector<std::vector<double>>, std::less<>>;

/// Of the first splits: an earlier command may have done more.
Scores read_scores(const Journal& journal, std::size_t splits) {
  Scores result;
  for (std::size_t split = 0; split < splits; ++split)
    for (const std::string& line : journal.groups().at(split_name(split))) {
      const std::size_t comma = line.find(',');
      const auto rows = parse_numbers(line.substr(comma + 1), "results.csv");
      result[line.substr(0, comma)].push_back(rows.at(0));
    }
  return result;
}

bnn::Estimate with_error(std::span<const double> scores) {
  const bnn::Spread spread = bnn::over_splits(scores);
  return {spread.mean, spread.mean - spread.standard_error, spread.mean + spread.standard_error};
}

/// The recipe that is named, or the one whose name the directory begins with.
bnn::Recipe recipe_for(const std::string& directory, const Settings& settings) {
  std::string name = settings.text("recipe");
  if (name.empty()) {
    fs::path path = fs::path(directory).lexically_normal();
    if (path.filename().empty()) path = path.parent_path();
    for (const RecipeEntry& entry : recipes())
      if (path.filename().string().starts_with(entry.name)) name = entry.name;
    if (name.empty())
      throw UsageError("--recipe: needs a name: boston, concrete, energy, yacht or naval");
  }
  bnn::Recipe recipe = find_recipe(name);
  recipe.samples = settings.count("samples", 1, 100'000);
  if (settings.given("epochs")) recipe.epochs = settings.count("epochs", 1, 1'000'000'000);
  return recipe;
}

int evaluate_splits(const std::string& directory, const Settings& settings, Terminal& terminal) {
  if (settings.given("data")) throw UsageError("--data: is for a run, not for splits");
  if (!settings.has("out")) throw UsageError("--out: needs a directory for results.csv");
  Plan plan{read_split_directory(directory),
            {.hidden = settings.counts("hidden"),
             .recipe = recipe_for(directory, settings),
             .trajectories = settings.count("trajectories", 1, 1000),
             .validation = settings.number("validation", 0.01, 0.9),
             .retrain = settings.choice("retrain",
                                        std::to_array<std::string_view>({"yes", "no"})) == "yes"},
            settings.count("seed", 0, SIZE_MAX),
            {},
            predictive_options(settings)};
  plan.methods = chosen_methods(settings, plan.training.trajectories > 1);
  std::size_t splits = plan.data.tests.size();
  if (settings.given("splits")) splits = settings.count("splits", 1, splits);

  std::string header = "split,method";
  for (const bnn::Metric& metric : bnn::metrics(true)) header += fmt::format(",{}", metric.name);
  std::string names;
  for (const Method* method : plan.methods) names += fmt::format(" {}", method->name);
  const std::string setup = fmt::format(
      "{} rows, hidden {}, {} epochs of batches of {} at {}, decay {}, beta {}, sampling at {} "
      "every "
      "{}{}, {} trajectories of {}, seed {}, floor {}, methods{}",
      plan.data.rows.rows(), fmt::join(plan.training.hidden, ","), plan.training.recipe.epochs,
      plan.training.recipe.batch, plan.training.recipe.rate, plan.training.recipe.weight_decay,
      plan.training.recipe.beta, plan.training.recipe.sampling_rate, plan.training.recipe.every,
      !plan.training.recipe.from_best ? ""
      : plan.training.retrain         ? " after as many epochs as are best for validation rows"
                                      : " from the best validation epoch",
      plan.training.trajectories, plan.training.recipe.samples, plan.seed, plan.options.floor,
      names);
  fs::create_directories(settings.text("out"));
  Journal journal(fs::path(settings.text("out")) / "results.csv", header, setup);

  std::vector<std::size_t> open;
  for (std::size_t split = 0; split < splits; ++split)
    if (!journal.groups().contains(split_name(split))) open.push_back(split);
  if (open.size() < splits)
    terminal.say(fmt::format("{} of {} splits are done already", splits - open.size(), splits));
  const auto start = std::chrono::steady_clock::now();
  const unsigned threads = thread_count(settings);
  std::atomic<std::size_t> done = 0;
  const auto progress = [&] {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    const std::size_t now = done;
    std::string line = fmt::format("{} of {} splits", splits - open.size() + now, splits);
    if (now > 0)
      line += fmt::format(", {:.0f} s left", elapsed.count() / static_cast<double>(now) *
                                                 static_cast<double>(open.size() - now));
    return line;
  };
  const bool finished = supervised(
      terminal, threads,
      [&](const std::stop_token& stop) {
        bnn::in_parallel(open.size(), threads, [&](std::size_t i) {
          journal.add(split_name(open[i]), run_split(plan, open[i], stop));
          ++done;
        });
      },
      progress,
      [&](std::string_view reason) {
        return fmt::format("stopped by {} after {} of {} splits; the same command goes on", reason,
                           splits - open.size() + done, splits);
      });
  if (!finished) return 3;

  const Scores scores = read_scores(journal, splits);
  std::vector<Line> lines;
  for (const Method* method : plan.methods) {
    const auto& found = scores.find(method->name)->second;
    Line line{std::string(method->name), {}, {}};
    for (std::size_t m = 0; m < bnn::metrics(true).size(); ++m) {
      std::vector<double> column;
      for (const auto& row : found) column.push_back(row.at(m));
      line.scores.push_back(with_error(column));
    }
    if (const auto average = scores.find("average"); average != scores.end()) {
      std::vector<double> differences;
      for (std::size_t i = 0; i < found.size(); ++i)
        differences.push_back(found[i][0] - average->second[i][0]);
      line.difference = with_error(differences);
    } else {
      line.difference.value = std::nan("");
    }
    lines.push_back(std::move(line));
  }
  if (!settings.flag("json"))
    terminal.print(fmt::format("{} splits; mean +- standard error over splits\n", splits));
  print(lines, bnn::metrics(true), true, settings.flag("json"), terminal);
  return 0;
}

int evaluate(const Settings& settings, Terminal& terminal) {
  if (settings.words().size() != 1)
    throw UsageError("evaluate: needs one directory, a run's or one with splits");
  const std::string& path = settings.words()[0];
  if (!fs::is_directory(path)) throw Error(path + ": is no directory");
  return fs::exists(fs::path(path) / "run.json") ? evaluate_run(path, settings, terminal)
                                                 : evaluate_splits(path, settings, terminal);
}

}  // namespace

Command evaluate_command() {
  return {"evaluate",
          "RUN --data FILE | DIRECTORY --out DIR",
          "Compares methods: on rows that a run has not seen, or on all splits of a data set.",
          settings_table,
          examples,
          evaluate};
}

}  // namespace wmi::frontends
