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
