#include "frontends/formats/vnnlib.h"

#include <doctest/doctest.h>

#include "tests/frontends/reading.h"

using namespace wmi;
using namespace wmi::frontends;

namespace {

using NodeKind = PropertyNode::Kind;

const std::string declarations =
    "(declare-const X_0 Real) (declare-const X_1 Real)\n(declare-const Y_0 Real)\n";

Property read_text(const std::string& text) { return read_vnnlib({"p.vnnlib", text}); }

/// The only assert of a text, which is an atom.
Atom atom(const std::string& assertion) {
  const Property property = read_text(declarations + "(assert " + assertion + ")");
  REQUIRE(property.asserts.size() == 1);
  const PropertyNode& node = property.nodes[property.asserts[0]];
  REQUIRE(node.kind == NodeKind::atom);
  return node.atom;
}

std::string refusal(const std::string& text) {
  return complaint([&] { read_text(text); });
}

/// Of an assert in the fourth line.
std::string refused_assert(const std::string& assertion) {
  return refusal(declarations + "\n(assert " + assertion + ")");
}

LinearForm form(std::vector<std::pair<Variable, Rational>> coefficients, Rational constant) {
  LinearForm result;
  result.coefficients = std::move(coefficients);
  result.constant = std::move(constant);
  return result;
}

}  // namespace

TEST_CASE("inputs come before outputs, in whatever order they are declared") {
  const Property property = read_text(
      "(declare-const Y_0 Real) (declare-fun X_1 () Real) ; a comment\n"
      "(declare-const X_0 Real) (assert (<= Y_0 X_1))");
  CHECK(property.inputs == 2);
  CHECK(property.outputs == 1);
  CHECK(property.output(0) == 2);
  // Y_0 - X_1 <= 0
  CHECK(property.nodes[0].atom == Atom{form({{1, -1}, {2, 1}}, 0), Comparison::less_equal});
}

TEST_CASE("comparisons are forms that are at most or below 0, with exact decimals") {
  CHECK(atom("(<= X_0 0.1)") == Atom{form({{0, 1}}, ratio(-1, 10)), Comparison::less_equal});
  CHECK(atom("(>= X_0 -1e-3)") == Atom{form({{0, -1}}, ratio(-1, 1000)), Comparison::less_equal});
  CHECK(atom("(< Y_0 X_1)") == Atom{form({{1, -1}, {2, 1}}, 0), Comparison::less});
  CHECK(atom("(> 2 X_0)") == Atom{form({{0, 1}}, -2), Comparison::less});
}

TEST_CASE("linear arithmetic is worked out") {
  // 2 (X_0 - 3) - (-X_1) / 4 + 1 <= Y_0
  CHECK(atom("(<= (+ (* 2 (- X_0 3.0)) (- (/ (- X_1) 4)) 1) Y_0)") ==
        Atom{form({{0, 2}, {1, ratio(1, 4)}, {2, -1}}, -5), Comparison::less_equal});
  CHECK(atom("(<= (- X_0 X_1 1) (- X_0 Y_0))") ==
        Atom{form({{1, -1}, {2, 1}}, -1), Comparison::less_equal});
  CHECK(atom("(<= (* X_0 (+ 1 2) 2) 0)") == Atom{form({{0, 6}}, 0), Comparison::less_equal});
  CHECK(atom("(<= (* 0 X_0) 1)") == Atom{form({}, -1), Comparison::less_equal});
}

TEST_CASE("and and or are nodes above those of their formulas; a chain is a conjunction") {
  const Property property = read_text(declarations +
                                      "(assert (or (and (<= X_0 1) (>= Y_0 2)) (and (<= X_1 1))))\n"
                                      "(assert (<= 0 X_0 1))(assert (= X_1 3))");
  REQUIRE(property.asserts.size() == 3);
  const PropertyNode& either = property.nodes[property.asserts[0]];
  CHECK(either.kind == NodeKind::any);
  REQUIRE(either.children.size() == 2);
  CHECK(property.nodes[either.children[0]].kind == NodeKind::all);
  CHECK(property.nodes[either.children[1]].kind == NodeKind::atom);  // (and f) is f
  CHECK(property.nodes[property.asserts[1]].kind == NodeKind::all);
  CHECK(property.nodes[property.asserts[2]].children.size() == 2);  // X_1 <= 3 and X_1 >= 3
  for (std::uint32_t i = 0; i < property.nodes.size(); ++i)
    for (const std::uint32_t child : property.nodes[i].children) CHECK(child < i);
}

