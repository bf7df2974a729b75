#include "frontends/common/line.h"

#include <doctest/doctest.h>

namespace wmi::frontends {
namespace {

TEST_CASE("control characters and invalid UTF-8 are escaped in a line") {
  CHECK(one_line("a\nb\tc\x1b[0m\x7f\xff") == "a\\nb\\tc\\x1b[0m\\x7f\\xff");
  CHECK(one_line("gr\xc3\xbc\xc3\x9f \xe2\x88\xab") == "gr\xc3\xbc\xc3\x9f \xe2\x88\xab");
  CHECK(one_line("\xc2\x9b") == "\\xc2\\x9b");  // a control character of eight bits
  CHECK(printable("a\nb", "\n") == "a\nb");
  const std::string shortened = one_line(std::string(100000, 'a') + "; help");
  CHECK(shortened.size() < 700);
  CHECK(shortened.ends_with("aaa; help"));
  std::string accents;
  for (int i = 0; i < 1000; ++i) accents += "\xc3\xbc";
  CHECK(one_line("a" + accents).find("\\x") == std::string::npos);
}

TEST_CASE("a message names the file, and the line and column if they are known") {
  CHECK(message("a.smt2", {3, 9}, "unknown\nname") == "a.smt2:3:9: unknown\\nname");
  CHECK(message("a\x1b.smt2", {}, "is empty") == "a\\x1b.smt2: is empty");
}

}  // namespace
}  // namespace wmi::frontends
