#include "frontends/learning/score_table.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace wmi;
using namespace wmi::frontends;

namespace {

const std::vector<ScoreRow> rows{{"average", {{-2.5, -2.75, -2.25}, {12, 11, 13}}, {NAN, 0, 0}},
                                 {"swag", {{-2, -2.5, -1.5}, {9, 8, 10}}, {0.5, 0.25, 0.75}}};

std::vector<bnn::Metric> metrics() {
  return {bnn::find_metric("log_likelihood"), bnn::find_metric("rmse")};
}

}  // namespace

TEST_CASE("scores are aligned, with standard errors or bounds") {
  const std::vector<bnn::Metric> two = metrics();
  const std::string errors = score_table(rows, two, IntervalStyle::standard_error);
  CHECK(errors.starts_with("method "));
  CHECK(errors.find("minus average's") < errors.find(std::string(two[1].title)));
  CHECK(errors.find("\naverage  ") != std::string::npos);
  CHECK(errors.find("-2.500 +- 0.250") != std::string::npos);
  CHECK(errors.find("  -  ") != std::string::npos);  // no difference
  const std::string bounds = score_table(rows, two, IntervalStyle::bounds);
  CHECK(bounds.find("0.500 [0.250, 0.750]") != std::string::npos);
  for (const std::string& table : {errors, bounds}) {
    const std::size_t width = table.find('\n');
    CHECK(table.size() == 3 * (width + 1));  // all lines are as long
  }
}

TEST_CASE("scores are a JSON object a line") {
  const std::string lines = score_json_lines(rows, metrics());
  CHECK(lines.starts_with(
      "{\"method\":\"average\",\"log_likelihood\":{\"value\":-2.5,\"lower\":-2.75,"
      "\"upper\":-2.25},\"rmse\":{\"value\":12,\"lower\":11,\"upper\":13},"
      "\"difference\":{\"value\":null,\"lower\":0,\"upper\":0}}\n{\"method\":\"swag\""));
}
