#pragma once

#include <span>
#include <string>
#include <vector>

namespace wmi::frontends {

/// A table that is written both for people (Markdown) and for programs (CSV).
class FigureTable {
 public:
  explicit FigureTable(std::vector<std::string> columns) : columns_(std::move(columns)) {}

  /// As many cells as columns.
  void add(std::vector<std::string> cells);

  std::string markdown() const;
  std::string csv() const;

 private:
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// `-2.308`: three places, as the document has them; `-` for what is no number.
std::string figure(double value, int places = 3);

/// Mean, standard deviation and standard error of the mean.
struct Summary {
  double mean = 0;
  double deviation = 0;
  double error = 0;
};
Summary summary(std::span<const double> values);

/// `.052 +- .003`, the standard error or the deviation; without it where there is one value alone.
std::string with_error(const Summary& summary, int places = 3);
std::string with_deviation(const Summary& summary, int places = 3);

}  // namespace wmi::frontends
