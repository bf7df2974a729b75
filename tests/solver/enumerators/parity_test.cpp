#include "solver/enumerators/parity.h"

#include <doctest/doctest.h>

#include <random>

#include "solver/integrator.h"
#include "solver/solve.h"
#include "tests/solver/brute_force.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

struct Parity : SmallProblem {
  std::vector<Formula> b;

  explicit Parity(std::size_t booleans) {
    for (std::size_t i = 0; i < booleans; ++i)
      b.push_back(terms.declare_boolean("b" + std::to_string(i)));
  }
  Formula exclusive_or(std::span<const Formula> parts) {
    Formula result = parts[0];
    for (const Formula part : parts.subspan(1)) result = terms.choice(result, !part, part);
    return result;
  }
  Rational wmi(const std::unique_ptr<Enumerator>& enumerator, Formula event = truth) {
    Query query;
    query.kind = Query::Kind::wmi;
    query.event = event;
    const Task task{problem, {query}};
    const Solution found = solve(task, *enumerator, *make_auto({}), {.threads = 1});
    REQUIRE(found.answers[0].value->exact());
    return found.answers[0].value->lower;
  }
};

TEST_CASE("a parity of many Booleans takes no search, as an assertion and as an event") {
  Parity asserted(100), asked(100);
  for (Parity* problem : {&asserted, &asked}) problem->unit_real("x");
  Integer half = 1;
  half <<= 99;
  asserted.require(!asserted.exclusive_or(asserted.b));
  CHECK(asserted.wmi(make_split()) == Rational(half));
  CHECK(asked.wmi(make_split(), asked.exclusive_or(asked.b)) == Rational(half));
}

TEST_CASE("weighted Booleans in a parity take no search either") {
  // The sum of all weights where the parity is even or odd: (prod (w + 1) +- prod (1 - w)) / 2.
  Parity asserted(60), asked(60);
  Rational sum = 1, difference = 1;
  for (int i = 0; i < 60; ++i) {
    const Rational weight = ratio(2 * i - 41, 14);  // never -1
    for (Parity* problem : {&asserted, &asked}) problem->weight(problem->b[i], weight);
    sum *= weight + 1;
    difference *= 1 - weight;
  }
  asserted.require(asserted.exclusive_or(asserted.b));
  CHECK(asserted.wmi(make_split()) == Rational((sum - difference) / 2));
  CHECK(asked.wmi(make_split(), !asked.exclusive_or(asked.b)) == Rational((sum + difference) / 2));
}

TEST_CASE("only a Boolean that occurs once decides a parity") {
  Parity small(3);
  const Polynomial x = small.unit_real("x");
  small.require(small.exclusive_or(small.b));
  Defined defined{small.problem, small.goals, {0}};
  remove_parities(defined);
  CHECK(defined.problem.assertions.back() == truth);
  REQUIRE(defined.problem.weights.size() == 1);
  CHECK(defined.problem.weights[0] == Weight{truth, Polynomial(ratio(1, 2))});

  for (const Formula boolean : small.b) small.weight(boolean, x);  // each has another use now
  Defined used{small.problem, small.goals, {0}};
  remove_parities(used);
  CHECK(used.problem.assertions == small.problem.assertions);

  Parity with_atom(1);
  const Polynomial y = with_atom.unit_real("y");
  with_atom.require(with_atom.terms.choice(with_atom.b[0], !with_atom.terms.less(y, ratio(1, 3)),
                                           with_atom.terms.less(y, ratio(1, 3))));
  Defined atom{with_atom.problem, with_atom.goals, {0}};
  remove_parities(atom);
  CHECK(atom.problem.assertions == with_atom.problem.assertions);
  CHECK(with_atom.wmi(make_split()) == 1);
}

TEST_CASE("random parities have the integrals of brute force") {
  for (unsigned seed = 0; seed < 600; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    Parity parity(5);
    const Polynomial x = parity.unit_real("x");
    const auto formula = [&] {
      std::vector<Formula> parts;
      for (const Formula boolean : parity.b)
        if (random() % 2 == 0) parts.push_back(random() % 2 == 0 ? boolean : !boolean);
      if (parts.empty()) parts.push_back(parity.b[0]);
      if (random() % 4 == 0) parts.push_back(parity.terms.less(x, ratio(1, 3)));
      if (random() % 4 == 0) parts.push_back(parity.terms.both(parity.b[0], parity.b[1]));
      const Formula result = parity.exclusive_or(parts);
      return random() % 2 == 0 ? result : !result;
    };
    for (unsigned i = random() % 3; i > 0; --i) parity.require(formula());
    for (unsigned i = random() % 3; i > 0; --i)
      parity.weight(random() % 2 == 0 ? formula() : parity.b[random() % 5], 2 * x + 1);
    for (unsigned i = random() % 8; i > 0; --i) {
      const Formula boolean = parity.b[random() % 5];
      parity.weight(random() % 2 == 0 ? boolean : !boolean, static_cast<int>(random() % 5) - 1);
    }
    const Formula event = random() % 2 == 0 ? formula() : truth;
    CHECK(parity.wmi(make_split(), event) == brute_force(parity.problem, event));
  }
}

}  // namespace
}  // namespace wmi::tests
