#include "frontends/cli/numbers.h"

#include <doctest/doctest.h>

#include <cstdint>

namespace wmi::frontends {

TEST_CASE("numbers are all of the text, and in their range") {
  CHECK(parse_number("1e-3", 0, 1) == 1e-3);
  CHECK(parse_number("1", 0, 1) == 1.0);
  for (const char* text : {"", "x", "1x", " 1", "1 ", "nan", "inf", "1.1", "-0.1"})
    CHECK_MESSAGE(!parse_number(text, 0, 1), text);
  CHECK(parse_count("18446744073709551615", 0, SIZE_MAX) == SIZE_MAX);
  for (const char* text : {"", "-1", "1.0", "18446744073709551616", "1e3"})
    CHECK_MESSAGE(!parse_count(text, 0, SIZE_MAX), text);
  CHECK(!parse_count("3", 4, 5));
}

TEST_CASE("a list of counts has commas between them, and no zero") {
  CHECK(parse_counts("50,20") == std::vector<std::size_t>{50, 20});
  CHECK(parse_counts("7") == std::vector<std::size_t>{7});
  for (const char* text : {"", ",", "1,", ",1", "1,,2", "0", "1;2"})
    CHECK_MESSAGE(!parse_counts(text), text);
}

}  // namespace wmi::frontends
