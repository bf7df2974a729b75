#include "solver/terms/formula.h"

#include <doctest/doctest.h>

#include "solver/terms/error.h"

namespace wmi {
namespace {

struct Fixture {
  Terms terms;
  Polynomial x = Polynomial::variable(terms.declare_real("x"));
  Polynomial y = Polynomial::variable(terms.declare_real("y"));
  Formula a = terms.declare_boolean("a");
  Formula b = terms.declare_boolean("b");
};

TEST_CASE_FIXTURE(Fixture, "equal formulas are equal nodes") {
  CHECK(terms.less_equal(x, y) == terms.less_equal(2 * x, 2 * y));
  CHECK(terms.less_equal(x, y) == !terms.less(y, x));
  CHECK(terms.equal(x, y) == terms.equal(3 * y, 3 * x));
  CHECK(terms.less(x, y) != terms.less_equal(x, y));
  CHECK(terms.both(a, b) == terms.both(a, b));
  CHECK(terms.either(a, b) == !terms.both(!a, !b));
}

TEST_CASE_FIXTURE(Fixture, "formulas with constants are simplified when they are built") {
  CHECK(terms.less(1, 2) == truth);
  CHECK(terms.less(x, x) == falsity);
  CHECK(terms.less_equal(x, x) == truth);
  CHECK(terms.equal(x + 1, x) == falsity);
  CHECK(terms.both(a, !a) == falsity);
  CHECK(terms.both(a, truth) == a);
  CHECK(terms.all({}) == truth);
  CHECK(terms.any({}) == falsity);
  CHECK(terms.choice(truth, a, b) == a);
  CHECK(terms.choice(a, b, b) == b);
  CHECK(terms.choice(a, truth, b) == terms.either(a, b));
  CHECK(terms.choice(!a, b, falsity) == terms.both(!a, b));
  CHECK(terms.choice(a, x, x) == x);
}

TEST_CASE_FIXTURE(Fixture, "a choice between reals is one defined variable") {
  const Polynomial relu = terms.choice(terms.less(0, x), x, 0);
  CHECK(terms.choice(terms.less_equal(x, 0), 0, x) == relu);
  CHECK(relu.degree() == 1);
  CHECK(terms.degree(relu * x) == 2);
  CHECK(terms.degree(terms.choice(a, 1, 2)) == 0);
  // A product with a piecewise constant is piecewise linear, and may stand in a comparison.
  const Polynomial scaled = terms.choice(a, 1, 2) * x;
  CHECK(terms.less(scaled, 1) == terms.less(terms.choice(a, x, 2 * x), 1));
}

TEST_CASE_FIXTURE(Fixture, "a comparison of products is refused, and the product named") {
  const auto message = [&](const Polynomial& difference) -> std::string {
    try {
      terms.compare(difference, Comparison::less);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  CHECK(message(x * y + 1).find("(* x y)") != std::string::npos);
  CHECK(message(x * x).find("(* x x)") != std::string::npos);
  CHECK(message(terms.choice(a, x * y, 0)).find("(* x y)") != std::string::npos);
  CHECK(message(terms.choice(a, x, 0) * y).find("(* y (ite ...))") != std::string::npos);
  CHECK(message(x * y - y * x + x) == "accepted");
}

TEST_CASE_FIXTURE(Fixture, "a walk lists nodes before their parents, without recursion") {
  Formula tower = a;
  Polynomial deep = x;
  for (int i = 0; i < 200'000; ++i) tower = terms.choice(i % 2 == 0 ? b : a, tower, !tower);
  for (int i = 0; i < 20'000; ++i) deep = terms.choice(terms.less(0, deep), deep + 1, 0);
  const auto order = terms.below(std::vector{tower}, std::vector{deep});
  CHECK(order.size() > 200'000);
  std::vector<bool> seen(terms.size());
  bool children_first = true;
  for (const std::uint32_t node : order) {
    for (const Formula child : terms.node(node).children)
      children_first = children_first && seen[child.node()];
    seen[node] = true;
  }
  CHECK(children_first);
}

}  // namespace
}  // namespace wmi
