#include "frontends/common/amounts.h"

#include <doctest/doctest.h>

namespace wmi::frontends {
namespace {

TEST_CASE("seconds are positive decimals up to a limit") {
  CHECK(parse_seconds("5") == 5.0);
  CHECK(parse_seconds("0.25") == 0.25);
  CHECK(parse_seconds("1000000000") == 1e9);
  for (const char* bad : {"", "0", "-1", "1000000001", "x", "5s", "inf"}) {
    CAPTURE(bad);
    CHECK(!parse_seconds(bad));
  }
}

TEST_CASE("sizes are megabytes, or have a unit") {
  CHECK(parse_bytes("500") == std::size_t{500} << 20);
  CHECK(parse_bytes("500M") == std::size_t{500} << 20);
  CHECK(parse_bytes("2G") == std::size_t{2} << 30);
  CHECK(parse_bytes("0.5G") == std::size_t{1} << 29);
  CHECK(parse_bytes("8K") == std::size_t{1} << 13);
  for (const char* bad : {"", "0", "-1", "G", "5T", "2000000G", "x"}) {
    CAPTURE(bad);
    CHECK(!parse_bytes(bad));
  }
}

}  // namespace
}  // namespace wmi::frontends
