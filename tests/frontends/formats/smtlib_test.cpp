// Conformance of the SMT-LIB reader: accepted input, its meaning, and errors.

#include <doctest/doctest.h>

#include "frontends/common/caps.h"
#include "solver/terms/query.h"
#include "tests/frontends/reading.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

Script script(const std::string& text) { return read_smtlib({"test.smt2", text}); }

std::string refusal(const std::string& text) {
  return complaint([&] { script(text); });
}

const std::string declared =
    "(declare-const x Real) (declare-fun y () Real) (declare-const a Bool) (declare-const b "
    "Bool)\n";

/// The two formulas are the same structure.
void same(const std::string& formula, const std::string& other) {
  CAPTURE(formula);
  CAPTURE(other);
  CHECK(script(declared + "(assert " + formula + ") (get-wmi)") ==
        script(declared + "(assert " + other + ") (get-wmi)"));
}

}  // namespace

TEST_CASE("equivalent notations give equal terms") {
  same("(<= 0 x 1)", "(and (<= 0 x) (<= x 1))");
  same("(>= 1 x 0)", "(and (<= 0 x) (<= x 1))");
  same("(> x 0)", "(not (<= x 0))");
}

TEST_CASE("connectives and arithmetic") {
  same("(=> a b false)", "(or (not a) (not b))");
  same("(xor a b)", "(ite a (not b) b)");
  same("(= a b)", "(ite a b (not b))");
  same("(distinct x y)", "(not (= x y))");
  same("(distinct x y 1)", "(and (distinct x y) (distinct x 1) (distinct y 1))");
  same("(< (- x) 0)", "(> x 0)");
  same("(< (- x y 1) 0)", "(< x (+ y 1))");
  same("(< (/ x 2 5) 1)", "(< x 10)");
  same("(< (* 2 (+ x 1) 3) 0)", "(< (+ (* 6 x) 6) 0)");
  same("(< (pow (^ 2 3) 2) x)", "(< 64 x)");
  same("(< (* x 0.1) 1e-1)", "(< x 1)");
  same("(< 1.5E+1 x)", "(< 15 x)");
  same("(let ((x y) (y x)) (< x y))", "(< y x)");
  same("(let ((z (+ x y))) (let ((z (+ z z))) (< z 2)))", "(< (+ x y) 1)");
  same("(! (< x 1) :named small :weight 3)", "(< x 1)");
  same("(and true a (or false b))", "(and a b)");
  same("(ite a (< x 1) (< x 1))", "(< x 1)");
  same("(< |x| 1)", "(< x 1)");
  same("(< (ite a x y) 1)", "(< (ite (not a) y x) 1)");
}

TEST_CASE("macros are expanded, with the names in scope at their definition") {
  CHECK(script(declared + "(define-fun twice ((t Real)) Real (* 2 t))"
                          "(define-fun below ((s Real) (t Real)) Bool (< (twice s) t))"
                          "(assert (let ((twice 7) (t 3)) (below x y)))") ==
        script(declared + "(assert (< (* 2 x) y))"));
  CHECK(script(declared + "(define-fun x2 () Real (+ x x)) (define-const one Real 1)"
                          "(assert (let ((x 5)) (< x2 one)))") ==
        script(declared + "(assert (< (* 2 x) 1))"));
  CHECK(script(declared + "(assert (! (< x 1) :named small)) (assert (=> small a))") ==
        script(declared + "(assert (< x 1)) (assert (=> (< x 1) a))"));
}

TEST_CASE("queries on the same state form one task") {
  const Script found = script(
      "(declare-const x Real) (assert (<= 0 x 1)) (get-wmi) (get-expectation x)\n"
      "(push) (declare-const y Real) (assert (<= 0 y x)) (weight true 2) (get-wmi) (pop)\n"
      "(get-wmi (> x 0.5)) (check-sat) (echo \"done\") (exit) (this is not read");
  REQUIRE(found.size() == 3);
  CHECK(found[0].queries.size() == 2);
  CHECK(found[1].problem.integrated.size() == 2);
  CHECK(found[1].problem.weights.size() == 1);
  CHECK(found[2].problem.integrated.size() == 1);
  CHECK(found[2].queries.size() == 2);
  CHECK(found[2].queries[0].text == "(get-wmi (> x 0.5))");
  CHECK(found[2].queries[0].where == Location{3, 1});
  CHECK(found[2].echoes == std::vector<Echo>{{"done", 2, {}}});
}

