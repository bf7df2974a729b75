#include "frontends/formats/smtlib_writer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "solver/terms/substitution.h"
#include "tests/frontends/reading.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

Script smtlib(const std::string& text) { return read_smtlib({"test.smt2", text}); }

/// The text of the script's only query.
std::string text_of(const std::string& declarations, const std::string& query) {
  const Script script = smtlib(declarations + query);
  return query_text(script[0].problem.terms, script[0].queries[0]);
}

const std::string xyab =
    "(declare-const x Real) (declare-const y Real) (declare-const A Bool) (declare-const B Bool) ";

/// A task over the given terms, all of whose declared reals (and Booleans) are in scope.
Task extracted(const Terms& terms, std::size_t reals, std::size_t booleans, Task task) {
  std::vector<Variable> real_list;
  for (std::size_t i = 0; i < reals; ++i) real_list.push_back(static_cast<Variable>(i));
  std::vector<std::uint32_t> boolean_list;
  for (std::size_t i = 0; i < booleans; ++i) boolean_list.push_back(static_cast<std::uint32_t>(i));
  task.problem.integrated.resize(reals, true);
  return extract(terms, real_list, boolean_list, task);
}

Query get_wmi() {
  Query query;
  query.kind = Query::Kind::wmi;
  return query;
}

TEST_CASE("smooth functions are read back as they were written, and left out of pure output") {
  const std::string text =
      "(declare-const x Real)(declare-const b Bool)(assert (<= 0 x 1))"
      "(weight b (* 2 (exp (ite (< x 0.5) x 1))))(weight true (/ x (+ x 1) 2))"
      "(weight true (normal x (* 2 x) 3))(weight true (+ (log (+ 1 x)) (erf (sqrt x))))"
      "(get-expectation (* (sigmoid x) (tanh (sigmoid x))))";
  const Script script = read_smtlib({"test", text});
  const std::string written = write_smtlib(script, false);
  CHECK(read_smtlib({"written", written}) == script);
  CHECK(write_smtlib(read_smtlib({"written", written}), false) == written);
  const std::string pure = write_smtlib(script, true);
  CHECK(
      pure.find("; left out: weights and terms with exp, log, sqrt, erf, sigmoid, tanh, normal and "
                "/, which are not in linear real arithmetic") != std::string::npos);
  CHECK(pure.find("(exp") == std::string::npos);
}

TEST_CASE("a macro goes before a function of the same name, and a constant does not hide it") {
  const Script script =
      read_smtlib({"test",
                   "(declare-const exp Real)(define-fun log ((t Real)) Real (* 2 t))"
                   "(assert (<= 0 exp 1))(weight true (log exp))(weight true (exp exp))"});
  CHECK(script.at(0).problem.weights[0].value == 2 * Polynomial::variable(0));
  CHECK(script.at(0).problem.terms.function_in(script.at(0).problem.weights[1].value) ==
        Function::exp);
}

}  // namespace

TEST_CASE("a script is written with standard literals, products and quotes") {
  const std::string text =
      "(declare-const x Real)\n"
      "(declare-const |y z| Real)\n"
      "(declare-const A Bool)\n"
      "(define-fun r1 () Real (ite (<= x 0) 0 x))\n"
      "(integrate x)\n"
      "(assert (and (>= x (- (/ 1 3))) (<= x 1)))\n"
      "(assert (= |y z| r1))\n"
      "(assert (or (not A) (< (* 3 x) (+ (* 2 |y z|) 5))))\n"
      "(weight A (+ 1 (* (- 2) x x)))\n"
      "(observe x (- (/ 1 2)))\n"
      "(echo \"it says \"\"hello\"\"\")\n"
      "(check-sat)\n"
      "(get-wmi)\n"
      "(get-wmi A)\n"
      "(get-probability (not (= x 0)) :given A)\n"
      "(get-expectation x)\n"
      "(get-variance (+ x |y z|) :given (not A))\n"
      "(get-moment (* 2 x) 3)\n"
      "(get-density x :at (/ 1 2) :given A)\n";
  CHECK(write_smtlib(smtlib(text)) == text);
}

