#include "solver/terms/decimal.h"

#include <doctest/doctest.h>

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "solver/terms/rational.h"

namespace wmi {
namespace {

std::string printed(double value, int digits) {
  std::vector<char> text(2000);
  std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  return text.data();
}

/// Any finite double but 0, each bit pattern equally likely: all exponents occur.
double random_double(std::mt19937_64& random) {
  for (;;) {
    const std::uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isfinite(value) && value != 0) return value;
  }
}

Integer random_integer(std::mt19937_64& random, unsigned bits) {
  Integer result = 0;
  for (unsigned i = 0; i < bits; i += 32) {
    result <<= 32;
    result += static_cast<unsigned long>(random() & 0xffffffffu);
  }
  result >>= (32 - bits % 32) % 32;
  return result;
}

Rational random_rational(std::mt19937_64& random) {
  const auto bits = [&] { return static_cast<unsigned>(random() % 400 + 1); };
  Rational result = ratio(random_integer(random, bits()), random_integer(random, bits()) + 1);
  if (random() % 2) result = -result;
  return result;
}

Rational ten_to(long exponent) {
  const Rational size = power(Rational(10), static_cast<unsigned>(std::labs(exponent)));
  return exponent < 0 ? Rational(1 / size) : size;
}

TEST_CASE("a number with few digits is written exactly") {
  CHECK(decimal(0, 17) == "0");
  CHECK(decimal(1, 17) == "1");
  CHECK(decimal(-120, 17) == "-120");
  CHECK(decimal(ratio(3, 4), 17) == "0.75");
  CHECK(decimal(ratio(-5, 2), 17) == "-2.5");
  CHECK(decimal(ratio(2, 9), 17) == "0.22222222222222222");
  CHECK(decimal(ratio(2, 3), 17) == "0.66666666666666667");
  CHECK(decimal(ratio(1, 3), 1) == "0.3");
  CHECK(decimal(Rational(2, 4), 17) == "0.5");  // not reduced
}

TEST_CASE("an exponent is written where printf's %g writes one") {
  CHECK(decimal(ratio(1, 10000), 17) == "0.0001");
  CHECK(decimal(ratio(1, 100000), 17) == "1e-05");
  CHECK(decimal(ratio(123, 10000000), 17) == "1.23e-05");
  CHECK(decimal(Rational(100), 3) == "100");
  CHECK(decimal(Rational(1000), 3) == "1e+03");
  CHECK(decimal(Rational("8830000000000000000"), 17) == "8.83e+18");
  CHECK(decimal(Rational("88300000000000000"), 17) == "88300000000000000");
}

TEST_CASE("a carry may lengthen the number") {
  CHECK(decimal(ratio(999, 100), 2) == "10");
  CHECK(decimal(ratio(999, 100), 1) == "1e+01");
  CHECK(decimal(ratio(-999, 100), 2) == "-10");
  CHECK(decimal(ratio(99999, 10000000), 2) == "0.01");
  CHECK(decimal(ratio(99999, 1000000000), 3) == "0.0001");
  CHECK(decimal(ratio(999996, 10), 5) == "1e+05");
  CHECK(decimal(ratio(9, 1), 1, Rounding::up) == "9");
  CHECK(decimal(ratio(91, 10), 1, Rounding::up) == "1e+01");
}

TEST_CASE("ties go to the even digit") {
  CHECK(decimal(ratio(25, 10), 1) == "2");
  CHECK(decimal(ratio(35, 10), 1) == "4");
  CHECK(decimal(ratio(-25, 10), 1) == "-2");
  CHECK(decimal(ratio(-35, 10), 1) == "-4");
  CHECK(decimal(ratio(125, 1000), 2) == "0.12");
  CHECK(decimal(ratio(375, 1000), 2) == "0.38");
  CHECK(decimal(ratio(95, 10), 1) == "1e+01");
  CHECK(decimal(ratio(25, 10) + ten_to(-100), 1) == "3");
  CHECK(decimal(ratio(35, 10) - ten_to(-100), 1) == "3");
}

TEST_CASE("directed rounding never crosses the number") {
  CHECK(decimal(ratio(2, 9), 3, Rounding::up) == "0.223");
  CHECK(decimal(ratio(2, 9), 3, Rounding::down) == "0.222");
  CHECK(decimal(ratio(-2, 9), 3, Rounding::up) == "-0.222");
  CHECK(decimal(ratio(-2, 9), 3, Rounding::down) == "-0.223");
  CHECK(decimal(ratio(3, 4), 2, Rounding::up) == "0.75");
  CHECK(decimal(ratio(3, 4), 2, Rounding::down) == "0.75");
  CHECK(decimal(1 + ten_to(-1000), 17, Rounding::up) == "1.0000000000000001");
  CHECK(decimal(1 - ten_to(-1000), 17, Rounding::down) == "0.99999999999999999");
  CHECK(decimal(1 - ten_to(-1000), 17, Rounding::up) == "1");
}

TEST_CASE("a power of ten and its neighbours have the right exponent") {
  for (long exponent = -400; exponent <= 400; ++exponent) {
    CAPTURE(exponent);
    const Rational power = ten_to(exponent);
    const Rational little = ten_to(exponent - 60);
    CHECK(parse_number(decimal(power, 5)) == power);
    CHECK(parse_number(decimal(power - little, 5)) == power);
    CHECK(parse_number(decimal(power - little, 5, Rounding::down)) == ratio(99999, 100000) * power);
    CHECK(parse_number(decimal(power + little, 5, Rounding::up)) == ratio(10001, 10000) * power);
  }
}

TEST_CASE("numbers of a million digits are written") {
  const Rational huge = ten_to(1'000'000);
  CHECK(decimal(huge * 2 / 3, 5) == "6.6667e+999999");
  CHECK(decimal(huge + 1, 5, Rounding::up) == "1.0001e+1000000");
  CHECK(decimal(1 / (huge * 3), 5, Rounding::down) == "3.3333e-1000001");
  CHECK(decimal((huge + 1) / huge, 5, Rounding::up) == "1.0001");
  CHECK(decimal((huge + 1) / huge, 5) == "1");
}

TEST_CASE("more digits than the number has change nothing") {
  CHECK(decimal(ratio(3, 8), 10000) == "0.375");
  CHECK(decimal(ratio(1, 3), 10000) == "0." + std::string(10000, '3'));
}

TEST_CASE("every double prints as printf prints it, in each rounding direction") {
  const unsigned seed = 20;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  std::vector<double> values{std::numeric_limits<double>::denorm_min(),
                             std::numeric_limits<double>::min(),
                             std::numeric_limits<double>::max(),
                             0.1,
                             1e22,
                             1e23,
                             9.5,
                             0.5};
  for (int i = 0; i < 3000; ++i) values.push_back(random_double(random));
  for (int i = 0; i < 3000; ++i)  // of everyday size, with ties
    values.push_back(static_cast<double>(static_cast<long>(random() % 2000000) - 1000000) / 64);
  for (const double value : values) {
    if (value == 0) continue;
    CAPTURE(value);
    const Rational exact(value);
    for (const int digits : {17, 1, 3, 6, 40}) {
      CAPTURE(digits);
      CHECK(decimal(exact, digits) == printed(value, digits));
      std::fesetround(FE_UPWARD);
      const std::string up = printed(value, digits);
      std::fesetround(FE_DOWNWARD);
      const std::string down = printed(value, digits);
      std::fesetround(FE_TONEAREST);
      CHECK(decimal(exact, digits, Rounding::up) == up);
      CHECK(decimal(exact, digits, Rounding::down) == down);
    }
    CHECK(std::strtod(decimal(exact, 17).c_str(), nullptr) == value);
  }
}

TEST_CASE("the decimal of a rational is the nearest one, and directed ones are its neighbours") {
  const unsigned seed = 21;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 5000; ++i) {
    const Rational value = random_rational(random);
    const int digits = static_cast<int>(random() % 30 + 1);
    CAPTURE(value.get_str());
    CAPTURE(digits);
    const Rational nearest = parse_number(decimal(value, digits));
    const Rational down = parse_number(decimal(value, digits, Rounding::down));
    const Rational up = parse_number(decimal(value, digits, Rounding::up));
    CHECK(down <= value);
    CHECK(value <= up);
    CHECK(((nearest == down) || (nearest == up)));
    CHECK(abs(nearest - value) <= value - down);
    CHECK(abs(nearest - value) <= up - value);
    // One unit of the last digit apart: that of the larger magnitude's decade, or of the smaller's.
    if (down == up) {
      CHECK(value == down);
      continue;
    }
    const Rational smaller = abs(down) < abs(up) ? abs(down) : abs(up);
    Rational unit = 1;
    while (unit > smaller) unit /= 10;
    while (unit * 10 <= smaller) unit *= 10;
    CHECK(up - down == unit * ten_to(1 - digits));
  }
}

}  // namespace
}  // namespace wmi
