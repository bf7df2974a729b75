// Answers that need not be exact: --gap, and what is known when a limit ends the work.

#include <doctest/doctest.h>

#include "tests/frontends/json_lines.h"
#include "tests/frontends/program.h"

namespace wmi::frontends {
namespace {

/// A staircase of so many steps below the diagonal of the unit square; its share is (n-1)/(2n).
std::string staircase(int steps) {
  std::string text =
      "(declare-const x Real) (declare-const y Real) (assert (and (<= 0 x 1) (<= 0 y 1)))\n"
      "(get-probability (or";
  for (int i = 0; i < steps; ++i) {
    const std::string at = "(/ " + std::to_string(i) + " " + std::to_string(steps) + ")";
    text += " (and (<= " + at + " x) (<= y " + at + "))";
  }
  return text + "))\n";
}

TEST_CASE("--gap prints an enclosure that narrow, and the same with any number of threads") {
  const std::string text = staircase(50);
  const Rational share = ratio(49, 100);
  for (const std::string gap : {"1/10", "1e-2", "0.003"}) {
    CAPTURE(gap);
    const Finished one = wmi_reads(text, {"--gap", gap, "--threads", "1", "--json"});
    CHECK(one.exit == 0);
    CHECK(one.errors.empty());
    CHECK(wmi_reads(text, {"--gap", gap, "--threads", "3", "--json"}).output == one.output);
    const Json answer = objects(one.output).at(0);
    CHECK(answer["exact"].is_null() == (answer.value("stopped", "") == "gap"));
    CHECK((gap != "1/10" || answer["exact"].is_null()));
    const Rational lower = parse_number(answer["lower"].get<std::string>());
    const Rational upper = parse_number(answer["upper"].get<std::string>());
    CHECK(lower <= share);
    CHECK(share <= upper);
    CHECK(upper - lower <= parse_fraction(gap) + ratio(1, 1'000'000'000'000));
  }
}

TEST_CASE("a gap that only exact answers are within changes nothing") {
  CHECK(wmi_reads(staircase(5), {"--gap", "1e-30"}).output == "2/5 = 0.4\n");
  CHECK(wmi_reads(one, {"--gap", "1/2"}).output == "1 = 1\n");
  const std::string negative = square + "(weight true (- x))\n(get-wmi)\n";
  CHECK(wmi_reads(negative, {"--gap", "10"}).output == "-1/2 = -0.5\n");
}

TEST_CASE("where a limit ends a long search, the answer has bounds on both sides") {
  const Finished found = wmi_reads(staircase(400), {"--timeout", "3", "--json"});
  const Json answer = objects(found.output).at(0);
  if (found.exit == 0) return;  // a fast machine
  CHECK(found.exit == 3);
  CHECK(parse_number(answer["lower"].get<std::string>()) <= ratio(399, 800));
  CHECK(parse_number(answer["upper"].get<std::string>()) >= ratio(399, 800));
}

}  // namespace
}  // namespace wmi::frontends