TEST_CASE("a query is written on one line") {
  CHECK(text_of(xyab, "(get-probability (<= (* 2 x) 1))") == "(get-probability (<= x (/ 1 2)))");
  CHECK(text_of(xyab, "(get-probability (> (- 3) (* 2 x)))") ==
        "(get-probability (< x (- (/ 3 2))))");
  CHECK(text_of(xyab, "(get-probability (=> A (>= x y)))") ==
        "(get-probability (or (not A) (>= x y)))");
  CHECK(text_of(xyab, "(get-probability (not (ite A B (< x 0))))") ==
        "(get-probability (not (ite A B (< x 0))))");
  CHECK(text_of(xyab, "(get-probability (distinct x y))") == "(get-probability (not (= x y)))");
  CHECK(text_of(xyab, "(get-probability false)") == "(get-probability false)");
  CHECK(text_of(xyab, "(get-expectation 0)") == "(get-expectation 0)");
}

TEST_CASE("shared subterms of a query are bound by let") {
  const std::string query =
      "(get-expectation (let ((r1 (ite A x 0))) (let ((r2 (ite B r1 r1))) "
      "(let ((r3 (ite B (+ r1 1) (* 2 r1)))) (+ r1 r3)))))";
  CHECK(text_of(xyab, query) ==
        "(get-expectation (let ((r1 (ite A x 0))) (let ((r2 (ite B (+ 1 r1) (* 2 r1)))) "
        "(+ r1 r2))))");
}

TEST_CASE("names given to shared terms are not the declared ones") {
  const Script script = smtlib(
      "(declare-const r1 Real) (declare-const f2 Bool) (declare-const r_7 Real)"
      "(define-fun c () Bool (and f2 (< r1 r_7)))"
      "(assert (= c (not (and (not c) (< r1 0)))))"
      "(weight c (ite f2 r1 r_7))");
  const std::string text = write_smtlib(script);
  CAPTURE(text);
  CHECK(text.find("(define-fun f_1 () Bool") != std::string::npos);
  CHECK(text.find("(define-fun r__1 () Real") != std::string::npos);
  CHECK(smtlib(text) == script);
}

TEST_CASE("several tasks are each within a push and a pop") {
  const Script script = smtlib(
      "(declare-const x Real) (assert (<= 0 x 1)) (get-wmi) (assert (< x 0.5)) (get-wmi)"
      "(get-expectation x)");
  REQUIRE(script.size() == 2);
  CHECK(write_smtlib(script) ==
        "(push 1)\n(declare-const x Real)\n(assert (and (>= x 0) (<= x 1)))\n(get-wmi)\n(pop 1)\n"
        "(push 1)\n(declare-const x Real)\n(assert (and (>= x 0) (<= x 1)))\n"
        "(assert (< x (/ 1 2)))\n(get-wmi)\n(get-expectation x)\n(pop 1)\n");
  CHECK(smtlib(write_smtlib(script)) == script);
}

TEST_CASE("pure output has declarations and assertions only") {
  const Script script = smtlib(
      "(declare-const x Real) (declare-const z Real) (declare-const A Bool) (integrate x)"
      "(assert (<= 0 x 1)) (assert (= z (ite A x 0))) (weight A (ite (< x 1) x (* x x)))"
      "(get-density z :at 1)");
  CHECK(write_smtlib(script, true) ==
        "(set-logic QF_LRA)\n(declare-const x Real)\n(declare-const z Real)\n"
        "(declare-const A Bool)\n(define-fun r1 () Real (ite A x 0))\n"
        "(assert (and (>= x 0) (<= x 1)))\n(assert (= z r1))\n(check-sat)\n");
}

