#include "frontends/cli/suggestion.h"

#include <doctest/doctest.h>

#include <string>

namespace wmi::frontends {

TEST_CASE("the nearest word is suggested, if it is at most two changes away") {
  constexpr std::string_view words[] = {"epochs", "every", "seed", "resume"};
  CHECK(suggestion("epoch", words) == "epochs");
  CHECK(suggestion("epohcs", words) == "epochs");
  CHECK(suggestion("sed", words) == "seed");
  CHECK(suggestion("seed", words) == "seed");
  CHECK(suggestion("colour", words) == "");
  CHECK(suggestion("", words) == "");
  CHECK(suggestion("seed", {}) == "");
  CHECK(suggestion(std::string(1'000'000, 'x'), words) == "");
}

TEST_CASE("of several nearest words the first is suggested") {
  constexpr std::string_view words[] = {"data", "date"};
  CHECK(suggestion("dat", words) == "data");
}

}  // namespace wmi::frontends
