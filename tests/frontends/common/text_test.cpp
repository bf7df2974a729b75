#include "frontends/common/text.h"

#include <doctest/doctest.h>

#include <vector>

namespace wmi::frontends {
namespace {

TEST_CASE("a long token is cut between two characters") {
  CHECK(shortened(std::string(40, 'a')) == std::string(40, 'a'));
  CHECK(shortened(std::string(41, 'a')) == std::string(40, 'a') + "...");
  CHECK(shortened(std::string(39, 'a') + "\u00fcb") == std::string(39, 'a') + "...");
}

TEST_CASE("alternatives are listed with commas and or") {
  using Names = std::vector<std::string_view>;
  CHECK(alternatives(Names{}).empty());
  CHECK(alternatives(Names{"a"}) == "a");
  CHECK(alternatives(Names{"a", "b"}) == "a or b");
  CHECK(alternatives(Names{"a", "b", "c"}) == "a, b or c");
}

}  // namespace
}  // namespace wmi::frontends
