#include "frontends/networks/onnx/growth.h"

#include <doctest/doctest.h>

#include "tests/frontends/reading.h"

namespace wmi::frontends::onnx {
namespace {

using Numbers = encoders::Tensor<Rational>;

TEST_CASE("a computed constant has at most as many digits as a numeral") {
  CHECK(checked_bits(Numbers({2}, {1, ratio(3, 4)})) == 7);
  CHECK(complaint([] { checked_bits(Numbers({1}, {power(Rational(10), 20'000)})); }) ==
        "computes a constant of more than 10000 digits, the cap 'digits'");
}

TEST_CASE("many long constants are refused before they are computed") {
  const Numbers longer({1}, {power(Rational(2), 1'000)});
  check_growth({&longer, &longer}, 1'000, false);
  CHECK(complaint([&] {
          check_growth({&longer, &longer}, 10'000'000, false);
        }) == "computes constants with too many digits");
}

TEST_CASE("a sum of fractions is refused for its common denominator, a product is not") {
  Numbers fractions({20'000}, {});
  for (long i = 1; i <= 20'000; ++i) fractions.entries.push_back(ratio(1, 4 * i * i + 1));
  check_growth({&fractions}, 20'000, adds_up("Mul"));
  CHECK(complaint([&] {
          check_growth({&fractions}, 1, adds_up("ReduceSum"));
        }).starts_with("computes a constant of more than 10000 digits"));
}

}  // namespace
}  // namespace wmi::frontends::onnx
