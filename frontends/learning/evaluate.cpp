// ciber evaluate: all methods on the same splits of a data set, or on held-out rows of a run.

#include <filesystem>

#include "frontends/cli/usage_error.h"
#include "frontends/learning/commands.h"
#include "frontends/learning/evaluate_run.h"
#include "frontends/learning/evaluate_splits.h"
#include "frontends/learning/evaluate_table.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

constexpr Setting settings_table[] = {
    {"target", "COLUMN", "", "of a TABLE: the column to predict"},
    {"folds", "N", "5", "of a TABLE: each is forecast by what is trained on the others",
     kind::Count{2, 1'000}},
    {"rivals", "yes|no", "yes",
     "of a TABLE: also linear models, forests, boosting, Gaussian processes and others that a "
     "Python with sklearn has"},
    {"python", "PROGRAM", "python3", "of a TABLE: that Python"},
    {"task", "NAME", "auto", "of a TABLE: as of ciber train: auto, regression, classification",
     kind::OneOf{"auto|regression|classification"}},
    {"categorical", "COLUMNS", "", "of a TABLE: columns of numbers that stand for categories"},
    {"ignore", "COLUMNS", "", "of a TABLE: columns that are no inputs: id,name"},
    {"tails", "NAME", "normal",
     "of a TABLE: of the noise, as of ciber train: normal, student, two-scale",
     kind::OneOf{"normal|student|two-scale"}},
    {"data", "FILE", "", "of a RUN: the rows to score, a CSV file with the target"},
    {"methods", "NAMES", "", "those to compare, separated by commas (default: all that fit)"},
    {"out", "DIR", "",
     "of splits: where results.csv is kept; run again to go on. Of a TABLE: where the runs stay"},
    {"recipe", "NAME", "",
     "of splits: boston, concrete, energy, yacht, naval (default: by the name "
     "of the directory)"},
    {"hidden", "N,N", "50", "of splits: units of the hidden layers", kind::Counts{}},
    {"splits", "N", "", "of splits: only the first N"},
    {"trajectories", "K", "5", "of splits: trainings of each", kind::Count{1, 1'000}},
    {"samples", "N", "40", "of splits: of each trajectory, and in a pooled average altogether",
     kind::Count{1, 100'000}},
    {"epochs", "N", "", "of splits: instead of the recipe's", kind::Count{1, 1'000'000'000}},
    {"validation", "SHARE", "0.1", "of splits: of the training rows, where the recipe needs them",
     kind::Number{0.01, 0.9}},
    {"retrain", "yes|no", "yes",
     "of splits: what was found on validation rows is repeated on all training rows"},
    {"floor", "EPS", "0", "densities count as at least this, for every method alike",
     kind::Number{0, 1e300}},
    {"seed", "N", "1", "decides everything that is drawn", kind::Count{0}},
    {"threads", "N", "", "at once; the numbers do not depend on it (default: all cores)",
     kind::Count{1, 1'024}},
    {"json", "", "", "one JSON object a line"},
};

constexpr std::string_view examples =
    "  ciber evaluate houses.csv --target price --folds 5\n"
    "  ciber evaluate houses.run --data later.csv\n"
    "  ciber evaluate data/bostonHousing --out boston --recipe boston\n";

int evaluate(const Settings& settings, Terminal& terminal) {
  if (settings.words().size() != 1)
    throw UsageError("evaluate: needs one table, or one directory, a run's or one with splits");
  const std::string& path = settings.words()[0];
  if (!fs::is_directory(path)) return evaluate_table(path, settings, terminal);
  if (settings.given("target")) throw UsageError("--target: is for a table, not for a directory");
  return fs::exists(fs::path(path) / "run.json") ? evaluate_run(path, settings, terminal)
                                                 : evaluate_splits(path, settings, terminal);
}

}  // namespace

Command evaluate_command() {
  return {
      "evaluate",
      "TABLE.csv --target COLUMN | RUN --data FILE | DIRECTORY --out DIR",
      "Compares methods: by cross-validation on one table, on rows that a run has not seen, or\n"
      "on all splits of a data set.",
      settings_table,
      examples,
      evaluate};
}

}  // namespace wmi::frontends
