#pragma once

#include <span>
#include <string>
#include <vector>

#include "bnn/data/metrics.h"

namespace wmi::frontends {

/// The scores of one method: a value with an interval for each metric.
struct ScoreRow {
  std::string method;
  std::vector<bnn::Estimate> scores;  // by metric
  bnn::Estimate difference;           // of the log likelihood to that of the plain average
};

/// Forecasts of a method for some rows.
struct MethodForecasts {
  std::string method;
  std::vector<bnn::Forecast> forecasts;
};

/// The scores of these forecasts with bootstrap intervals, and paired differences to those of
/// `average`, which must be among them.
std::vector<ScoreRow> score_rows(const std::vector<MethodForecasts>& methods,
                                 std::span<const double> outcomes, bool regression);

/// How the interval of an estimate is printed: `1.2 +- 0.1` or `1.2 [1.1, 1.3]`.
enum class IntervalStyle { standard_error, bounds };

/// A table with aligned columns, a line for each method.
std::string score_table(const std::vector<ScoreRow>& rows, std::span<const bnn::Metric> metrics,
                        IntervalStyle style);

/// One JSON object a line for each method.
std::string score_json_lines(const std::vector<ScoreRow>& rows,
                             std::span<const bnn::Metric> metrics);

}  // namespace wmi::frontends
