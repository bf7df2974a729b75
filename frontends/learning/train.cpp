// ciber train: from a table to a run directory. The job is prepared from the settings
// (training_job), trained under supervision (run_training) and summarised (training_summary).

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "bnn/training/model.h"
#include "frontends/cli/supervised.h"
#include "frontends/cli/usage_error.h"
#include "frontends/common/line.h"
#include "frontends/data/directory_lock.h"
#include "frontends/data/run_directory.h"
#include "frontends/learning/commands.h"
#include "frontends/learning/run_recipe.h"
#include "frontends/learning/run_training.h"
#include "frontends/learning/thread_count.h"
#include "frontends/learning/training_failure.h"
#include "frontends/learning/training_job.h"
#include "frontends/learning/training_progress.h"
#include "frontends/learning/training_summary.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

constexpr Setting train_settings[] = {
    {"target", "COLUMN", "", "the column to predict"},
    {"out", "RUN", "", "the run directory to make"},
    {"task", "NAME", "auto",
     "auto (words are classes, numbers are not), regression, classification",
     kind::OneOf{"auto|regression|classification"}},
    {"categorical", "COLUMNS", "", "columns of numbers that stand for categories: zip,month"},
    {"ignore", "COLUMNS", "", "columns that are no inputs: id,name"},
    {"row-weights", "COLUMN", "", "a column that says how much each row counts, and is no input"},
    {"class-weights", "WEIGHTS", "",
     "how much rows of each class count: balanced (all classes alike), or red=2,blue=1"},
    {"scaling", "NAME", "standard",
     "of inputs: standard (mean and deviation), robust (median and quartiles, clipped smoothly)",
     kind::OneOf{"standard|robust"}},
    {"target-transform", "NAME", "none",
     "learn log y, log1p: log(1 + y), logit: log(y / (1 - y)), or asinh y instead of a target y; "
     "predictions are of y",
     kind::OneOf{"none|log|log1p|logit|asinh"}},
    {"bins", "N", "",
     "piecewise-linear encoding of numbers, with so many quantiles of each column; 0: none "
     "(default: chosen)",
     kind::Count{0, 1'000}},
    {"periods", "COLUMNS", "",
     "columns that repeat, with their periods, as hour=24,angle=360: sine and cosine become "
     "inputs"},
    {"waves", "N", "0",
     "sines and cosines of each column of numbers as inputs, of N periods: twice its range, its "
     "range, half of it, ...",
     kind::Count{0, 30}},
    {"input-scales", "yes|no", "yes", "train a factor for each input of the first layer"},
    {"hidden", "N,N", "", "units of the hidden layers (default: chosen)", kind::Counts{}},
    {"hidden-weights", "NAME", "",
     "trained, or drawn: they stay as they are drawn, and the last layer is solved for, which "
     "suits "
     "smooth functions with little noise (default: chosen)",
     kind::OneOf{"trained|drawn"}},
    {"activation", "NAME", "relu", "relu, leaky_relu, tanh, ...: a layer of docs/network.md"},
    {"dropout", "P", "0", "after each activation, while training", kind::Number{0, 0.99}},
    {"network", "FILE", "", "a network of any layers, NET.safetensors, instead of the hidden ones"},
    {"initial", "NAME", "xavier", "weights to start from: xavier, or file (those of --network)",
     kind::OneOf{"xavier|file"}},
    {"likelihood", "NAME", "auto",
     "heteroscedastic, homoscedastic, softmax, sigmoid; auto: chosen, or of classes the last that "
     "fits",
     kind::OneOf{"auto|heteroscedastic|homoscedastic|softmax|sigmoid"}},
    {"tails", "NAME", "normal",
     "of the noise of a number: normal, student (Student's law), two-scale (a normal law that is "
     "wider for some of the outcomes); how heavy they are is chosen",
     kind::OneOf{"normal|student|two-scale"}},
    {"freedom", "N", "", "degrees of freedom of Student's law (default: chosen, from 4)",
     kind::Number{2.1, 1000}},
    {"link", "NAME", "bounded",
     "from an output to a variance: bounded (an exponential up to ten deviations of the target), "
     "exponential, softplus",
     kind::OneOf{"bounded|exponential|softplus"}},
    {"least-variance", "X", "1e-6", "added to each variance, in standardised units",
     kind::Number{0, 1}},
    {"optimizer", "NAME", "adam", "adam, or sgd (with momentum)", kind::OneOf{"adam|sgd"}},
    {"epochs", "N", "", "how often all rows are seen before sampling, at most (default: by rows)",
     kind::Count{0, 1'000'000'000}},
    {"batch", "N", "", "rows of a step (default: by rows)", kind::Count{1, 1'000'000'000}},
    {"rate", "X", "", "learning rate (default: chosen)", kind::Number{0, 1000}},
    {"schedule", "NAME", "linear",
     "of the rate: linear (half of the epochs constant, 5 % from 90 % on), coslog4 (four cycles of "
     "a cosine, ever longer), plateau, constant",
     kind::OneOf{"linear|coslog4|plateau|constant"}},
    {"plateau-factor", "X", "0.8", "by which the rate falls on a plateau", kind::Number{0, 1}},
    {"plateau-patience", "N", "40", "epochs without a smaller loss that make a plateau",
     kind::Count{1, 1'000'000'000}},
    {"momentum", "X", "0.9", "of the descent", kind::Number{0, 0.9999}},
    {"bias-factor", "X", "1", "times the rate for biases", kind::Number{0, 1000}},
    {"weight-rates", "NAME", "equal",
     "of weights: equal, or fan-in: the rate over the root of the number of inputs (neural tangent "
     "parametrisation; with larger rates)",
     kind::OneOf{"equal|fan-in"}},
    {"weight-decay", "X", "", "of weights, not of biases (default: chosen)", kind::Number{0, 1000}},
    {"clip", "X", "1", "the largest norm of a gradient; 0: any", kind::Number{0, 1e9}},
    {"beta", "X", "0", "exponent of the variance that weighs rows (beta-NLL), 0 to 1",
     kind::Number{0, 1}},
    {"patience", "N", "",
     "stop after N epochs without a better validation loss, and go back to the best epoch; 0: "
     "never (default: by rows)",
     kind::Count{0, 1'000'000'000}},
    {"from-best", "", "", "sampling starts at the best validation epoch, also with --patience 0"},
    {"samples", "N", "8", "how many samples of the weights, of each trajectory",
     kind::Count{1, 100'000}},
    {"every", "N", "", "epochs between samples; 50steps: steps (default: by rows)"},
    {"sampling-rate", "X", "auto", "learning rate while sampling; auto: chosen on validation rows"},
    {"sampling", "NAME", "constant",
     "of the sampling rate: constant, cyclic (falls to each sample)",
     kind::OneOf{"constant|cyclic"}},
    {"trajectories", "K", "5",
     "trainings from different weights, side by side; more where the budget has more, unless given",
     kind::Count{1, 10'000}},
    {"search", "yes|no", "yes",
     "choose what is not given on validation rows; no: the first candidate, on all rows"},
    {"budget", "SECONDS", "",
     "of a nominal processor, for trying candidates; decides how many are tried, and on how many "
     "parts of the rows predictions are chosen (default: by rows)",
     kind::Number{0, 1e9}},
    {"lambda", "X", "", "precision of the prior of a collapsed layer (default: chosen)",
     kind::Number{0, 1e12}},
    {"prior-mean", "NAME", "",
     "of that prior: zero, or sample: the sampled weights (default: chosen; with --lambda, zero)",
     kind::OneOf{"zero|sample"}},
    {"temperature", "X", "", "of the posterior of a collapsed layer (default: chosen)",
     kind::Number{0, 1e6}},
    {"recalibrate", "yes|no", "yes",
     "correct the noise where validation rows show that it does not fit: its scale, and outliers"},
    {"sample-weights", "NAME", "auto",
     "of the samples: equal, or auto: by evidence or stacking where validation rows gain by it",
     kind::OneOf{"auto|equal"}},
    {"conformal", "SHARE", "",
     "of the rows, set aside so that intervals hold what they promise (split-conformal)",
     kind::Number{0, 0.9}},
    {"validation", "SHARE", "",
     "of the rows, for what is chosen (default: 0.1, of few rows 80 or 0.2, at most 2000)",
     kind::Number{0, 0.9}},
    {"retrain", "NAME", "auto",
     "after choosing, train on all rows: yes, no; auto: of numbers, where --budget has it",
     kind::OneOf{"auto|yes|no"}},
    {"seed", "N", "1", "decides everything that is drawn", kind::Count{0}},
    {"threads", "N", "", "at once; the result does not depend on it (default: all cores)",
     kind::Count{1, 1'024}},
    {"resume", "", "", "go on with the unfinished training of --out"},
};

constexpr std::string_view examples =
    "  ciber train houses.csv --target price --out houses.run\n"
    "  ciber train iris.csv --target species --hidden 20,20 --out iris.run\n"
    "  ciber train yacht.csv --target resistance --budget 300 --out yacht.run\n"
    "  ciber train --resume --out houses.run\n";

/// Nothing is in the directory but perhaps its lock.
bool is_empty(const fs::path& directory) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error))
    if (entry.path().filename() != DirectoryLock::file_name) return false;
  return !error;
}

/// The run of --out that is to be resumed; nullopt for a new one. Throws UsageError if --out cannot
/// be used.
std::optional<Run> unfinished_run(const std::string& out, bool resume) {
  if (resume) return read_run(out);
  std::error_code error;
  if (fs::exists(fs::path(out) / "run.json", error)) {
    const Run there = read_run(out);
    throw UsageError(fmt::format("--out: {} holds a run already{}", one_line(out),
                                 !there.failure.empty() ? ", whose training has failed; remove it"
                                 : there.complete       ? "; give another name, or remove it"
                                                  : ", unfinished; --resume goes on with it"));
  }
  if (fs::exists(out, error) && !(fs::is_directory(out, error) && is_empty(out)))
    throw UsageError(fmt::format("--out: {} is there, and is no run", one_line(out)));
  return std::nullopt;
}

int run_train(const Settings& given, Terminal& terminal) {
  if (!given.has("out")) throw UsageError("--out: name the run directory to make");
  const std::string& out = given.text("out");
  const unsigned threads = thread_count(given);
  const bool resume = given.flag("resume");
  unfinished_run(out, resume);  // before a directory is made
  const DirectoryLock lock(out);
  const std::optional<Run> before = unfinished_run(out, resume);
  if (before && before->complete) {
    remove_checkpoints(out);
    if (!before->failure.empty())
      throw Error(fmt::format("{}: {}", one_line(out), before->failure));
    terminal.print(fmt::format("{}: complete already\n", one_line(out)));
    return 0;
  }
  TrainingJob job = prepare_training(before ? resumed_settings(given, *before) : given, out,
                                     threads, [&](const std::string& what) {
                                       if (!before) terminal.say("warning: " + what);
                                     });
  bnn::check_model(job.run.network, job.run.observation);
  bool chosen = false;
  if (before) {
    if (before->data_hash != job.run.data_hash)
      throw Error(
          fmt::format("{}: the run was started with other data (its hash differs)", one_line(out)));
    job.run.recipe = before->recipe;
    chosen = restore_choice(*before, job);
  } else {
    write_training_rows(job.run, job.rows);
    if (job.conformal) write_conformal_rows(job.run, *job.conformal);
    write_run(job.run);
  }
  TrainingProgress progress;
  const bool trained = supervised(
      terminal, threads,
      [&](const std::stop_token& stop) { train_run(job, chosen, progress, stop); },
      [&] { return progress.line(); },
      [&](std::string_view reason) {
        return fmt::format("stopped by {}; ciber train --resume --out {} goes on", reason,
                           one_line(out));
      });
  if (!trained) return 3;
  if (const std::optional<TrainingFailure> failure = find_failure(job)) {
    if (failure->diverged) {
      job.run.failure = failure->text;
      write_run(job.run);
      throw Error(fmt::format("{}: {}", one_line(out), failure->text));
    }
    terminal.say(fmt::format("warning: {}: {}", one_line(out), failure->text));
  }
  const TrainingSummary summary = summarise(job);
  if (!summary.warning.empty()) terminal.say("warning: " + summary.warning);
  terminal.print(summary.text);
  return 0;
}

}  // namespace

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
