#include "solver/terms/rational.h"

#include <doctest/doctest.h>

#include "solver/terms/error.h"

namespace wmi {
namespace {

TEST_CASE("literals are parsed exactly") {
  CHECK(parse_number("0") == 0);
  CHECK(parse_number("12") == 12);
  CHECK(parse_number("0.1") == ratio(1, 10));
  CHECK(parse_number("1e-3") == ratio(1, 1000));
  CHECK(parse_number("-2.50E+2") == -250);
  CHECK(parse_number("+7") == 7);
  CHECK(parse_number("0.30000000000000004") ==
        ratio(Integer("7500000000000001"), Integer("25000000000000000")));
}

TEST_CASE("a fraction is one number divided by another") {
  CHECK(parse_fraction("0.5") == ratio(1, 2));
  CHECK(parse_fraction("1/3") == ratio(1, 3));
  CHECK(parse_fraction(" -2 / 0.7 ") == ratio(-20, 7));
  CHECK_THROWS_WITH_AS(parse_fraction(" 1/0 "), "'1/0' divides by 0", Error);
  for (const char* text : {"", "/", "1/", "/2", "1/2/3", "1 2", "one"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_fraction(text), Error);
  }
}

TEST_CASE("text that is not a number is refused") {
  for (const char* literal :
       {"", "-", ".", "1.", ".5.", "1e", "1e+", "x", "1x", "0x10", "1_000", "1e5.", "--1", "1 "}) {
    CAPTURE(literal);
    CHECK_THROWS_AS(parse_number(literal), Error);
  }
}

TEST_CASE("a number of ten thousand digits is read, a longer one refused") {
  CHECK(parse_number(std::string(max_digits, '9')) > 0);
  CHECK_THROWS_AS(parse_number(std::string(max_digits + 1, '9')), Error);
  CHECK(parse_number("1e10000") > parse_number("1e9999"));
  CHECK_THROWS_AS(parse_number("1e10001"), Error);
  CHECK_THROWS_AS(parse_number("1e99999999999999999999999"), Error);
}

TEST_CASE("ratio reduces") {
  CHECK(ratio(2, 4) == ratio(1, 2));
  CHECK(to_string(ratio(6, -4)) == "-3/2");
  CHECK(power(ratio(2, 3), 3) == ratio(8, 27));
  CHECK(power(Rational(5), 0) == 1);
}

}  // namespace
}  // namespace wmi
