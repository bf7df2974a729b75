#include "frontends/formats/lisp.h"

#include <doctest/doctest.h>

#include "tests/frontends/reading.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

/// Reals x and y, Booleans A and B.
struct Fixture {
  Fixture() {
    declarations.declare("x", Sort::real, {});
    declarations.declare("y", Sort::real, {});
    declarations.declare("A", Sort::boolean, {});
    declarations.declare("B", Sort::boolean, {});
    a = terms.boolean(0);
    b = terms.boolean(1);
  }

  Formula formula(std::string_view text) {
    return lisp_formula(read_lisp(text, {1, 1}), declarations);
  }
  Polynomial real(std::string_view text) {
    return lisp_real(read_lisp(text, {1, 1}), declarations);
  }
  std::string refusal(std::string_view text) {
    return complaint([&] { formula(text); });
  }

  Declarations declarations;
  Terms& terms = declarations.terms();
  const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);
  Formula a, b;
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "connectives have their usual meaning") {
  CHECK(formula("(var bool A)") == a);
  CHECK(formula("(~ (var bool A))") == !a);
  CHECK(formula("(& (var bool A) (var bool B))") == terms.both(a, b));
  CHECK(formula("(| (var bool A) (var bool B))") == terms.either(a, b));
  CHECK(formula("(& (var bool A))") == a);
  CHECK(formula("(-> (var bool A) (var bool B))") == terms.either(!a, b));
  CHECK(formula("(= (var bool A) (var bool B))") == terms.choice(a, b, !b));
  CHECK(formula("(ite (var bool A) (var bool B) (~ (var bool A)))") == terms.choice(a, b, !a));
}

TEST_CASE_FIXTURE(Fixture, "Boolean constants are true or false") {
  CHECK(formula("(const bool True)") == truth);
  CHECK(formula("(const bool False)") == falsity);
  CHECK(formula("(const bool false)") == falsity);
}

TEST_CASE_FIXTURE(Fixture, "comparisons are linear atoms") {
  CHECK(formula("(<= (var real x) (const real 0.5))") == terms.less_equal(x, ratio(1, 2)));
  CHECK(formula("(< (var real x) (const real 0.5))") == terms.less(x, ratio(1, 2)));
  CHECK(formula("(>= (var real x) (const real -57.0))") == terms.less_equal(-57, x));
  CHECK(formula("(> (var real x) (const real 1e-3))") == terms.less(ratio(1, 1000), x));
  CHECK(formula("(= (var real x) (var real y))") == terms.equal(x, y));
}

TEST_CASE_FIXTURE(Fixture, "arithmetic is exact") {
  CHECK(real("(const real 0.1)") == Polynomial(ratio(1, 10)));
  CHECK(real("(const real -1/3)") == Polynomial(ratio(-1, 3)));
  CHECK(real("(+ (var real x) (var real y) (var real x))") == Polynomial(2) * x + y);
  CHECK(real("(- (var real x) (var real y))") == x - y);
  CHECK(real("(- (var real x))") == -x);
  CHECK(real("(* (const real 2.0) (var real x) (var real y))") == Polynomial(2) * x * y);
  CHECK(real("(^ (var real x) (const real 2.0))") == x * x);
  CHECK(real("(^ (var real x) (const real 0.0))") == Polynomial(1));
  CHECK(real("(ite (var bool A) (var real x) (const real 1.0))") == terms.choice(a, x, 1));
}

