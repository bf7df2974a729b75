#include <doctest/doctest.h>

#include <filesystem>

#include "tests/frontends/reading.h"
#include "tests/temporary_directory.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

namespace fs = std::filesystem;

/// Files of one stem in a temporary directory.
class Triple {
 public:
  Triple() {
    write(".support",
          "(set-logic QF_LRA)\n(declare-fun x () Real)\n(declare-fun A () Bool)\n"
          "(assert (<= 0 x 1))\n(assert (or A (< x 0.5)))\n(check-sat)\n");
    write(".weights",
          "(declare-fun x () Real)\n(declare-fun B () Bool)\n"
          "(assert (* (ite B (* 2 (pow x 2.0)) 1.0) (+ x 1)))\n");
    write(".query", "(declare-fun C () Bool)\n(declare-fun A () Bool)\n(assert (or C A))\n");
  }
  fs::path path(const std::string& extension) const {
    return directory_.path("example" + extension);
  }
  void write(const std::string& extension, const std::string& text) {
    directory_.file("example" + extension, text);
  }
  void remove(const std::string& extension) { fs::remove(path(extension)); }
  Script read(const std::string& extension) const { return read_triple(load(path(extension))); }
  std::string refusal(const std::string& extension) const {
    return complaint([&] { read(extension); });
  }

 private:
  TemporaryDirectory directory_;
};

}  // namespace

TEST_CASE_FIXTURE(Triple, "a triple is one problem, whichever of its files is named") {
  const Script expected = read_smtlib({"", R"(
    (declare-const x Real) (declare-const A Bool) (declare-const B Bool) (declare-const C Bool)
    (assert (<= 0 x 1)) (assert (or A (< x 0.5)))
    (weight B (* 2 x x)) (weight true (+ x 1))
    (get-wmi) (get-probability (or C A)))"});
  for (const char* extension : {".support", ".weights", ".query"}) {
    CAPTURE(extension);
    CHECK(read(extension) == expected);
  }
  CHECK(read(".support")[0].queries[1].text == "(get-probability (or C A))");
}

TEST_CASE_FIXTURE(Triple, "a triple without a query asks for its integral") {
  remove(".query");
  CHECK(read(".support")[0].queries.size() == 1);
  write(".query", "(check-sat)");
  CHECK(read(".support")[0].queries.size() == 1);
}

TEST_CASE_FIXTURE(Triple, "a missing file of a triple is named") {
  CHECK(complaint([] {
          read_triple({"a.smt2", "(check-sat)"});
        }) == "a triple is named by its .support, .weights or .query file");
  write(".weights", "(check-sat)");
  CHECK(refusal(".support") == "'example.weights' asserts no weight");
  remove(".weights");
  CHECK(refusal(".support") ==
        "'example.weights' is missing; a triple needs its .support and .weights beside each other");
}

TEST_CASE_FIXTURE(Triple, "errors in a triple have their file and location") {
  write(".query", "(declare-fun A () Real)\n(assert true)\n");
  CHECK(refusal(".query") == "1:14: 'A' is declared with another sort in another file");
  CHECK(refusal(".support") ==
        "in 'example.query' at 1:14: 'A' is declared with another sort in another file");
  write(".query", "(assert D)");
  CHECK(refusal(".query") == "1:9: 'D' is not declared");
  write(".query", "(get-wmi)");
  CHECK(refusal(".query") ==
        "1:2: command 'get-wmi' has no place in a triple; use declare-fun, declare-const and "
        "assert");
  write(".query", "(declare-fun f (Real) Real)");
  CHECK(refusal(".query") == "1:16: only constants can be declared");
  write(".query", "(declare-fun f Real)");
  CHECK(refusal(".query") == "1:1: expected (declare-fun name () sort)");
  write(".query", "(declare-const f)");
  CHECK(refusal(".query") == "1:1: expected (declare-const name sort)");
  write(".query", "(assert)");
  CHECK(refusal(".query") == "1:1: expected (assert term)");
  write(".query", "x");
  CHECK(refusal(".query") == "1:1: expected a command in parentheses");
  write(".query", "(assert x)");
  CHECK(refusal(".query") == "1:9: expected a formula, not a Real");
}
