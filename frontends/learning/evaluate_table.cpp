// Cross-validation on one table. Each fold is trained by a `ciber train` of its own, as a user would
// start it, so that nothing of the held-out rows can reach it. The forecasts of all folds are scored
// together: every row once.

#include "frontends/learning/evaluate_table.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <numeric>
#include <vector>

#include "bnn/numeric/random.h"
#include "bnn/training/methods.h"
#include "frontends/cli/command.h"
#include "frontends/cli/supervised.h"
#include "frontends/cli/usage_error.h"
#include "frontends/common/comma_separated.h"
#include "frontends/common/line.h"
#include "frontends/common/read_file.h"
#include "frontends/common/write_file.h"
#include "frontends/data/csv_writer.h"
#include "frontends/data/run_directory.h"
#include "frontends/data/schema.h"
#include "frontends/data/table.h"
#include "frontends/learning/child_process.h"
#include "frontends/learning/commands.h"
#include "frontends/learning/predictor.h"
#include "frontends/learning/rivals.h"
#include "frontends/learning/score_table.h"
#include "frontends/learning/thread_count.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

/// The directory of --out, or a temporary one that is removed in the end.
class Workspace {
 public:
  explicit Workspace(const Settings& settings) : kept_(settings.has("out")) {
    if (kept_) {
      path_ = settings.text("out");
      std::error_code error;
      if (fs::exists(path_ / "fold-0.run", error))
        throw UsageError(
            fmt::format("--out: {} holds an evaluation already", one_line(path_.string())));
      if (fs::exists(path_ / "run.json", error))
        throw UsageError(
            fmt::format("--out: {} holds a run; name another directory", one_line(path_.string())));
      fs::create_directories(path_, error);
      if (error) throw WriteError(fmt::format("{}: {}", one_line(path_.string()), error.message()));
      return;
    }
    std::string name = (fs::temp_directory_path() / "ciber-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw WriteError(name + ": cannot be made");
    path_ = name;
  }
  ~Workspace() {
    std::error_code ignored;
    if (!kept_) fs::remove_all(path_, ignored);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  fs::path file(const std::string& name) const { return path_ / name; }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
  bool kept_;
};

/// The fold of each row: at random, and of classes the same share of each in every fold.
std::vector<std::size_t> folds_of(const Table& table, const Schema& schema, std::size_t folds,
                                  std::uint64_t seed) {
  std::vector<std::size_t> order = bnn::shuffled(table.rows(), seed);
  if (!schema.classes.empty()) {
    const std::size_t target = column_index(table, schema.target, "");
    std::ranges::stable_sort(order, {}, [&](std::size_t row) { return table.cell(row, target); });
  }
  std::vector<std::size_t> result(table.rows());
  for (std::size_t i = 0; i < order.size(); ++i) result[order[i]] = i % folds;
  return result;
}

/// The rows of one fold, or all others.
Table part(const Table& table, const std::vector<std::size_t>& folds, std::size_t fold,
           bool inside) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < table.rows(); ++i)
    if ((folds[i] == fold) == inside) rows.push_back(i);
  return select(table, rows);
}

/// As the table has them, also cells that a spreadsheet would compute.
std::string csv(const Table& table) {
  std::string text = csv_line(table.columns, CsvFormulas::kept);
  for (std::size_t i = 0; i < table.rows(); ++i) {
    std::vector<std::string> cells;
    for (std::size_t j = 0; j < table.columns.size(); ++j) cells.push_back(table.cell(i, j));
    text += csv_line(cells, CsvFormulas::kept);
  }
  return text;
}

/// The forecasts of all methods for the rows of all folds so far.
struct Collected {
  std::vector<MethodForecasts> methods;
  std::vector<double> outcomes;
  std::map<std::string, std::string> missing;  // methods that some fold lacks, and why
  std::map<std::string, double> seconds;       // of the processor, of rivals
  std::size_t unreadable = 0;                  // rows with words that the other folds lack

  void add(const std::string& method, std::vector<bnn::Forecast> forecasts) {
    auto found = std::ranges::find(methods, method, &MethodForecasts::method);
    if (found == methods.end()) found = methods.insert(methods.end(), {method, {}});
    found->forecasts.insert(found->forecasts.end(), forecasts.begin(), forecasts.end());
  }
};

/// Trains on all rows but those of a fold, in a process of its own.
void train_fold(const Table& rows, const fs::path& file, const fs::path& run,
                const Settings& settings, std::uint64_t seed, const std::stop_token& stop) {
  save(file.string(), csv(rows));
  std::vector<std::string> words{"/proc/self/exe",        "train", file.string(), "--target",
                                 settings.text("target"), "--out", run.string(),  "--seed",
                                 std::to_string(seed)};
  for (const char* const name : {"task", "categorical", "ignore", "tails", "hidden", "trajectories",
                                 "samples", "epochs", "threads"})
    if (settings.given(name))
      words.insert(words.end(), {fmt::format("--{}", name), settings.text(name)});
  const std::string log = run.string() + ".log";
  const int status = run_child(words, {"", "", log}, stop);
  if (status == 0) return;
  std::string said = read_file(log);
  said.erase(std::min(said.find_last_not_of('\n') + 1, said.size()));
  said.erase(0, said.find_last_of('\n') + 1);
  throw Error(fmt::format("training without a fold failed: {}", one_line(said)));
}

/// The methods that are compared with the default of `ciber predict`, each by its options.
struct Variant {
  const char* name;
  std::vector<std::string> options;
};
const std::vector<Variant>& variants() {
  static const std::vector<Variant> table{
      {"ciber", {}},
      {"average", {"--partition", "none"}},
      {"conditional", {"--posterior", "conditional"}},
      {"moment", {"--posterior", "moment"}},
  };
  return table;
}