TEST_CASE("a name may be declared again after the pop of its scope") {
  const Script found = script(
      "(push) (declare-const z Bool) (get-wmi) (pop) (declare-const z Real) (integrate z) "
      "(get-wmi)");
  REQUIRE(found.size() == 2);
  CHECK(found[0].problem.terms.boolean_count() == 1);
  CHECK(found[1].problem.terms.boolean_count() == 0);
  CHECK(found[1].problem.integrated == std::vector{true});
}

TEST_CASE("an empty measure has no dimension, and every real is derived") {
  const Script found = script("(declare-const z Real) (integrate) (assert (= z 1)) (get-wmi)");
  CHECK(found[0].problem.integrated == std::vector{false});
}

TEST_CASE("a file without queries asks for its integral") {
  const Script found = script("(declare-const x Real)");
  REQUIRE(found.size() == 1);
  CHECK(found[0].queries[0].kind == Query::Kind::wmi);
  CHECK(script("(set-logic QF_LRA) (set-info :status sat) (set-option :produce-models true)")[0]
            .queries.size() == 1);
}

TEST_CASE("errors have a location and a message") {
  CHECK(refusal("") == "1:1: the file has no commands");
  CHECK(refusal("; nothing\n") == "1:1: the file has no commands");
  CHECK(refusal("x") == "1:1: expected a command in parentheses");
  CHECK(refusal("()") == "1:1: expected a command in parentheses");
  CHECK(refusal("(foo)") == "1:2: unknown command 'foo'");
  CHECK(refusal("\n (get-model)") == "2:3: unknown command 'get-model'");
  CHECK(refusal("(declare-const x Int)") == "1:18: sort 'Int' is not supported; use Real or Bool");
  CHECK(refusal("(declare-fun f (Real) Real)") ==
        "1:16: 'f' is declared with arguments; only constants can be declared");
  CHECK(refusal("(declare-const and Bool)") == "1:16: 'and' is a reserved word");
  CHECK(refusal("(declare-const x Real) (declare-const x Bool)") == "1:39: 'x' is declared twice");
  CHECK(refusal("(assert z)") == "1:9: 'z' is not declared");
  CHECK(refusal("(assert (f 1))") == "1:10: 'f' is not declared");
  CHECK(refusal(declared + "(assert x)") == "2:9: expected a formula, not a Real");
  CHECK(refusal(declared + "(assert (and a x))") == "2:9: argument 2 of 'and' is Real, not Bool");
  CHECK(refusal(declared + "(assert (= a x))") == "2:9: argument 2 of '=' is Real, not Bool");
  CHECK(refusal(declared + "(assert (ite a b x))") == "2:9: argument 3 of 'ite' is Real, not Bool");
  CHECK(refusal(declared + "(assert (not a b))") == "2:9: 'not' has 2 arguments; it takes 1");
  CHECK(refusal(declared + "(assert (< x))") == "2:9: '<' has 1 argument; it takes at least 2");
  CHECK(refusal(declared + "(assert (< (* x y) 1))") ==
        "2:9: the product (* x y) is not linear; only sums of numbers times variables can stand "
        "here");
  CHECK(refusal(declared + "(assert (< (/ x 0) 1))") == "2:12: division by zero");
  CHECK(refusal(declared + "(assert (< (/ 1 x) 1))") ==
        "2:9: the function '/' cannot stand here; smooth functions are allowed in weights and in "
        "terms of expectations, variances and moments only");
  CHECK(
      refusal(declared + "(assert (< (+ x (tanh y)) 1))") ==
      "2:9: the function 'tanh' cannot stand here; smooth functions are allowed in weights and in "
      "terms of expectations, variances and moments only");
  CHECK(refusal(declared + "(weight a (normal x 0 0))") ==
        "2:11: the deviation of 'normal' must be a number above 0");
  CHECK(refusal(declared + "(weight a (log 0))") == "2:11: (log 0) has no value");
  CHECK(refusal(declared + "(weight a (exp x y))") == "2:11: 'exp' has 2 arguments; it takes 1");
  CHECK(refusal(declared + "(weight a (^ x 1000))") == "2:11: the exponent 1000 is beyond 256");
  CHECK(refusal(declared + "(weight a (^ x 0.5))") ==
        "2:11: the exponent 1/2 is not a natural number");
  CHECK(refusal(declared + "(weight a (^ x y))") == "2:11: an exponent must be a number");
  CHECK(refusal(declared + "(weight a z)") ==
        "2:11: weight of 'a' uses 'z', which is not declared");
  CHECK(refusal(declared + "(weight x 1)") == "2:9: expected a formula, not a Real");
  CHECK(refusal(declared + "(integrate a)") ==
        "2:12: 'a' is not a declared Real; only those can be integrated");
  CHECK(refusal(declared + "(integrate x x)") == "2:14: 'x' is integrated twice");
  CHECK(refusal(declared + "(observe x y)") == "2:12: expected a number without variables");
  CHECK(refusal(declared + "(observe x 1) (observe x 1)") == "2:24: 'x' is observed twice");
  CHECK(refusal(declared + "(pop)") == "2:1: pop without push: 0 levels are open");
  CHECK(refusal(declared + "(push -1)") == "2:7: '-1' is not declared; write (- 1)");
  CHECK(refusal(declared + "(push x)") == "2:7: expected a number without variables");
  CHECK(refusal(declared + "(push 0.5)") == "2:7: expected a number of levels up to 10000");
  CHECK(refusal(declared + "(push 99999999999999999999)") ==
        "2:7: expected a number of levels up to 10000");
  CHECK(refusal(declared + "(get-density x)") ==
        "2:1: ':at NUMBER' is missing: expected (get-density TERM :at NUMBER [:given FORMULA])");
  CHECK(refusal(declared + "(get-density x :at)") == "2:16: the number after ':at' is missing");
  CHECK(refusal(declared + "(get-cdf x :at)") == "2:12: the number after ':at' is missing");
  CHECK(refusal(declared + "(get-cdf x :at :given a)") ==
        "2:12: the number after ':at' is missing");
  CHECK(refusal(declared + "(get-cdf x :given a :at)") ==
        "2:21: the number after ':at' is missing");
  CHECK(refusal(declared + "(get-cdf x :at 1 :given)") ==
        "2:18: the formula after ':given' is missing");
  CHECK(refusal(declared + "(get-cdf x :at 1 :at 2)") == "2:12: unexpected ':at'");
  CHECK(refusal(declared + "(get-quantile x :at)") == "2:17: unexpected ':at'");
  CHECK(refusal(declared + "(get-quantile x)") ==
        "2:1: the probability is missing: expected "
        "(get-quantile TERM PROBABILITY [:given FORMULA])");
  CHECK(refusal(declared + "(get-quantile x :given a)") ==
        "2:1: the probability is missing: expected "
        "(get-quantile TERM PROBABILITY [:given FORMULA])");
  CHECK(refusal(declared + "(get-quantile x :given)") ==
        "2:17: the formula after ':given' is missing");
  CHECK(refusal(declared + "(get-quantile x 0.5 0.5)") ==
        "2:1: expected (get-quantile TERM PROBABILITY [:given FORMULA])");
  CHECK(refusal(declared + "(get-expectation x y)") ==
        "2:1: expected (get-expectation TERM [:given FORMULA])");
  CHECK(refusal(declared + "(get-variance)") ==
        "2:1: expected (get-variance TERM [:given FORMULA])");
  CHECK(refusal(declared + "(get-moment x :given a)") ==
        "2:1: expected (get-moment TERM NUMBER [:given FORMULA])");
  CHECK(refusal(declared + "(get-density (* x y) :at 1)").substr(0, 7) == "2:14: t");
  CHECK(refusal(declared + "(get-moment x 1.5)") == "2:15: expected a natural number up to 256");
  CHECK(refusal(declared + "(get-probability a :when b)") == "2:20: unexpected ':when'");
  CHECK(refusal(declared + "(get-expectation a)") ==
        "2:18: expected a Real, not a Bool; write (ite F 1 0) for a formula F");
  CHECK(refusal("(define-fun f ((t Real)) Real (+ t 1)) (assert (< (f) 1))") ==
        "1:51: 'f' has 0 arguments; it takes 1");
  CHECK(refusal("(define-fun f ((t Real) (t Real)) Real t)") == "1:25: 't' is declared twice");
  CHECK(refusal("(echo 3)") == "1:7: expected (echo \"text\")");
}

