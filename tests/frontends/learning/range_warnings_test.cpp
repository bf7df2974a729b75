#include "frontends/learning/range_warnings.h"

#include <doctest/doctest.h>

using namespace wmi;
using namespace wmi::frontends;

TEST_CASE("rows outside the training rows are named, the column that is farthest out first") {
  Run run;
  run.schema.features = {{"age", {}}, {"height", {}}};
  run.standardisation.input_mean = {50, 170};
  run.standardisation.input_scale = {10, 5};
  bnn::Dataset training{bnn::Matrix(2, 2), {0, 0}};
  training.inputs.entries = {-2, -1, 3, 1};  // ages 30 to 80, heights 165 to 175
  bnn::Matrix inputs(3, 2);
  inputs.entries = {3, 1, 4, 2.5, -2, -1};
  CHECK(range_warnings(run, training, inputs) ==
        std::vector<std::string>{"row 1: 'height' is 182.5, outside the training rows, 165 to 175: "
                                 "an extrapolation"});
  bnn::Matrix many(8, 2);
  many.entries.assign(16, 9);
  const std::vector<std::string> found = range_warnings(run, training, many);
  REQUIRE(found.size() == most_range_warnings + 1);
  CHECK(found.back() == "3 more rows lie outside the training rows");
}

TEST_CASE("dates are written as dates, and seasons and missing values have no range") {
  Run run;
  run.schema.features = {{.name = "sold", .date = true, .median = 0}};
  const std::size_t inputs = input_count(run.schema.features[0]);
  REQUIRE(inputs == 4);  // days, sine, cosine, whether it is missing
  run.standardisation.input_mean.assign(inputs, 0);
  run.standardisation.input_scale = {10, 1, 1, 1};
  bnn::Dataset training{bnn::Matrix(2, inputs), {0, 0}};
  training.inputs.entries = {0, 0.5, 0.5, 0, 3, 0.6, 0.6, 0};
  bnn::Matrix rows(2, inputs);
  rows.entries = {1, -1, 1, 1, 3.15, 0.5, 0.5, 0};
  CHECK(range_warnings(run, training, rows) ==
        std::vector<std::string>{"row 1: 'sold' is 1970-02-01 12:00, outside the training rows, "
                                 "1970-01-01 to 1970-01-31: an extrapolation"});
}
