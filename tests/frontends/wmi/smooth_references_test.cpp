// Integrals that mpmath has computed to 30 digits (tests/frontends/wmi/smooth/references.py): every
// enclosure holds, and is as narrow as it was asked to be.

#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "frontends/formats/format.h"
#include "solver/significant_digits.h"
#include "tests/source_directory.h"

namespace wmi::frontends {
namespace {

struct Reference {
  std::string name, text;
  Rational value;
};

std::vector<Reference> references() {
  std::ifstream in(source_directory() / "tests/frontends/wmi/smooth/references.txt");
  std::vector<Reference> result;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("; "))
      result.push_back({line.substr(2), "", 0});
    else if (line.starts_with("= "))
      result.back().value = parse_number(line.substr(2));
    else
      result.back().text += line + '\n';
  }
  return result;
}

void check(const Reference& reference, unsigned digits, const Enumerator& enumerator) {
  CAPTURE(reference.name);
  const Task task = read({reference.name, reference.text}, "smtlib").at(0);
  const Solution solution =
      solve_to_digits(digits, task, enumerator, *make_auto({}), {.threads = 1}).solution;
  REQUIRE(solution.answers[0].value);
  const Interval found = *solution.answers[0].value;
  Rational rounding = abs(reference.value);  // of the 30 digits
  for (int i = 0; i < 29; ++i) rounding /= 10;
  CHECK(found.lower <= reference.value + rounding);
  CHECK(reference.value - rounding <= found.upper);
  CHECK(has_digits(found, digits));
}

TEST_CASE("at least 60 integrals in up to five dimensions are enclosed to six digits") {
  const std::vector<Reference> all = references();
  CHECK(all.size() >= 60);
  for (const Reference& reference : all) check(reference, 6, *make_split());
}

TEST_CASE("in one and two dimensions, to twelve digits, also with the reference enumerator") {
  for (const Reference& reference : references()) {
    if (reference.text.find("declare-const z") != std::string::npos) continue;
    check(reference, 12, *make_split());
    check(reference, 6, *make_z3());
  }
}

}  // namespace
}  // namespace wmi::frontends