TEST_CASE("any malformed text gives a one-line error") {
  const std::string deep(1'000'000, '(');
  CHECK(refusal(deep) == "1:10001: parentheses nested deeper than 10000");
  CHECK(refusal("(assert " + deep).find("nested deeper") != std::string::npos);
  CHECK(refusal(declared + "(assert (< x " + std::string(10'001, '7') + "))") ==
        "2:14: a numeral of more than 10000 digits");
  CHECK(refusal(declared + "(assert (< x 1e99999))").substr(0, 6) == "2:14: ");
  CHECK(refusal(declared + "(assert (< (pow (+ x 1) 1000) 1))").substr(0, 6) == "2:12: ");
  CHECK(refusal(std::string("\x00\x01\xff\xfe garbage", 12)) != "no complaint");
  const std::string whole = declared + "(assert (and (< x 1) (or a (! b :named c)))) (get-wmi)";
  for (std::size_t length = declared.size() + 1; length < whole.size(); ++length)
    if (whole[length - 1] != ' ' && length != declared.size() + 44) {
      CAPTURE(length);
      CHECK(refusal(whole.substr(0, length)) != "no complaint");
    }
}

TEST_CASE("macros of macros are refused before they exhaust memory") {
  std::string text = "(declare-const x Real) (define-fun f0 ((t Real)) Real t)\n";
  for (int i = 1; i < 60; ++i)
    text += "(define-fun f" + std::to_string(i) + " ((t Real)) Real (+ (f" + std::to_string(i - 1) +
            " t) (f" + std::to_string(i - 1) + " t)))\n";
  // Each level doubles the work: 2^59 terms.
  CHECK(refusal(text + "(assert (< (f59 x) 1))").find("macros expand to more than") !=
        std::string::npos);
}

TEST_CASE("a deep nest of sums, lets and choices is read without recursion") {
  std::string sum = "x", chosen = "x";
  for (int i = 0; i < 4'000; ++i) sum = "(+ 1 " + sum + ")";
  for (int i = 0; i < 4'000; ++i) chosen = "(ite (> x " + std::to_string(i) + ") " + chosen + " 0)";
  CHECK(refusal(declared + "(assert (< " + sum + " 9999))") == "no complaint");
  CHECK(refusal(declared + "(assert (< " + chosen + " 9999))") == "no complaint");
}

TEST_CASE("reading takes time linear in the text, whatever the shape of its sums") {
  std::string names, nested, ends, flat = "(+", minus = "(- 0";
  for (int i = 0; i < 9'000; ++i) {
    const std::string name = "x" + std::to_string(i);
    names += "(declare-const " + name + " Real)";
    nested += "(+ " + name + " ";
    ends += ")";
  }
  for (int i = 0; i < 100'000; ++i) {
    const std::string name = "x" + std::to_string(i % 9'000);
    flat += " " + name;
    minus += " " + name;
  }
  const Script script_nested = script(names + "(assert (< " + nested + "0" + ends + " 1))");
  CHECK(script_nested[0].problem.terms.atom(0).form.coefficients.size() == 9'000);
  CHECK(script(names + "(assert (< " + flat + ") 1))") ==
        script(names + "(assert (> " + minus + ") (- 1)))"));
}

TEST_CASE("many names may be integrated and observed") {
  std::string names, integrated = "(integrate", observed;
  for (int i = 0; i < 50'000; ++i) {
    const std::string name = "x" + std::to_string(i);
    names += "(declare-const " + name + " Real)";
    integrated += " " + name;
    observed += "(observe " + name + " 1)";
  }
  const Script found = script(names + integrated + ")" + observed);
  CHECK(found[0].problem.integrated == std::vector<bool>(50'000, true));
  CHECK(found[0].problem.observations.size() == 50'000);
}

TEST_CASE("integrated and observed variables of a scope are forgotten at its pop") {
  const std::string scope = "(push) (integrate x) (observe x 1) (get-wmi) (pop)";
  const Script found = script(declared + scope + scope + "(get-wmi)");
  REQUIRE(found.size() == 3);
  CHECK(found[0].problem.integrated == std::vector{true, false});
  CHECK(found[1].problem.observations == found[0].problem.observations);
  CHECK(found[2].problem.integrated == std::vector{true, true});
  CHECK(found[2].problem.observations.empty());
}

TEST_CASE("a long file without macros is read") {
  // More terms than macros may expand to, for the time of this test.
  const std::size_t usual = frontends::caps::macro_terms;
  frontends::set_caps("macro-terms=1000");
  std::string sum = "(+";
  for (int i = 0; i < 2'000; ++i) sum += " x";
  const std::string said = refusal(declared + "(assert (< " + sum + ") 1))");
  const std::string expanded =
      refusal(declared + "(define-fun f ((a Real)) Real " + sum + "))(assert (< (f x) 1))");
  frontends::set_caps("macro-terms=" + std::to_string(usual));
  CHECK(said == "no complaint");
  CHECK(expanded.ends_with("macros expand to more than 1000 terms"));
}

TEST_CASE("queries on too many states are refused, many queries on one state are not") {
  std::string names, changes, queries;
  for (int i = 0; i < 40'000; ++i) names += "(declare-const a" + std::to_string(i) + " Bool)";
  for (int i = 0; i < 110; ++i) changes += "(weight true 2) (get-wmi)";  // 40 000 names each
  for (int i = 0; i < 110; ++i) queries += "(get-wmi)";
  CHECK(refusal(names + changes)
            .ends_with(" different states, which add up to more than 1000000 terms; ask more "
                       "queries of one state, "
                       "or use several files"));
  CHECK(refusal(names + queries) == "no complaint");
}

TEST_CASE("one let binds a name once") {
  CHECK(refusal(declared + "(assert (let ((c x) (c y)) (< c 1)))") ==
        "2:21: 'c' is bound twice by one let");
  same("(let ((c x)) (let ((c y)) (< c 1)))", "(< y 1)");
}

TEST_CASE("a macro of the wrong sort is refused where it is defined, called or not") {
  const std::string wrong = "the term is not of the sort that 'f' has";
  for (const std::string body :
       {"(< u 1)", "true", "(and v v)", "v", "a", "(let ((w v)) w)", "(! (not v) :named n)",
        "(ite v (< u 1) v)", "(let ((w u)) (let ((u v)) u))", "(g u)", "(= u u)"}) {
    CAPTURE(body);
    const std::string text = declared + "(define-fun g ((u Real)) Bool (< u 0))\n";
    CHECK(refusal(text + "(define-fun f ((u Real) (v Bool)) Real " + body + ")").ends_with(wrong));
    CHECK_NOTHROW(script(text + "(define-fun f ((u Real) (v Bool)) Bool " + body + ")(get-wmi)"));
  }
  for (const std::string body : {"1", "(+ u 1)", "u", "x", "(let ((w u)) w)", "(ite v u 1)",
                                 "(let ((v u)) (let ((w v)) w))", "(g u)", "(/ 1 u)", "(^ x u)"}) {
    CAPTURE(body);
    const std::string text = declared + "(define-fun g ((u Real)) Real (* 2 u))\n";
    CHECK(refusal(text + "(define-fun f ((u Real) (v Bool)) Bool " + body + ")").ends_with(wrong));
    CHECK_NOTHROW(script(text + "(define-fun f ((u Real) (v Bool)) Real " + body + ")(get-wmi)"));
  }
  CHECK(refusal("(define-fun f ((u Real)) Real missing)").ends_with("'missing' is not declared"));
}

TEST_CASE("macros that expand too far are refused before any of it is read") {
  // Each level has two calls of the one below: 2^30 terms.
  std::string text = declared + "(define-fun f0 ((u Real)) Real (+ u 1))\n";
  for (int i = 1; i <= 30; ++i) {
    const std::string below = "(f" + std::to_string(i - 1) + " u)";
    text +=
        "(define-fun f" + std::to_string(i) + " ((u Real)) Real (+ " + below + " " + below + "))\n";
  }
  CHECK(refusal(text + "(assert (< (f30 x) 1))").find("macros expand to more than") !=
        std::string::npos);
  // What a call reads is counted exactly: f2 reads 7 terms for itself and 4 of f0 with 3 each.
  const std::size_t standard = frontends::caps::macro_terms;
  frontends::caps::macro_terms.set(1 + 2 * 2 + 2 * (1 + 2 * 2) + 4 * 3);
  CHECK_NOTHROW(script(text + "(assert (< (f2 x) 1))"));
  frontends::caps::macro_terms.set(frontends::caps::macro_terms - 1);
  CHECK_FALSE(refusal(text + "(assert (< (f2 x) 1))").empty());
  frontends::caps::macro_terms.set(standard);
}

TEST_CASE("a query that is refused by its term leaves the others") {
  const Script read =
      script(declared + "(assert (<= 0 x 1))\n(get-distribution (* x x)) (get-wmi)");
  REQUIRE(read.size() == 1);
  REQUIRE(read[0].queries.size() == 2);
  CHECK(read[0].queries[0].refused.starts_with("the product (* x x) is not linear"));
  CHECK(read[0].queries[0].where == Location{3, 19});
  CHECK(read[0].queries[1].refused.empty());
}