void forecast_fold(const fs::path& run, const Table& training, const Table& test,
                   const Settings& settings, const Workspace& workspace, std::uint64_t seed,
                   const std::stop_token& stop, Collected& collected) {
  const Command predict = predict_command();
  const std::vector<Setting> table = all_settings(predict);
  RivalTask task;
  for (const Variant& variant : variants()) {
    if (settings.text("tails") == "student" && variant.name == std::string_view("moment")) {
      collected.missing.emplace(variant.name, "its boxes have no law with Student's noise");
      continue;
    }
    std::vector<std::string> words = variant.options;
    if (settings.given("threads"))
      words.insert(words.end(), {"--threads", settings.text("threads")});
    const Predictor predictor =
        read_predictor(run.string(), Settings(predict.full_name(), table, words));
    if (task.test.targets.empty()) {  // the same for all variants
      task.classes = predictor.run.schema.classes.size();
      task.standardisation = predictor.run.standardisation;
      const ReadRows read = read_rows(test, predictor.run.schema);
      std::vector<std::size_t> good;
      for (std::size_t i = 0; i < test.rows(); ++i)
        if (!read.errors.contains(i)) good.push_back(i);
      collected.unreadable += read.errors.size();
      const bnn::Dataset raw = bnn::select(read.data, good);
      task.test = bnn::standardised(raw, task.standardisation);
      task.training =
          bnn::standardised(to_dataset(training, predictor.run.schema), task.standardisation);
      collected.outcomes.insert(collected.outcomes.end(), raw.targets.begin(), raw.targets.end());
    }
    collected.add(variant.name, forecasts(predictor, task.test));
  }
  if (settings.text("rivals") != "yes") return;
  task.seed = seed;
  for (Rival& rival : run_rivals(task, settings.text("python"), workspace.path(), stop))
    if (rival.missing.empty()) {
      collected.add(rival.name, std::move(rival.forecasts));
      collected.seconds[rival.name] += rival.seconds;
    } else {
      collected.missing.emplace(rival.name, rival.missing);
    }
}

std::string seconds_in_words(const std::map<std::string, double>& seconds) {
  std::string result;
  for (const auto& [name, value] : seconds)
    result +=
        fmt::format("{}{} {:.1f}", result.empty() ? "processor seconds: " : ", ", name, value);
  return result.empty() ? "" : result + "\n";
}

}  // namespace

int evaluate_table(const std::string& path, const Settings& settings, Terminal& terminal) {
  for (const std::string_view name : {"data", "recipe", "splits", "methods"})
    if (settings.given(name)) throw UsageError(fmt::format("--{}: is not for a table", name));
  if (!settings.has("target")) throw UsageError("--target: name the column to predict");
  const Table table = read_table(path);
  const auto list = [&](const char* name) {
    return settings.has(name) ? comma_separated(settings.text(name)) : std::vector<std::string>();
  };
  const LearningTask kind = settings.text("task") == "regression" ? LearningTask::regression
                            : settings.text("task") == "classification"
                                ? LearningTask::classification
                                : LearningTask::automatic;
  const Schema schema =
      fit_schema(table, {settings.text("target"), kind, list("categorical"), list("ignore")},
                 [&](const std::string& what) { terminal.say("warning: " + what); });
  const std::size_t folds = settings.count("folds", 2, table.rows());
  const std::vector<std::size_t> fold_of = folds_of(table, schema, folds, settings.count("seed"));
  const Workspace workspace(settings);
  Collected collected;
  std::atomic<std::size_t> done = 0;
  const bool finished = supervised(
      terminal, thread_count(settings),
      [&](const std::stop_token& stop) {
        for (std::size_t fold = 0; fold < folds; ++fold, ++done) {
          const Table training = part(table, fold_of, fold, false),
                      test = part(table, fold_of, fold, true);
          const fs::path run = workspace.file(fmt::format("fold-{}.run", fold));
          const std::uint64_t seed = bnn::mixed(settings.count("seed"), fold) % 1'000'000'000;
          train_fold(training, workspace.file(fmt::format("fold-{}.csv", fold)), run, settings,
                     seed, stop);
          forecast_fold(run, training, test, settings, workspace, seed, stop, collected);
        }
      },
      [&] { return fmt::format("{} of {} folds", done.load(), folds); },
      [&](std::string_view reason) {
        return fmt::format("stopped by {} after {} of {} folds", reason, done.load(), folds);
      });
  if (!finished) return 3;
  for (const auto& [name, why] : collected.missing) {
    terminal.say(fmt::format("{}: left out: {}", name == "all" ? "rivals" : name, one_line(why)));
    std::erase_if(collected.methods, [&](const auto& method) { return method.method == name; });
  }
  if (collected.unreadable > 0)
    terminal.say(fmt::format("{} rows are left out: they have words that the other folds lack",
                             collected.unreadable));
  const bool regression = schema.classes.empty();
  const std::vector<ScoreRow> rows = score_rows(collected.methods, collected.outcomes, regression);
  if (settings.flag("json")) {
    terminal.print(score_json_lines(rows, bnn::metrics(regression)));
  } else {
    terminal.print(
        fmt::format("{} rows in {} folds, each forecast by what was trained on the "
                    "others; 95 % intervals\n",
                    collected.outcomes.size(), folds));
    terminal.print(score_table(rows, bnn::metrics(regression), IntervalStyle::bounds));
    terminal.print(seconds_in_words(collected.seconds));
  }
  return 0;
}

}  // namespace wmi::frontends
