#include "frontends/networks/onnx/element_type.h"

#include <doctest/doctest.h>

#include "tests/frontends/reading.h"

namespace wmi::frontends::onnx {
namespace {

bool fits(ElementType type, const Rational& number) {
  return complaint([&] { check_entries(type, {number}); }) == "no complaint";
}

TEST_CASE("a type of integers has the numbers from its least to its greatest") {
  CHECK(fits(ElementType::int8, -128));
  CHECK(fits(ElementType::int8, 127));
  CHECK_FALSE(fits(ElementType::int8, -129));
  CHECK_FALSE(fits(ElementType::int8, 128));
  CHECK(fits(ElementType::uint16, 65535));
  CHECK_FALSE(fits(ElementType::uint16, -1));
  CHECK_FALSE(fits(ElementType::uint16, 65536));
  CHECK(fits(ElementType::uint64, parse_number("18446744073709551615")));
  CHECK_FALSE(fits(ElementType::int64, parse_number("9223372036854775808")));
  CHECK_FALSE(fits(ElementType::boolean, 2));
  CHECK_FALSE(fits(ElementType::int64, ratio(1, 2)));
  CHECK(fits(ElementType::real, ratio(1, 2)));
}

TEST_CASE("a number that does not fit its type is named") {
  CHECK(complaint([] {
          check_entries(ElementType::uint8, {1, -1});
        }) ==
        "has the entry -1, which is no uint8; integers are computed only where nothing is rounded "
        "or wraps around");
}

TEST_CASE("a value has at most 32 axes") {
  CHECK(complaint([] { check_rank(32); }) == "no complaint");
  CHECK(complaint([] { check_rank(1'000'000); }) == "has 1000000 axes; at most 32 are supported");
}

}  // namespace
}  // namespace wmi::frontends::onnx
