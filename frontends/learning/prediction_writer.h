#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "frontends/learning/prediction.h"

namespace wmi::frontends {

/// Writes predictions as CSV, as JSON lines, or as text for one row.
///
///     PredictionWriter writer(PredictionWriter::Format::csv, {"likelihood: gaussian"});
///     writer.add(0, {.quantities = {{"mean", 1.5}}});
///     writer.text();  // "row,mean\n0,1.5\n"
class PredictionWriter {
 public:
  enum class Format { csv, json_lines, text };

  /// The assumptions stand in every JSON object; of the others see `assumptions_line`.
  PredictionWriter(Format format, std::vector<std::string> assumptions)
      : format_(format), assumptions_(std::move(assumptions)) {}

  void add(std::size_t row, const Prediction& prediction);

  /// All predictions so far.
  const std::string& text() const { return text_; }

  /// `exact with respect to: ...`, for the predictions so far.
  std::string assumptions_line() const;

 private:
  std::vector<std::string> assumptions_with(double estimated_error) const;

  Format format_;
  std::vector<std::string> assumptions_;
  std::string text_;
  double largest_error_ = 0;
};

}  // namespace wmi::frontends