TEST_CASE_FIXTURE(Fixture, "a deeply nested term is read without recursion") {
  std::string text;
  for (int i = 0; i < 9'000; ++i) text += "(~ ";
  text += "(var bool A)" + std::string(9'000, ')');
  CHECK(formula(text) == a);
}

TEST_CASE("nested sums are read in linear time") {
  std::string text, ends;
  for (int i = 0; i < 5'000; ++i) {
    text += "(+ (var real x" + std::to_string(i) + ") ";
    ends += ")";
  }
  const Tree tree = read_lisp(text + "(const real 1.0)" + ends, {1, 1});
  Declarations declarations;
  declare_variables(tree, declarations);
  CHECK(lisp_real(tree, declarations).terms().size() == 5'001);
}

TEST_CASE_FIXTURE(Fixture, "each factor of a product is a weight of its own") {
  std::vector<Weight> weights;
  add_weights(read_lisp("(* (const real 1.0) (* (ite (var bool A) (var real x) (const real 1.0)) "
                        "(var real y)) (ite (var bool B) (const real 1.0) (const real 3.0)) "
                        "(ite (var bool A) (const real 4.0) (const real 5.0)))",
                        {1, 1}),
              declarations, weights);
  CHECK(weights ==
        std::vector<Weight>{{a, x}, {truth, y}, {!b, 3}, {truth, terms.choice(a, 4, 5)}});
}

TEST_CASE("the variables of a term are declared in the order of their occurrence") {
  Declarations declarations;
  declare_variables(read_lisp("(& (<= (var real y) (var real x)) (var bool B) (var bool B))", {}),
                    declarations);
  CHECK(declarations.terms().real_name(0) == "y");
  CHECK(declarations.terms().real_name(1) == "x");
  CHECK(declarations.terms().boolean_count() == 1);
}

TEST_CASE_FIXTURE(Fixture, "names and types are checked") {
  CHECK(refusal("(var bool C)") == "1:11: 'C' is not declared");
  CHECK(refusal("(& (var bool A)\n (var bool x))") == "2:12: 'x' is declared real, not bool");
  CHECK(refusal("(<= (var real A) (var real x))") == "1:15: 'A' is declared bool, not real");
  CHECK(refusal("(var int x)") == "1:6: type 'int' is not supported; use real or bool");
  CHECK(refusal("(var bool)") == "1:1: expected (var real NAME) or (var bool NAME)");
  CHECK(refusal("(const bool)") == "1:1: expected (const real NUMBER) or (const bool True)");
  CHECK(refusal("(const bool 1)") == "1:13: '1' is not a Boolean; use True or False");
  CHECK(refusal("(<= (const real ten) (var real x))") == "1:17: 'ten' is not a number");
  CHECK(refusal("(<= (const real 1/0) (var real x))") == "1:17: '1/0' divides by 0");
  CHECK(refusal("(<= (const real 1e99999) (var real x))") ==
        "1:17: the exponent of '1e99999' is beyond 10000");
}

TEST_CASE_FIXTURE(Fixture, "operators are checked") {
  CHECK(refusal("(and (var bool A) (var bool B))") == "1:2: unknown operator 'and'");
  CHECK(refusal("((var bool A))") == "1:2: expected an operator, not a list");
  CHECK(refusal("(& A)") == "1:4: expected a term in parentheses, not 'A'");
  CHECK(refusal("(& ())") == "1:4: expected a term, not ()");
  CHECK(refusal("(&)") == "1:1: '&' has 0 arguments; it takes at least 1");
  CHECK(refusal("(~ (var bool A) (var bool B))") == "1:1: '~' has 2 arguments; it takes 1");
  CHECK(refusal("(<= (var real x))") == "1:1: '<=' has 1 argument; it takes 2");
  CHECK(refusal("(-> (var bool A) (const real 1.0))") ==
        "1:1: argument 2 of '->' is real, not bool");
  CHECK(refusal("(| (var bool A) (<= (var bool A) (var real x)))") ==
        "1:17: argument 1 of '<=' is bool, not real");
  CHECK(refusal("(= (var bool A) (var real x))") == "1:1: argument 2 of '=' is real, not bool");
  CHECK(refusal("(ite (var real x) (var bool A) (var bool A))") ==
        "1:1: argument 1 of 'ite' is real, not bool");
  CHECK(refusal("(ite (var bool A) (var real x) (var bool A))") ==
        "1:1: argument 3 of 'ite' is bool, not real");
  CHECK(refusal("(<= (- (var real x) (var real x) (var real x)) (var real x))") ==
        "1:5: '-' has 3 arguments; it takes 1 or 2");
  CHECK(refusal("(+ (var real x) (var real y))") == "1:1: expected a formula, not a real term");
  CHECK(complaint([&] { real("(var bool A)"); }) == "1:1: expected a real term, not a formula");
}

TEST_CASE_FIXTURE(Fixture,
                  "terms that are not polynomial, or not linear in a comparison, are refused") {
  CHECK(refusal("(<= (exp (var real x)) (var real x))") ==
        "1:5: 'exp' is not polynomial; weights must be piecewise polynomial");
  CHECK(refusal("(& (var bool A) (<= (* (var real x) (var real y)) (const real 1.0)))")
            .starts_with("1:17: the product (* x y) is not linear"));
  CHECK(complaint([&] { real("(^ (var real x) (var real y))"); }) ==
        "1:1: an exponent must be a number");
  CHECK(complaint([&] { real("(^ (var real x) (const real 0.5))"); }) ==
        "1:1: the exponent 1/2 is not a natural number");
  CHECK(complaint([&] { real("(^ (var real x) (const real -1))"); }) ==
        "1:1: the exponent -1 is not a natural number");
  CHECK(complaint([&] { real("(^ (var real x) (const real 1e9))"); }) ==
        "1:1: the exponent 1000000000 is beyond 256");
}

TEST_CASE("a text is one term") {
  CHECK(complaint([] { read_lisp("  ", {3, 5}); }) == "3:5: expected a term");
  CHECK(complaint([] { read_lisp("(a) (b)", {3, 5}); }) == "3:9: expected nothing after the term");
}

TEST_CASE_FIXTURE(Fixture, "a name is declared once, and must be one that SMT-LIB can write") {
  const auto declare = [&](const std::string& name) {
    return complaint([&] { declarations.declare(name, Sort::real, {2, 3}); });
  };
  CHECK(declare("x") == "2:3: 'x' is declared twice");
  CHECK(declare("A") == "2:3: 'A' is declared twice");
  CHECK(declare("ite") == "2:3: 'ite' is a reserved word");
  CHECK(declare("a|b") == "2:3: a name cannot contain '|', '\\' or control characters");
  CHECK(declare("fc2.weight[0,3] θ") == "no complaint");
}
