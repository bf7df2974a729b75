// Terms that are known to defeat solvers: powers of sums, sums nested deeper than a stack, numbers
// with a million digits. Without --cap they are refused at once; with it they are read, and
// --timeout and --memory end what they lead to, be it in our code, in GMP or in Z3.

#include <doctest/doctest.h>

#include "tests/frontends/fault_injection.h"
#include "tests/source_directory.h"

namespace wmi::frontends {
namespace {

std::string times(std::size_t count, const std::string& text) {
  std::string result;
  result.reserve(count * text.size());
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

const std::string box =
    "(declare-const x Real) (declare-const y Real) (assert (and (<= 0 x 1) (<= 0 y 1)))\n";

struct Hostile {
  std::string name;
  std::string text;
  std::string refusal;  // without --cap
  std::string cap;      // with which it is read
};

std::vector<Hostile> hostile() {
  const std::string million = "1" + std::string(1'000'000, '7');
  return {
      {"a chain of powers",
       box + "(define-fun p () Real (^ (+ x 1) 1000))\n(weight (< (^ (+ x y 1) 1000) p) p)\n",
       "the exponent 1000 is beyond 256", "degree=50000,terms=1000000000,products=100000000000"},
      {"a weight that is a power of a sum", box + "(weight true (^ (+ x (* 3 y) 1) 1000))\n",
       "the exponent 1000 is beyond 256", "degree=50000,terms=1000000000,products=100000000000"},
      {"nested sums",
       box + "(assert (< " + times(100'000, "(+ (ite (< x y) x 1) ") + "x" + times(100'000, ")") +
           " 7))\n",
       "parentheses nested deeper than 10000", "nesting=200000"},
      {"nested conditions",
       box + "(assert " + times(100'000, "(and (< x y) (or (< y x) ") + "true" +
           times(100'000, "))") + ")\n",
       "parentheses nested deeper than 10000", "nesting=1000000"},
      {"long numerals",
       box + "(assert (< (* " + million + " x) (* y " + million + "1)))\n(weight true (* " +
           million + "3 x))\n",
       "a numeral of more than 10000 digits", "digits=2000000"},
  };
}

TEST_CASE("inputs that are too large are refused before they are solved") {
  const TemporaryDirectory directory;
  for (const Hostile& each : hostile()) {
    CAPTURE(each.name);
    const std::string file = directory.file("hostile.smt2", each.text);
    for (const char* const program : {"wmi", "wmi-check"}) {
      const Finished found = run_program(program, {file, "/dev/null"});
      CHECK(found.exit == 1);
      CHECK(contains(found.errors, each.refusal));
    }
  }
}

TEST_CASE("--timeout and --memory limit inputs that are accepted") {
  const TemporaryDirectory directory;
  for (const Hostile& each : hostile()) {
    CAPTURE(each.name);
    const std::string file = directory.file("hostile.smt2", each.text);
    const Finished found = run_program("wmi", {"--cap", each.cap, "--timeout", "0.3", "--memory",
                                               "400", "--enumerator", "z3", file});
    CAPTURE(found.errors.substr(0, 300));
    CHECK((found.exit == 0 || found.exit == 1 || found.exit == 3));
    if (found.exit == 3) CHECK(contains(found.errors, "wmi: stopped by --"));
  }
}

TEST_CASE("a power of a sum that takes long is stopped by either limit, for each program") {
  const TemporaryDirectory directory;
  const Hostile power = hostile()[1];
  const std::string file = directory.file("hostile.smt2", power.text);
  const Finished timed = run_program("wmi", {"--cap", power.cap, "--timeout", "0.3", file});
  CHECK(timed.exit == 3);
  CHECK(contains(timed.errors, "wmi: stopped by --timeout after "));
  const Finished small = run_program("wmi", {"--cap", power.cap, "--memory", "40", file});
  CHECK(small.exit == 3);
  CHECK(contains(small.errors, "wmi: stopped by --memory after "));

  const Finished check =
      run_program("wmi-check", {"--cap", power.cap, "--timeout", "0.3", file, "/dev/null"});
  CHECK(check.exit == 3);
  CHECK(check.errors == "wmi-check: stopped by --timeout\n");
  const Finished narrow =
      run_program("wmi-check", {"--cap", power.cap, "--memory", "40M", file, "/dev/null"});
  CHECK(narrow.exit == 3);
  CHECK(narrow.errors == "wmi-check: stopped by --memory\n");
  CHECK(run_program("wmi-check", {"--timeout", "soon", file, "/dev/null"}).exit == 2);
  CHECK(run_program("wmi-check", {"--memory", "much", file, "/dev/null"}).exit == 2);
}

TEST_CASE("ciber query has the same limits") {
  const std::string network = (source_directory() / "docs/examples/net.safetensors").string();
  std::vector<std::string> words = {"query", network, "--input", "1,0.5"};
  for (const char* const entry : {"[0,0]", "[0,1]", "[1,0]", "[1,1]", "[2,0]", "[2,1]"})
    words.insert(words.end(),
                 {"--unknown", "fc1.weight" + std::string(entry) + "=bspline(-9,9,30)"});
  words.insert(words.end(), {"--distribution", "--timeout", "0.3"});
  const Finished found = run_program("ciber", words);
  CAPTURE(found.errors);
  CHECK(found.exit == 3);
  CHECK(contains(found.errors, "ciber: stopped by --timeout after "));
}

}  // namespace
}  // namespace wmi::frontends
