#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/data/csv_writer.h"
#include "frontends/learning/prediction.h"

namespace wmi::frontends {

/// How a file of predictions starts, in each format; of text, without or with classes.
inline constexpr std::array<std::string_view, 4> prediction_beginnings = {
    "row,", "{\"row\":", "mean         ", "class        "};

/// Writes predictions as CSV, as JSON lines, or as text for one row.
///
/// In CSV the columns are those of the first prediction, the same with bounds or without; bounds are
/// further columns. A number that is unknown is an empty cell, and null in JSON. A row that could
/// not be predicted has empty cells and, in a last column `error`, the reason.
///
///     PredictionWriter writer(PredictionWriter::Format::csv, {"likelihood: gaussian"});
///     writer.add(0, {.quantities = {{"mean", 1.5}}});
///     writer.text();  // "row,mean\n0,1.5\n"
class PredictionWriter {
 public:
  enum class Format { csv, json_lines, text };

  /// The assumptions stand in every JSON object; of the others see `assumptions_line`. `kept` are
  /// the names of the columns that are copied from the table.
  PredictionWriter(Format format, std::vector<std::string> assumptions,
                   std::vector<std::string> kept = {})
      : format_(format), assumptions_(std::move(assumptions)), kept_(std::move(kept)) {}

  /// Of the cells of CSV; quoted unless this is called.
  void set_formulas(CsvFormulas formulas) { formulas_ = formulas; }

  /// `kept` are the cells of the kept columns.
  void add(std::size_t row, const Prediction& prediction, std::span<const std::string> kept = {});

  /// All predictions so far.
  std::string text() const;

  /// `exact with respect to: ...`, for the predictions so far.
  std::string assumptions_line() const;

 private:
  std::vector<std::string> assumptions_with(double estimated_error) const;
  void add_csv_row(std::size_t row, const Prediction& prediction,
                   std::span<const std::string> kept);

  Format format_;
  std::vector<std::string> assumptions_;
  std::vector<std::string> kept_;
  std::string text_;                           // without the header of CSV
  std::vector<std::string> columns_;           // of CSV, known from the first good row on
  std::vector<std::size_t> ends_;              // of CSV: where each line of text_ ends
  std::map<std::size_t, std::string> errors_;  // of CSV: by line, which has nothing else
  double largest_error_ = 0;
  CsvFormulas formulas_ = CsvFormulas::quoted;
};

}  // namespace wmi::frontends
