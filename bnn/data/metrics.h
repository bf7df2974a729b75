#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "bnn/data/forecast.h"

namespace wmi::bnn {

/// A score of forecasts against the outcomes: a line of the table in metrics.cpp.
///
/// Each row contributes some numbers, which are added up, in bins where the score needs them; the
/// score is a function of the sums. A bootstrap can therefore recompute it quickly for other rows.
struct Metric {
  /// What one row contributes.
  struct Term {
    std::size_t bin = 0;
    double first = 0;
    double second = 0;
  };
  /// Whether better forecasts have a larger score, a smaller one, or one closer to `level`.
  enum class Direction { more, less, level };

  std::string_view name;   // log_likelihood, of tables for programs
  std::string_view title;  // log likelihood, of tables for people
  std::string_view description;
  bool regression;
  Direction direction;
  double level;
  std::size_t bins;
  Term (*term)(const Forecast& forecast, double outcome);
  double (*score)(std::span<const Term> sums, double rows);
  bool proportion = false;  // each row is a hit or none, and the score is the part of the hits
};

/// The metrics of regressions or of classifications, the most informative first.
std::span<const Metric> metrics(bool regression);

/// The one of this name. Throws Error.
const Metric& find_metric(std::string_view name);

/// The score of these forecasts; a class is an outcome by its number. Throws Error unless there
/// are as many outcomes as forecasts, and some, and each class has a probability.
double score(const Metric& metric, std::span<const Forecast> forecasts,
             std::span<const double> outcomes);

/// A number and an interval around it; the ends are no numbers (NaN) where they have no meaning.
struct Estimate {
  double value = 0;
  double lower = std::numeric_limits<double>::quiet_NaN();
  double upper = std::numeric_limits<double>::quiet_NaN();
};

/// Options of the percentile bootstrap: rows are drawn with replacement, as many as there are, and
/// the interval holds the middle part of the scores of all replicates.
struct Bootstrap {
  std::size_t replicates = 1000;
  double level = 0.95;
  std::uint64_t seed = 0;
};

/// The score with its interval: of a proportion the exact one of the binomial law, which needs no
/// replicates and has a width at 0 and 1; of other scores that of the bootstrap.
///
///     const std::vector<Forecast> forecasts(3);  // of mean 0
///     const std::vector<double> outcomes{3, 0, 3};
///     estimate(find_metric("rmse"), forecasts, outcomes).value;  // the root of 6
Estimate estimate(const Metric& metric, std::span<const Forecast> forecasts,
                  std::span<const double> outcomes, const Bootstrap& bootstrap = {});

/// The score of `first` minus that of `second`, with forecasts of the same rows: each replicate
/// draws the same rows for both, so that the difficulty of rows cancels.
Estimate paired_difference(const Metric& metric, std::span<const Forecast> first,
                           std::span<const Forecast> second, std::span<const double> outcomes,
                           const Bootstrap& bootstrap = {});

/// Mean and standard error of the mean of scores, one for each split of a data set. For a paired
/// comparison of two methods give the differences. The error of a single one is no number (NaN).
struct Spread {
  double mean = 0;
  double standard_error = 0;
};
Spread over_splits(std::span<const double> scores);

}  // namespace wmi::bnn
