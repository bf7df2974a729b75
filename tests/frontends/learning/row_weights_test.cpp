#include "frontends/learning/row_weights.h"

#include <doctest/doctest.h>

#include "frontends/cli/usage_error.h"
#include "solver/terms/error.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

Table table(std::vector<std::string> cells) {
  Table result;
  result.name = "t.csv";
  result.columns = {"w"};
  for (std::size_t i = 0; i < cells.size(); ++i) result.lines.push_back(i + 2);
  result.cells = std::move(cells);
  return result;
}

}  // namespace

TEST_CASE("weights of rows are numbers above 0") {
  CHECK(weights_in_column(table({"1", "2.5"}), "w") == std::vector<double>{1, 2.5});
  for (const char* const wrong : {"0", "-1", "", "much", "1e300"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(weights_in_column(table({"1", wrong}), "w"), Error);
  }
  CHECK_THROWS_AS(weights_in_column(table({"1"}), "v"), Error);
}

TEST_CASE("balanced classes have the same total weight") {
  const std::vector<double> targets{0, 0, 0, 1};
  CHECK(class_weights("balanced", {"a", "b"}, targets) == std::vector<double>{4.0 / 6, 2});
  CHECK(class_weights("b=3", {"a", "b"}, targets) == std::vector<double>{1, 3});
  CHECK(class_weights("x=1=2,b=3", {"x=1", "b"}, targets) == std::vector<double>{2, 3});
  for (const char* const wrong : {"c=1", "a", "a=0", "a=x", ""}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(class_weights(wrong, {"a", "b"}, targets), UsageError);
  }
  CHECK_THROWS_AS(class_weights("balanced", {}, targets), UsageError);
  CHECK_THROWS_AS(class_weights("a=2,b=1,a=3", {"a", "b"}, targets), UsageError);
}

TEST_CASE("weights are scaled to mean 1") {
  std::vector<double> weights{1, 2, 3};
  normalise_weights(weights);
  CHECK(weights == std::vector<double>{0.5, 1, 1.5});
}
