#include "solver/terms/query.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

std::string printed(std::size_t answers, const std::vector<Echo>& echoes) {
  std::string result;
  in_order(
      answers, echoes, [&](const Echo& echo) { result += echo.text; },
      [&](std::size_t i) { result += std::to_string(i); });
  return result;
}

TEST_CASE("echoes are printed between the answers that they stand between") {
  CHECK(printed(2, {}) == "01");
  CHECK(printed(0, {{"a", 0, {}}}) == "a");
  CHECK(printed(2, {{"a", 0, {}}, {"b", 0, {}}, {"c", 1, {}}, {"d", 2, {}}}) == "ab0c1d");
}

TEST_CASE("queries are equal whatever their spelling and location") {
  Query a, b;
  a.kind = b.kind = Query::Kind::wmi;
  b.text = "(get-wmi)";
  b.where = {3, 1};
  CHECK(a == b);
  b.bounded = {BoundedQuery::Rule::between, "mean"};
  CHECK_FALSE(a == b);
}

}  // namespace
}  // namespace wmi
