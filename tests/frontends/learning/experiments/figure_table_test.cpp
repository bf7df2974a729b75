#include "frontends/learning/experiments/figure_table.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace wmi;
using namespace wmi::frontends;

TEST_CASE("a table is written as Markdown and as CSV") {
  FigureTable table({"method", "a, b"});
  table.add({"one", "1"});
  table.add({"\"two\"", "-2 +- 1"});
  CHECK(table.markdown() == "| method | a, b |\n|---|---|\n| one | 1 |\n| \"two\" | -2 +- 1 |\n");
  CHECK(table.csv() == "method,\"a, b\"\none,1\n\"\"\"two\"\"\",-2 +- 1\n");
}

TEST_CASE("a summary has the mean, the deviation and the standard error") {
  const Summary values = summary(std::vector<double>{1, 2, 6});
  CHECK(values.mean == doctest::Approx(3));
  CHECK(values.deviation == doctest::Approx(std::sqrt(7)));
  CHECK(with_error(values, 2) == "3.00 +- 1.53");
  CHECK(with_deviation(values, 2) == "3.00 +- 2.65");
  CHECK(with_error(summary(std::vector<double>{4}), 1) == "4.0");
}

TEST_CASE("a figure has its decimal places, and an estimate its interval") {
  CHECK(figure(-2.3084) == "-2.308");
  CHECK(figure(std::numeric_limits<double>::infinity()) == "-");
  CHECK(with_interval(bnn::Estimate{0.5, 0.25, 0.75}, 2) == "0.50 [0.25, 0.75]");
}
