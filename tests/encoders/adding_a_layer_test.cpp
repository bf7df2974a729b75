// The example of docs/adding-a-layer.md, in the meanings that layers have.

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "docs/examples/softshrink.h"
#include "encoders/bracket.h"
#include "encoders/symbolic.h"
#include "solver/enumerators/smt.h"
#include "tests/source_directory.h"

using namespace wmi;
using namespace wmi::encoders;

namespace {

const Network no_network;
const Tensor<Rational> input({5}, {-2, ratio(-1, 3), 0, 1, ratio(5, 2)});
// lambda = 1
const Tensor<Rational> expected({5}, {-1, 0, 0, 0, ratio(3, 2)});

Softshrink softshrink() {
  Attributes attributes({{"lambda", Rational(1)}});
  return Softshrink::make(attributes);
}

std::string contents(const std::string& path) {
  std::ifstream file(source_directory().string() + "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("the document shows the example as it is compiled") {
  const std::string code = contents("docs/examples/softshrink.h");
  REQUIRE(code.size() > 100);
  CHECK(contents("docs/adding-a-layer.md").find("```cpp\n" + code + "```\n") != std::string::npos);
}

TEST_CASE("the example layer runs on exact numbers") {
  ExactAlgebra algebra(no_network);
  CHECK(softshrink().forward(algebra, input) == expected);
}

TEST_CASE("the example layer keeps brackets") {
  ExactAlgebra algebra(no_network);
  BracketAlgebra bracketing(algebra);
  const Tensor<Rational> above({5}, {-1, ratio(1, 3), 2, 1, 3});
  const auto found = softshrink().forward(bracketing, {input, above});
  CHECK(found.lower == expected);
  CHECK(found.upper() == softshrink().forward(algebra, above));
}

TEST_CASE("the example layer is a formula") {
  Problem problem;
  Tensor<Polynomial> x({5}, {});
  std::vector<Interval> ranges;
  for (std::size_t i = 0; i < input.size(); ++i) {
    x.entries.push_back(Polynomial::variable(problem.terms.declare_real("x" + std::to_string(i))));
    ranges.emplace_back(-3, 3);
  }
  SymbolicAlgebra algebra(no_network, problem, {}, ranges);
  algebra.enter("shrink");
  const Tensor<Polynomial> y = softshrink().forward(algebra, x);
  std::vector<Formula> given, equal;
  for (std::size_t i = 0; i < input.size(); ++i) {
    given.push_back(problem.terms.equal(x.entries[i], Polynomial(input.entries[i])));
    equal.push_back(problem.terms.equal(y.entries[i], Polynomial(expected.entries[i])));
  }
  const Formula all_equal = problem.terms.all(equal);
  Smt smt(problem.terms, {}, y.entries);
  for (const Formula formula : given) smt.add(formula);
  smt.push();
  smt.add(all_equal);
  CHECK(smt.check().has_value());
  smt.pop();
  smt.add(!all_equal);
  CHECK(!smt.check().has_value());
}

TEST_CASE("the example layer takes its attribute and gives it back") {
  CHECK(std::get<Rational>(softshrink().attributes().values().at("lambda")) == 1);
  Attributes none;
  CHECK(Softshrink::make(none).lambda == ratio(1, 2));
  Attributes negative_one({{"lambda", Rational(-1)}});
  CHECK_THROWS_WITH_AS(Softshrink::make(negative_one), "attribute 'lambda' must not be below 0",
                       Error);
}

TEST_CASE("the example layer is the piecewise-linear one that the document names") {
  Attributes none;
  const Softshrink half = Softshrink::make(none);
  const PiecewiseLinear same{{ratio(-1, 2), ratio(1, 2)}, {0, 0}, 1, 1};
  ExactAlgebra algebra(no_network);
  CHECK(half.forward(algebra, input) == same.forward(algebra, input));
}