TEST_CASE("a chain of shared definitions is written in linear space") {
  // z[i+1] = ite (z[i] < 1) (z[i] + x) (2 * z[i]): as a tree it has 3^1000 leaves.
  Terms terms;
  const Polynomial x = Polynomial::variable(terms.declare_real("x"));
  Polynomial z = x;
  Formula f = terms.less(x, 0);
  for (int i = 0; i < 1'000; ++i) {
    z = terms.choice(terms.less(z, 1), z + x, Polynomial(2) * z);
    f = terms.choice(terms.less(z, 2), terms.either(f, terms.less(x, i)), !f);
  }
  Task task;
  task.problem.assertions = {f};
  task.queries = {get_wmi()};
  const Script script = {extracted(terms, 1, 0, task)};
  const std::string text = write_smtlib(script);
  CHECK(text.size() < 300'000);
  CHECK(smtlib(text) == script);
}

TEST_CASE("a formula nested too deeply for readers is split by names") {
  Terms terms;
  const Polynomial x = Polynomial::variable(terms.declare_real("x"));
  const Formula a = terms.declare_boolean("A");
  Formula f = a;
  for (int i = 0; i < 50'000; ++i)
    f = i % 2 == 0 ? terms.both(f, terms.less(x, i)) : terms.either(f, terms.less(i, x));
  Task task;
  task.problem.assertions = {f};
  task.queries = {get_wmi()};
  task.queries[0].event = !f;
  const Script script = {extracted(terms, 1, 1, task)};
  CHECK(smtlib(write_smtlib(script)) == script);
}

TEST_CASE("random scripts are read back unchanged") {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto below = [&](std::size_t limit) { return random() % limit; };
    Terms terms;
    std::vector<Polynomial> reals;
    std::vector<Formula> formulas = {truth};
    for (const char* name : {"x", "y", "r1"})
      reals.push_back(Polynomial::variable(terms.declare_real(name)));
    for (const char* name : {"A", "f 1"}) formulas.push_back(terms.declare_boolean(name));
    const auto number = [&] {
      return ratio(static_cast<int>(below(9)) - 4, static_cast<int>(below(3)) + 1);
    };
    const auto formula = [&] {
      const Formula chosen = formulas[below(formulas.size())];
      return below(2) == 0 ? chosen : !chosen;
    };
    const auto real = [&] { return reals[below(reals.size())]; };
    for (int i = 0; i < 30; ++i) {
      switch (below(5)) {
        case 0:
          formulas.push_back(terms.compare(number() * real() + number() * real() + number(),
                                           static_cast<Comparison>(below(3))));
          break;
        case 1:
          formulas.push_back(terms.all(std::vector{formula(), formula(), formula()}));
          break;
        case 2:
          formulas.push_back(terms.choice(formula(), formula(), formula()));
          break;
        case 3:
          reals.push_back(terms.choice(formula(), number() * real() + real(), real() + number()));
          break;
        default:
          reals.push_back(number() * real() + number() * real());
      }
    }
    Script script;
    for (std::size_t tasks = 1 + below(2); tasks > 0; --tasks) {
      Task task;
      task.problem.integrated = {true, below(2) == 0, true};
      task.problem.assertions = {formula(), formula()};
      task.problem.weights = {{formula(), real() * real() + number()}, {truth, real()}};
      if (below(2) == 0) task.problem.observations = {{2, number()}};
      for (std::size_t queries = 1 + below(3); queries > 0; --queries) {
        Query query;
        query.kind = static_cast<Query::Kind>(below(10));
        if (query.kind == Query::Kind::wmi || query.kind == Query::Kind::probability)
          query.event = formula();
        else if (query.kind != Query::Kind::satisfiable)
          query.term = real();
        if (query.kind != Query::Kind::wmi && query.kind != Query::Kind::satisfiable)
          query.given = formula();
        if (query.kind == Query::Kind::moment) query.order = static_cast<unsigned>(below(4));
        if (query.kind == Query::Kind::density || query.kind == Query::Kind::cdf)
          query.at = number();
        if (query.kind == Query::Kind::quantile) query.at = ratio(1 + below(9), 9);
        task.queries.push_back(std::move(query));
      }
      script.push_back(extracted(terms, 3, 2, task));
    }
    const std::string text = write_smtlib(script);
    CAPTURE(text);
    CHECK(smtlib(text) == script);
    CHECK(write_smtlib(smtlib(text)) == text);
  }
}

TEST_CASE("every golden file that can be read is read back unchanged") {
  for (const std::filesystem::path& path : golden_files()) {
    CAPTURE(path.string());
    const Script script = read(load(path));
    CHECK(smtlib(write_smtlib(script)) == script);
  }
}

TEST_CASE("a script with a query that is refused is not written") {
  const Script script =
      read(load(source_directory() / "tests" / "golden" / "error_refused_product.smt2"));
  CHECK_THROWS_AS(write_smtlib(script), Error);
}
