#include "encoders/dyadic_sum.h"

#include <doctest/doctest.h>

#include <random>

using namespace wmi;
using wmi::encoders::DyadicSum;

TEST_CASE("sums of products are exact and reduced") {
  CHECK(DyadicSum().value() == 0);
  for (unsigned seed = 0; seed < 5000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 engine(seed);
    const bool dyadic = engine() % 2 == 0;
    const auto number = [&] {
      const Integer numerator = (Integer(engine() % 5) - 2) << (engine() % 90);
      Integer denominator = Integer(1) << (engine() % 90);
      if (!dyadic && engine() % 4 == 0) denominator *= Integer(engine() % 9 + 1);
      return ratio(numerator + (engine() % 2 == 0 ? 1 : 0), denominator);
    };
    DyadicSum sum;
    Rational expected;
    for (std::size_t i = engine() % 8; i-- > 0;) {
      const Rational a = number(), b = number();
      sum.add(a, b);
      expected += a * b;
      if (engine() % 8 == 0) {
        sum.add(-expected, 1);
        expected = 0;
      }
      CHECK(sum.value() == expected);
      CHECK(sum.value().get_str() == expected.get_str());
    }
  }
}
