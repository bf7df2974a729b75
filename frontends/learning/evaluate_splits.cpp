#include "frontends/learning/evaluate_splits.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <stop_token>
#include <string_view>
#include <vector>

#include "bnn/data/metrics.h"
#include "bnn/numeric/random.h"
#include "bnn/training/methods.h"
#include "bnn/training/recipes.h"
#include "frontends/cli/supervised.h"
#include "frontends/cli/usage_error.h"
#include "frontends/data/directory_lock.h"
#include "frontends/data/journal.h"
#include "frontends/data/splits.h"
#include "frontends/learning/compared_methods.h"
#include "frontends/learning/journaled_tasks.h"
#include "frontends/learning/score_table.h"
#include "frontends/learning/split_training.h"
#include "frontends/learning/thread_count.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// What is trained and compared on every split.
struct Plan {
  SplitData data;
  SplitTraining training;
  std::uint64_t seed;
  std::vector<const bnn::ComparedMethod*> methods;
  bnn::PredictiveOptions options;
};

/// The recipe that is named, or the one whose name the directory begins with.
bnn::Recipe recipe_for(const std::string& directory, const Settings& settings) {
  std::string name = settings.text("recipe");
  if (name.empty()) {
    fs::path path = fs::path(directory).lexically_normal();
    if (path.filename().empty()) path = path.parent_path();
    for (const bnn::RecipeEntry& entry : bnn::recipes())
      if (path.filename().string().starts_with(entry.name)) name = entry.name;
    if (name.empty())
      throw UsageError("--recipe: needs a name: boston, concrete, energy, yacht or naval");
  }
  bnn::Recipe recipe = bnn::find_recipe(name);
  recipe.samples = settings.count("samples");
  if (settings.given("epochs")) recipe.epochs = settings.count("epochs");
  return recipe;
}

Plan read_plan(const std::string& directory, const Settings& settings) {
  Plan plan{read_split_directory(directory),
            {.hidden = settings.counts("hidden"),
             .recipe = recipe_for(directory, settings),
             .trajectories = settings.count("trajectories"),
             .validation = settings.number("validation"),
             .retrain = settings.text("retrain") == "yes"},
            settings.count("seed"),
            {},
            evaluation_options(settings)};
  plan.methods = compared_methods(settings, plan.training.trajectories > 1);
  return plan;
}

std::string journal_header() {
  std::string header = "split,method";
  for (const bnn::Metric& metric : bnn::metrics(true)) header += fmt::format(",{}", metric.name);
  return header;
}

/// Everything that determines the results, for the journal.
std::string setup(const Plan& plan) {
  const bnn::Recipe& recipe = plan.training.recipe;
  std::string names;
  for (const bnn::ComparedMethod* method : plan.methods) names += fmt::format(" {}", method->name);
  return fmt::format(
      "{} rows, hidden {}, {} epochs of batches of {} at {}, decay {}, beta {}, sampling at {} "
      "every "
      "{}{}, {} trajectories of {}, seed {}, floor {}, methods{}",
      plan.data.rows.rows(), fmt::join(plan.training.hidden, ","), recipe.epochs, recipe.batch,
      recipe.rate, recipe.weight_decay, recipe.beta, recipe.sampling_rate, recipe.every,
      !recipe.from_best       ? ""
      : plan.training.retrain ? " after as many epochs as are best for validation rows"
                              : " from the best validation epoch",
      plan.training.trajectories, recipe.samples, plan.seed, plan.options.floor, names);
}

/// Trains on one split and scores all methods: a line for each.
std::vector<std::string> run_split(const Plan& plan, std::size_t split,
                                   const std::stop_token& stop) {
  const std::uint64_t seed = bnn::mixed(plan.seed, split);
  const bnn::Dataset test = bnn::select(plan.data.rows, plan.data.tests[split]);
  bnn::Experiment experiment = open_split(plan.data, split, plan.training, seed);
  add_trajectories(experiment, plan.training, stop);
  std::vector<std::string> lines;
  const bnn::Dataset rows = bnn::standardised(test, experiment.standardisation);
  for (const bnn::ComparedMethod* method : plan.methods) {
    const std::vector<bnn::Forecast> found =
        bnn::forecasts(*method, experiment, rows, plan.training.recipe.samples, plan.options);
    std::string line(method->name);
    for (const bnn::Metric& metric : bnn::metrics(true))
      line += fmt::format(",{}", bnn::score(metric, found, test.targets));
    lines.push_back(std::move(line));
  }
  return lines;
}

