#pragma once

#include <span>
#include <string>
#include <vector>

#include "bnn/data/metrics.h"

namespace wmi::frontends {

/// A table of results, written as Markdown and as CSV.
class FigureTable {
 public:
  explicit FigureTable(std::vector<std::string> columns) : columns_(std::move(columns)) {}

  /// Adds a row; it must have a cell for each column.
  void add(std::vector<std::string> cells);

  std::string markdown() const;
  std::string csv() const;

 private:
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// `-2.308`: a number with so many decimal places; `-` if it is not finite.
std::string figure(double value, int places = 3);

/// `.1927 [.1801, .2044]`: an estimate with its interval.
std::string with_interval(const bnn::Estimate& estimate, int places = 4);

/// Mean, standard deviation and standard error of the mean.
struct Summary {
  double mean = 0;
  double deviation = 0;
  double error = 0;
};
Summary summary(std::span<const double> values);

/// `.052 +- .003`: the mean with its standard error, or with the standard deviation. A single value
/// has neither.
std::string with_error(const Summary& summary, int places = 3);
std::string with_deviation(const Summary& summary, int places = 3);

}  // namespace wmi::frontends
