#include "solver/messages/case_split.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "solver/solve.h"
#include "tests/solver/random_problem.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

/// A chain of reals, whose order and weights depend on Booleans and far atoms.
struct RandomChain : SmallProblem {
  RandomChain(Random& random, int reals) {
    std::vector<Polynomial> x;
    for (int i = 0; i < reals; ++i) x.push_back(unit_real(("x" + std::to_string(i)).c_str()));
    const Formula a = terms.declare_boolean("a"), b = terms.declare_boolean("b");
    const auto any = [&] { return x[std::size_t(random.integer(0, reals - 1))]; };
    const auto link = [&](const Polynomial& s, const Polynomial& t) {
      return terms.less_equal(s - t, ratio(random.integer(0, 8), 10));
    };
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      require(terms.choice(random.chance(70) ? a : b, link(x[i], x[i + 1]), link(x[i + 1], x[i])));
      if (random.chance(50)) weight(random.chance(50) ? a : !b, x[i] + 1);
    }
    if (random.chance(50)) require(terms.either(link(any(), any()), link(any(), any())));
    if (random.chance(30))
      weight(truth, terms.choice(terms.less(any(), any()), any() + 2, Polynomial(3)));
    if (random.chance(20)) require(random.chance(50) ? a : !b);
    if (random.chance(5)) require(terms.both(terms.less(x[0], x[1]), terms.less(x[1], x[0])));
    goal = {random.chance(50) ? truth : terms.less(any(), any() + ratio(1, 3)),
            {{Polynomial(1), 0}, {any() * any() + 1, 1}},
            {}};
  }

  Goal goal;
};

/// The integrals of a goal without summands' conditions, by a search of the whole problem.
std::vector<Rational> searched(const Problem& problem, const Goal& goal) {
  Task task{problem, {wmi_of(goal.condition)}};
  Query& mean = task.queries.emplace_back();
  mean.kind = Query::Kind::expectation;
  mean.term = goal.summands[1].term;
  mean.given = goal.condition;
  const auto answers = solve(task, *make_exact_split(), *make_auto({})).answers;
  const Rational total = answers[0].value->lower;
  return {total, total == 0 ? Rational(0) : Rational(answers[1].value->lower * total)};
}

TEST_CASE("the integrals over the cases add up to those of the problem") {
  Random random(81);
  CAPTURE(random.seed());
  const int rounds = std::getenv("WMI_LONG") != nullptr ? 2'000 : 100;
  int found = 0;
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const RandomChain chain(random, random.integer(4, 5));
    const auto cases = split_into_cases(chain.problem, chain.goal, {0, 64});
    if (!cases) continue;
    ++found;
    std::vector<Rational> sums(2);
    for (const Problem& one : *cases) {
      CHECK(one.integrated.size() == chain.problem.integrated.size());
      const std::vector<Rational> more = searched(one, {truth, chain.goal.summands, {}});
      for (std::size_t i = 0; i < 2; ++i) sums[i] += more[i];
    }
    CHECK(sums == searched(chain.problem, chain.goal));
  }
  CHECK(found > rounds / 8);
}

TEST_CASE("a solve by cases agrees with a search") {
  Random random(82);
  CAPTURE(random.seed());
  const int rounds = std::getenv("WMI_LONG") != nullptr ? 200 : 12;
  int by_cases = 0;
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const RandomChain chain(random, 7);
    const Task task{chain.problem, {wmi_of(truth), wmi_of(chain.goal.condition)}};
    const Solution found = solve(task, *make_split(), *make_auto({}));
    const Solution expected = solve(task, *make_exact_split(), *make_auto({}));
    by_cases += found.messages.cases > 0;
    for (std::size_t i = 0; i < task.queries.size(); ++i)
      CHECK(found.answers[i].value == expected.answers[i].value);
  }
  CHECK(by_cases > rounds / 4);
}

TEST_CASE("seven Booleans that all depend on each other make 128 cases") {
  // Each chooses the direction of a step of a chain, and weighs two reals in other places.
  SmallProblem chain;
  std::vector<Polynomial> x;
  for (int i = 0; i < 10; ++i) x.push_back(chain.unit_real(("x" + std::to_string(i)).c_str()));
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    chain.require(chain.terms.less(x[i], x[i + 1] + ratio(1, 2)));
  for (std::size_t j = 0; j < 7; ++j) {
    const Formula b = chain.terms.declare_boolean("b" + std::to_string(j));
    chain.require(
        chain.terms.choice(b, chain.terms.less(x[j], x[j + 1]), chain.terms.less(x[j + 1], x[j])));
    chain.weight(b, x[(j + 5) % 10]);
    chain.weight(b, x[(j + 8) % 10]);
  }
  const Goal whole{truth, {{Polynomial(1), 0}}, {}};
  const auto cases = split_into_cases(chain.problem, whole);
  REQUIRE(cases);
  CHECK(cases->size() == 128);
  CHECK_FALSE(split_into_cases(chain.problem, whole, {.least_reals = 7, .most_cases = 1}));
}

TEST_CASE("problems whose cases do not help are left alone") {
  SmallProblem dense;
  Polynomial sum;
  for (int i = 0; i < 9; ++i)
    sum += (i % 2 + 1) * dense.unit_real(("x" + std::to_string(i)).c_str());
  const Formula a = dense.terms.declare_boolean("a");
  dense.require(dense.terms.either(a, dense.terms.less(sum, 3)));
  dense.require(dense.terms.less(sum, 5));
  CHECK_FALSE(split_into_cases(dense.problem, {truth, {{Polynomial(1), 0}}, {}}));
  // Without connections a search has products of small regions.
  SmallProblem apart;
  for (int i = 0; i < 9; ++i) apart.unit_real(("x" + std::to_string(i)).c_str());
  CHECK_FALSE(split_into_cases(apart.problem, {truth, {{Polynomial(1), 0}}, {}}));
}

}  // namespace
}  // namespace wmi::tests
