// ciber predict: the law of the outcome for each row of a table, or for one input. A row goes from
// the table (prediction_rows) through the forward pass, the collapsed samples and the predictive
// law (batch_predictor) to the writer (prediction_writer).

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "frontends/cli/supervised.h"
#include "frontends/cli/usage_error.h"
#include "frontends/common/comma_separated.h"
#include "frontends/common/line.h"
#include "frontends/common/outputs.h"
#include "frontends/learning/batch_predictor.h"
#include "frontends/learning/commands.h"
#include "frontends/learning/prediction_questions.h"
#include "frontends/learning/prediction_rows.h"
#include "frontends/learning/prediction_settings.h"
#include "frontends/learning/prediction_writer.h"
#include "frontends/learning/predictor.h"
#include "frontends/learning/range_warnings.h"
#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

constexpr Setting predict_settings[] = {
    {"input", "VALUES", "", "one input instead of a table, in the order of its columns: 3.5,red"},
    {"intervals", "LEVELS", "0.5,0.9,0.95", "central intervals of these probabilities"},
    {"conformal", "NAME", "auto",
     "stretch intervals by the rows that the training set aside: yes, no; auto: yes if there are "
     "such rows, and answers are in doubles",
     kind::OneOf{"auto|yes|no"}},
    {"quantiles", "LEVELS", "", "also quantiles of these probabilities; 0.5 is the median"},
    {"keep", "COLUMNS", "", "columns of the table that are copied beside the predictions: id,name"},
    {"at", "Y", "", "the outcome whose density is asked (default: the table's, if it is there)",
     kind::Number{-1e300, 1e300}},
    {"above", "C", "", "also the probability that the outcome is above C",
     kind::Number{-1e300, 1e300}},
    {"discrete", "", "",
     "of a target of whole numbers: also the probability of each value, that the outcome rounds to "
     "it"},
    {"digits", "N", "",
     "certified answers of N digits: an interval that holds the true value, for each",
     kind::Count{1, 1'000}},
    {"via", "NAME", "law",
     "law: the law of the outcome; wmi: a formula for each input and sample, solved exactly "
     "(--likelihood triangular, few weights)",
     kind::OneOf{"law|wmi"}},
    {"enumerator", "NAME", "split", "of --via wmi: split, exact-split, z3",
     kind::OneOf{.table = names_of<enumerators>}},
    {"integrator", "NAME", "auto", "of --via wmi: auto, triangulation, face-lattice, mpfr",
     kind::OneOf{.table = names_of<integrators>}},
    {"forward", "NAME", "float",
     "of the sampled layers: float (32 bits), exact (rational numbers, with --digits or --via "
     "wmi)",
     kind::OneOf{"float|exact"}},
    {"largest", "", "", "of classes: the probability that an output is the largest, too"},
    {"json", "", "", "one JSON object for each row"},
    {"formulas", "NAME", "quoted",
     "words in CSV that a spreadsheet would compute, such as a class =1+1: quoted (a ' before "
     "them), kept",
     kind::OneOf{"quoted|kept"}},
    {"timeout", "SECONDS", "", "stop after so long, without a result"},
    {"out", "FILE", "", "write there instead of to the standard output",
     kind::Output{prediction_beginnings}},
};

constexpr std::string_view examples =
    "  ciber predict houses.run new.csv --intervals 0.9 --out predictions.csv\n"
    "  ciber predict houses.run --input 0.02,0,7.1,0,0.5 --above 30\n"
    "  ciber predict houses.run new.csv --partition last:2 --likelihood triangular --posterior \\\n"
    "      minmax --via wmi --at 21 --json\n";

constexpr std::size_t batch_rows = 1024;

PredictionWriter::Format format(const Settings& settings) {
  using Format = PredictionWriter::Format;
  if (settings.flag("json")) return Format::json_lines;
  return settings.has("input") ? Format::text : Format::csv;
}

/// Refuses a file whose name promises another format than what is written.
void check_name(const std::string& file, bool json) {
  const std::string ending = std::filesystem::path(file).extension().string();
  for (const std::string_view other : {".parquet", ".feather", ".arrow", ".xlsx", ".xls", ".gz",
                                       ".xz", ".bz2", ".zip", ".zst", ".h5"})
    if (ending == other)
      throw UsageError(fmt::format(
          "--out: '{}': predictions are written as CSV, or with --json as JSON lines, not as {}",
          one_line(file), ending));
  if (!json && (ending == ".json" || ending == ".jsonl"))
    throw UsageError(fmt::format("--out: '{}': JSON is written with --json", one_line(file)));
}

/// Says why rows have no prediction, the first few of them.
void say_errors(const std::vector<std::string>& errors, std::size_t rows, Terminal& terminal) {
  constexpr std::size_t most = 10;
  for (std::size_t i = 0; i < errors.size() && i < most; ++i) terminal.say(one_line(errors[i]));
  if (errors.size() > most)
    terminal.say(fmt::format("... and {} more such rows", errors.size() - most));
  terminal.say(fmt::format("{} of {} rows could not be predicted", errors.size(), rows));
}

int run_predict(const Settings& settings, Terminal& terminal) {
  const std::vector<std::string>& words = settings.words();
  if (words.empty() || words.size() > 2)
    throw UsageError("name a run directory and a table: ciber predict RUN DATA.csv");
  if ((words.size() == 2) == settings.has("input"))
    throw UsageError("name either a table or --input VALUES");
  if (settings.has("out")) check_name(settings.text("out"), settings.flag("json"));
  std::vector<std::string> keep;
  if (settings.has("keep")) keep = comma_separated(settings.text("keep"));
  if (!keep.empty() && settings.has("input")) throw UsageError("--keep: is about a table");
  const Predictor predictor = read_predictor(words[0], settings);
  const Questions questions = read_questions(settings, predictor);
  for (std::size_t i = 0; i < questions.conformal.size(); ++i)
    if (std::isinf(questions.conformal[i]))
      terminal.say(fmt::format(
          "warning: --intervals: {} is without bounds, since too few rows were set aside",
          questions.levels[i]));
  const Rows rows = settings.has("input") ? read_input_row(predictor.run, settings.text("input"))
                                          : read_rows(predictor.run, words[1], keep);
  if (predictor.training)
    for (const std::string& warning :
         range_warnings(predictor.run, *predictor.training, rows.inputs, rows.errors))
      terminal.say("warning: " + warning);

  PredictionWriter writer(format(settings), assumptions(predictor, questions), keep);
  if (settings.text("formulas") == "kept") writer.set_formulas(CsvFormulas::kept);
  const std::size_t all = rows.inputs.rows();
  std::vector<std::string> errors;
  for (std::size_t first = 0; first < all; first += batch_rows) {
    const BatchPredictor batch(predictor, questions, rows, first,
                               std::min(batch_rows, all - first));
    std::size_t row = first;
    for (const Prediction& prediction : batch.predictions()) {
      if (!prediction.error.empty()) errors.push_back(prediction.error);
      writer.add(row, prediction, keep.empty() ? std::span<const std::string>() : rows.kept[row]);
      ++row;
    }
  }
  if (!errors.empty() && errors.size() == all) throw Error(errors.front());

  std::string text = writer.text();
  if (format(settings) == PredictionWriter::Format::text)
    text += writer.assumptions_line() + "\n";
  else if (format(settings) == PredictionWriter::Format::csv)
    terminal.say(writer.assumptions_line());
  if (settings.has("out"))
    save_result(settings.text("out"), text);
  else
    terminal.print(text);
  if (errors.empty()) return 0;
  say_errors(errors, all, terminal);
  return 1;
}

}  // namespace

Command predict_command() {
  return {"predict",
          "RUN [DATA.csv] [options]",
          "The law of the outcome for each row of a table: mean, standard deviation, intervals,\n"
          "and, where the outcome is known, its density and scores; of classes, probabilities.\n"
          "The mixture over all samples of the run, with some of their weights averaged exactly.\n"
          "DATA.csv may be compressed, and - is standard input. A row that cannot be read has an\n"
          "error in its place; all others are written, and the exit status is 1.",
          with_prediction_settings(predict_settings),
          examples,
          [](const Settings& settings, Terminal& terminal) {
            return within_timeout(settings, terminal,
                                  [&] { return run_predict(settings, terminal); });
          }};
}

}  // namespace wmi::frontends
