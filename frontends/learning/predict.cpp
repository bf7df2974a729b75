// ciber predict: the law of the outcome for each row of a table, or for one input. A row goes from
// the table (prediction_rows) through the forward pass, the collapsed samples and the predictive
// law (batch_predictor) to the writer (prediction_writer).

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>

#include "frontends/ciber/job_table.h"
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
#include "frontends/learning/prediction_text.h"
#include "frontends/learning/prediction_writer.h"
#include "frontends/learning/predictor.h"
#include "frontends/learning/range_warnings.h"
#include "frontends/learning/row_job.h"
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

/// What is predicted, as a command line or a job says.
struct Asked {
  std::vector<std::string> keep;
  Predictor predictor;
  Questions questions;
  Rows rows;
};

/// The table is in `table`, and called `name` in messages.
Asked read_asked(const Settings& settings, const std::string& run, const std::string& table,
                 const std::string& name = "") {
  Asked asked;
  if (settings.has("keep")) asked.keep = comma_separated(settings.text("keep"));
  if (!asked.keep.empty() && settings.has("input")) throw UsageError("--keep: is about a table");
  asked.predictor = read_predictor(run, settings);
  asked.questions = read_questions(settings, asked.predictor);
  asked.rows = settings.has("input") ? read_input_row(asked.predictor.run, settings.text("input"))
                                     : read_rows(asked.predictor.run, table, asked.keep, name);
  return asked;
}

void say_warnings(const Asked& asked, Terminal& terminal) {
  for (std::size_t i = 0; i < asked.questions.conformal.size(); ++i)
    if (std::isinf(asked.questions.conformal[i]))
      terminal.say(fmt::format(
          "warning: --intervals: {} is without bounds, since too few rows were set aside",
          asked.questions.levels[i]));
  for (const std::string& line : asked.rows.other_words) terminal.say("warning: " + line);
  const Predictor& predictor = asked.predictor;
  if (predictor.training)
    for (const std::string& warning :
         range_warnings(predictor.run, *predictor.training,
                        asked.rows.unlimited.columns > 0 ? asked.rows.unlimited : asked.rows.inputs,
                        asked.rows.errors))
      terminal.say("warning: " + warning);
}

/// Writes all predictions, which `predict` makes from a row on; returns the exit status.
int write_predictions(
    const Asked& asked, const Settings& settings, PredictionWriter::Format format,
    const std::function<std::vector<Prediction>(std::size_t first, std::size_t count)>& predict,
    Terminal& terminal) {
  PredictionWriter writer(format, assumptions(asked.predictor, asked.questions), asked.keep);
  if (settings.text("formulas") == "kept") writer.set_formulas(CsvFormulas::kept);
  const std::size_t all = asked.rows.inputs.rows();
  std::map<std::size_t, std::string> errors;
  for (std::size_t first = 0; first < all; first += batch_rows) {
    std::size_t row = first;
    for (const Prediction& prediction : predict(first, std::min(batch_rows, all - first))) {
      if (!prediction.error.empty()) errors.emplace(row, prediction.error);
      writer.add(row, prediction,
                 asked.keep.empty() ? std::span<const std::string>() : asked.rows.kept[row]);
      ++row;
    }
  }
  if (!errors.empty() && errors.size() == all) throw Error(errors.begin()->second);

  std::string text = writer.text();
  if (format == PredictionWriter::Format::text)
    text += writer.assumptions_line() + "\n";
  else if (format == PredictionWriter::Format::csv)
    terminal.say(writer.assumptions_line());
  if (settings.has("out"))
    save_result(settings.text("out"), text);
  else
    terminal.print(text);
  if (errors.empty()) return 0;
  for (const std::string& line : row_errors(errors, all, "could not be predicted"))
    terminal.say(line);
  return 1;
}

/// Predictions as a job: where formulas are solved, which takes long and adds up, also in blocks of
/// samples; the law of a row needs all samples at once.
class PredictTask final : public RowTask {
 public:
  PredictTask(const Job& job, Settings settings)
      : settings_(std::move(settings)),
        asked_(read_asked(settings_, job.input(0).parent_path().string(), job.input(1).string(),
                          job.file(1))) {
    asked_.predictor.options.threads = 1;
    const std::size_t parts = job.description().parts, all = rows();
    if (asked_.questions.formulas && all > 0)
      groups_ = std::clamp<std::size_t>(parts / all, 1, asked_.predictor.samples.size());
  }

  std::size_t rows() const override { return asked_.rows.inputs.rows(); }
  std::size_t groups() const override { return groups_; }

  std::vector<std::string> lines(std::size_t group, std::size_t first,
                                 std::size_t count) const override {
    const BatchPredictor batch(asked_.predictor, asked_.questions, asked_.rows, first, count);
    std::vector<std::string> result;
    if (groups_ == 1) {
      for (const Prediction& prediction : batch.predictions())
        result.push_back(to_text(prediction));
      return result;
    }
    const std::size_t samples = asked_.predictor.samples.size();
    for (std::size_t row = 0; row < count; ++row)
      result.push_back(
          part_text(batch, first, row, group * samples / groups_, (group + 1) * samples / groups_));
    return result;
  }