TEST_CASE("errors in a property have their location") {
  CHECK(refusal("") == "1:1: there is no input; declare X_0");
  CHECK(refusal("(declare-const X_0 Real)") == "1:1: there is no output; declare Y_0");
  CHECK(refusal("(declare-const X_0 Real)\n(declare-const X_2 Real)") ==
        "2:16: X_2 is declared, but not all before it; there are 2");
  CHECK(refusal("(declare-const X_0 Int)") ==
        "1:1: expected a declaration of a real, as in (declare-const X_0 Real)");
  CHECK(refusal("(declare-const z Real)") ==
        "1:16: 'z': inputs are named X_0, X_1, ... and outputs Y_0, ...");
  CHECK(refusal("(declare-const X_00 Real)").starts_with("1:16: 'X_00': inputs are named"));
  CHECK(refusal("(declare-const X_0 Real) (declare-const X_0 Real)") ==
        "1:41: 'X_0' is declared twice");
  CHECK(refusal("(push)") ==
        "1:1: 'push' is no command of VNN-LIB 1.0; it has declare-const and assert");
  CHECK(refusal("(vnnlib-version <2.0>)") ==
        "1:1: this is VNN-LIB 2; write the property in version 1.0");
  CHECK(refusal("x") == "1:1: expected a command, as in (assert (<= X_0 1))");
  CHECK(refused_assert("(<= X_2 1)") == "4:13: 'X_2' is not declared");
  CHECK(refused_assert("(not (<= X_0 1))").starts_with("4:9: 'not' is not supported; formulas"));
  CHECK(refused_assert("X_0") == "4:9: expected a formula, not a term");
  CHECK(refused_assert("(and X_0)") == "4:14: expected a formula, not a term");
  CHECK(refused_assert("(<= (and (<= X_0 1)) 1)") == "4:13: expected a term, not a formula");
  CHECK(refused_assert("(or)") == "4:9: 'or' needs a formula");
  CHECK(refused_assert("(<= X_0)") == "4:9: a comparison needs two terms");
  CHECK(refused_assert("(<= (* X_0 Y_0) 1)") == "4:13: a product of two variables is not linear");
  CHECK(refused_assert("(<= (/ 1 X_0) 1)") == "4:13: can only divide by a number that is not 0");
  CHECK(refused_assert("(<= (/ X_0 0) 1)") == "4:13: can only divide by a number that is not 0");
  CHECK(refused_assert("()") == "4:9: expected an operator, as in (<= X_0 1)");
  CHECK(refused_assert("\"x\"") == "4:9: expected a formula or a term");
  CHECK(refusal(declarations + "(assert (<= X_0 1) (<= X_0 2))") ==
        "3:1: assert takes one formula");
}

TEST_CASE("nesting and long numbers cannot exhaust the reader") {
  const auto nested = [](const std::string& open, int depth, const std::string& core) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += open;
    return text + core + std::string(static_cast<std::size_t>(depth), ')');
  };
  CHECK(atom("(<= " + nested("(+ 1 ", 9000, "X_0") + " 0)").form == form({{0, 1}}, 9000));
  CHECK(refused_assert("(<= " + nested("(* 1e9999 ", 9000, "X_0") + " 0)")
            .ends_with("the terms of the property are too long"));
  CHECK(refused_assert(nested("(and ", 20000, "(<= X_0 1)")).find("nested") != std::string::npos);
  // Each factor touches every coefficient of a long sum again.
  std::string declared, sum = "(+";
  for (int i = 0; i < 40000; ++i) {
    declared += "(declare-const X_" + std::to_string(i) + " Real)";
    sum += " X_" + std::to_string(i);
  }
  CHECK(refusal(declared + "(declare-const Y_0 Real)(assert (<= " +
                nested("(* 1.5 ", 9000, sum + ")") + " 0))")
            .ends_with("the terms of the property are too long"));
}
