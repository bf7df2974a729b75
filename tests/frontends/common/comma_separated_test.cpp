#include "frontends/common/comma_separated.h"

#include <doctest/doctest.h>

using namespace wmi::frontends;

TEST_CASE("items stand between commas, and empty ones count") {
  using Items = std::vector<std::string>;
  CHECK(comma_separated("3.5,red") == Items{"3.5", "red"});
  CHECK(comma_separated("a,,b,") == Items{"a", "", "b", ""});
  CHECK(comma_separated("") == Items{""});
}