  int report(const Settings& settings, const Lines& lines, Terminal& terminal) const override {
    say_warnings(asked_, terminal);
    const bool json = settings.flag("json") || settings_.flag("json");
    return write_predictions(
        asked_, settings_,
        json ? PredictionWriter::Format::json_lines : PredictionWriter::Format::csv,
        [&](std::size_t first, std::size_t count) {
          std::vector<Prediction> result;
          if (groups_ == 1) {
            for (std::size_t row = first; row < first + count; ++row)
              result.push_back(parse_prediction(lines[0][row]));
            return result;
          }
          const BatchPredictor batch(asked_.predictor, asked_.questions, asked_.rows, first, count);
          for (std::size_t row = 0; row < count; ++row)
            result.push_back(joined(batch, row, lines, first + row));
          return result;
        },
        terminal);
  }

 private:
  /// A part as a prediction with the sums, which are not printed.
  std::string part_text(const BatchPredictor& batch, std::size_t first, std::size_t row,
                        std::size_t from, std::size_t to) const {
    Prediction result;
    if (const auto error = asked_.rows.errors.find(first + row);
        error != asked_.rows.errors.end()) {
      result.error = error->second;
      return to_text(result);
    }
    try {
      const FormulaPart part = batch.formula_part(row, from, to);
      result.quantities = {{.name = "mean", .bounds = part.mean},
                           {.name = "density", .bounds = part.density},
                           {.name = "cells", .value = static_cast<double>(part.cells)}};
    } catch (const Stopped&) {
      throw;
    } catch (const Error& error) {
      result.error = error.what();
    }
    return to_text(result);
  }

  static Prediction joined(const BatchPredictor& batch, std::size_t row, const Lines& lines,
                           std::size_t number) {
    FormulaPart sum;
    for (const std::vector<std::string>& group : lines) {
      Prediction part = parse_prediction(group[number]);
      if (!part.error.empty()) return part;
      if (part.quantities.size() != 3 || !part.quantities[0].bounds || !part.quantities[1].bounds)
        throw Error("a unit has no sums of formulas");
      sum.mean += *part.quantities[0].bounds;
      sum.density += *part.quantities[1].bounds;
      sum.cells += static_cast<std::size_t>(part.quantities[2].value);
    }
    return batch.of_parts(row, sum);
  }

  const Settings settings_;
  Asked asked_;
  std::size_t groups_ = 1;
};

std::span<const Setting> all_settings() {
  static const std::span<const Setting> result = [] {
    std::vector<Setting> own(std::begin(predict_settings), std::end(predict_settings));
    own.insert(own.end(), std::begin(row_job_settings), std::end(row_job_settings));
    return with_prediction_settings(own);
  }();
  return result;
}

int make_predict_job(const Settings& settings, Terminal& terminal) {
  for (const std::string_view name : {"input", "out", "timeout"})
    if (settings.given(name))
      throw UsageError(
          fmt::format("--{}: does not go with a job, which is about a table and whose "
                      "predictions `ciber join` prints",
                      name));
  const std::vector<std::string>& words = settings.words();
  NewJob job{.directory = settings.text("job"), .description = {}, .inputs = run_files(words[0])};
  job.inputs.insert(job.inputs.begin() + 1, {"table/" + table_name(words[1]), words[1]});
  job.description.program = "ciber";
  job.description.command = "predict";
  job.description.arguments = job_arguments(settings, all_settings(), not_of_a_row_job);
  job.description.files = words;
  job.description.parts = settings.count("parts");
  return make_job(std::move(job), ciber_job_commands(), terminal);
}

int run_predict(const Settings& settings, Terminal& terminal) {
  const std::vector<std::string>& words = settings.words();
  if (words.empty() || words.size() > 2)
    throw UsageError("name a run directory and a table: ciber predict RUN DATA.csv");
  if ((words.size() == 2) == settings.has("input"))
    throw UsageError("name either a table or --input VALUES");
  if (settings.given("job")) return make_predict_job(settings, terminal);
  if (settings.has("out")) check_name(settings.text("out"), settings.flag("json"));
  const Asked asked = read_asked(settings, words[0], words.back());
  say_warnings(asked, terminal);
  return write_predictions(
      asked, settings, format(settings),
      [&](std::size_t first, std::size_t count) {
        return BatchPredictor(asked.predictor, asked.questions, asked.rows, first, count)
            .predictions();
      },
      terminal);
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
          all_settings(),
          examples,
          [](const Settings& settings, Terminal& terminal) {
            return within_timeout(settings, terminal,
                                  [&] { return run_predict(settings, terminal); });
          }};
}

std::unique_ptr<JobWork> open_predict_job(Job& job, Terminal&) {
  const JobDescription& description = job.description();
  return row_work(job, std::make_unique<PredictTask>(
                           job, Settings("ciber predict", all_settings(), description.arguments)));
}

}  // namespace wmi::frontends