/// The scores of each method: a row for each split, a column for each metric.
using SplitScores = std::map<std::string, std::vector<std::vector<double>>, std::less<>>;

SplitScores read_scores(const JournaledTasks& splits) {
  SplitScores result;
  for (std::size_t split = 0; split < splits.count(); ++split)
    for (const std::string& line : splits.lines(split)) {
      const std::size_t comma = line.find(',');
      const auto rows = parse_numbers(line.substr(comma + 1), "results.csv");
      result[line.substr(0, comma)].push_back(rows.at(0));
    }
  return result;
}

/// The mean with one standard error to either side.
bnn::Estimate with_error(std::span<const double> scores) {
  const bnn::Spread spread = bnn::over_splits(scores);
  return {spread.mean, spread.mean - spread.standard_error, spread.mean + spread.standard_error};
}

std::vector<ScoreRow> score_rows(const Plan& plan, const SplitScores& scores) {
  std::vector<ScoreRow> result;
  for (const bnn::ComparedMethod* method : plan.methods) {
    const auto& found = scores.find(method->name)->second;
    ScoreRow row{std::string(method->name), {}, {}};
    for (std::size_t m = 0; m < bnn::metrics(true).size(); ++m) {
      std::vector<double> column;
      column.reserve(found.size());
      for (const auto& split : found) column.push_back(split.at(m));
      row.scores.push_back(with_error(column));
    }
    if (const auto average = scores.find("average"); average != scores.end()) {
      std::vector<double> differences;
      for (std::size_t i = 0; i < found.size(); ++i)
        differences.push_back(found[i][0] - average->second[i][0]);
      row.difference = with_error(differences);
    } else {
      row.difference.value = std::nan("");
    }
    result.push_back(std::move(row));
  }
  return result;
}

/// `3 of 20 splits, 40 s left`
std::string progress_line(const JournaledTasks& splits, Clock::time_point start) {
  const std::chrono::duration<double> elapsed = Clock::now() - start;
  const std::size_t done = splits.done();
  const std::size_t now = done + splits.open() - splits.count();  // by this process
  std::string line = fmt::format("{} of {} splits", done, splits.count());
  if (now > 0)
    line += fmt::format(", {:.0f} s left", elapsed.count() / static_cast<double>(now) *
                                               static_cast<double>(splits.open() - now));
  return line;
}

}  // namespace

int evaluate_splits(const std::string& directory, const Settings& settings, Terminal& terminal) {
  if (settings.given("data")) throw UsageError("--data: is for a run, not for splits");
  if (!settings.has("out")) throw UsageError("--out: needs a directory for results.csv");
  const Plan plan = read_plan(directory, settings);
  const std::size_t available = plan.data.tests.size();
  const bnn::Experiment first = open_split(plan.data, 0, plan.training, plan.seed);
  bnn::check_model(first.network, first.observation);
  const std::size_t count =
      settings.given("splits") ? settings.count("splits", 1, available) : available;
  const DirectoryLock lock(settings.text("out"));
  Journal journal(fs::path(settings.text("out")) / "results.csv", journal_header(), setup(plan));
  JournaledTasks splits(journal, count, 3);
  if (splits.done() > 0)
    terminal.say(fmt::format("{} of {} splits are done already", splits.done(), count));

  const Clock::time_point start = Clock::now();
  const unsigned threads = thread_count(settings);
  const bool finished = supervised(
      terminal, threads,
      [&](const std::stop_token& stop) {
        splits.run(threads, [&](std::size_t split) { return run_split(plan, split, stop); });
      },
      [&] { return progress_line(splits, start); },
      [&](std::string_view reason) {
        return fmt::format("stopped by {} after {} of {} splits; the same command goes on", reason,
                           splits.done(), count);
      });
  if (!finished) return 3;

  const std::vector<ScoreRow> rows = score_rows(plan, read_scores(splits));
  if (settings.flag("json")) {
    terminal.print(score_json_lines(rows, bnn::metrics(true)));
  } else {
    terminal.print(fmt::format("{} splits; mean +- standard error over splits\n", count));
    terminal.print(score_table(rows, bnn::metrics(true), IntervalStyle::standard_error));
  }
  return 0;
}

}  // namespace wmi::frontends
