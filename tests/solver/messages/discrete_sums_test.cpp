#include "solver/messages/discrete_sums.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "solver/solve.h"
#include "tests/solver/random_problem.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

struct Booleans : SmallProblem {
  explicit Booleans(int count) {
    for (int i = 0; i < count; ++i) b.push_back(terms.declare_boolean("b" + std::to_string(i)));
  }
  Polynomial indicator(std::size_t i) { return terms.choice(b[i], Polynomial(1), Polynomial(0)); }
  Formula same(std::size_t i, std::size_t j) { return terms.choice(b[i], b[j], !b[j]); }

  std::vector<Formula> b;
};

const Goal total{truth, {{Polynomial(1), 0}}, {}};

TEST_CASE("a cycle of 100 Booleans is summed") {
  Booleans cycle(100);
  for (std::size_t i = 0; i < 100; ++i) cycle.weight(cycle.same(i, (i + 1) % 100), Polynomial(2));
  // The trace of the 100th power of (2 1; 1 2), whose eigenvalues are 3 and 1.
  CHECK(sum_over_booleans(cycle.problem, total)->integrals[0] == power(Rational(3), 100) + 1);
}

TEST_CASE("a grid of 6 x 6 Booleans, of which neighbours differ, has two models") {
  Booleans grid(36);
  for (std::size_t i = 0; i < 36; ++i) {
    if (i % 6 != 5) grid.require(!grid.same(i, i + 1));
    if (i < 30) grid.require(!grid.same(i, i + 6));
  }
  CHECK(sum_over_booleans(grid.problem, total)->integrals[0] == 2);
}

TEST_CASE("a disjunction of 100 pairs is summed") {
  Booleans pairs(200);
  std::vector<Formula> all;
  for (std::size_t i = 0; i < 200; i += 2)
    all.push_back(pairs.terms.both(pairs.b[i], pairs.b[i + 1]));
  pairs.require(pairs.terms.any(all));
  CHECK(sum_over_booleans(pairs.problem, total)->integrals[0] ==
        power(Rational(4), 100) - power(Rational(3), 100));
}

TEST_CASE("how many of 60 Booleans hold has a binomial law") {
  Booleans coins(60);
  Polynomial count;
  for (std::size_t i = 0; i < 60; ++i) {
    count += coins.indicator(i);
    coins.weight(coins.b[i], ratio(1, 4));
    coins.weight(!coins.b[i], ratio(3, 4));
  }
  const Goal goal{coins.terms.less_equal(count, 59),
                  {{Polynomial(1), 0}, {count, 1}, {count, 2, 2}},
                  Slice{count, 1, 3, 4, 5},
                  {{count, 0}}};
  const auto found = sum_over_booleans(coins.problem, goal);
  REQUIRE(found);
  const Rational last = power(ratio(1, 4), 60);  // of all 60
  CHECK(found->integrals[0] == 1 - last);
  CHECK(found->integrals[1] == 15 - 60 * last);
  CHECK(found->integrals[2] == 225 + ratio(45, 4) - 3600 * last);  // mean^2 + 60 p (1 - p)
  CHECK(found->integrals[3] == 60 * ratio(1, 4) * power(ratio(3, 4), 59));
  CHECK(found->laws[0].mass_at(0) == power(ratio(3, 4), 60));
  CHECK(found->laws[0].mass_at(60) == 0);
  CHECK(found->laws[0].mass() == 1 - last);
}

TEST_CASE("a term with as many values as models is summed monomial by monomial") {
  Booleans coins(40);
  Polynomial cost;
  Rational expected, square;
  for (std::size_t i = 0; i < 40; ++i) {
    const Rational each = power(Rational(3), static_cast<unsigned>(i));
    cost += each * coins.indicator(i);
    expected += each / 2;
    square += each * each / 4;
  }
  const Goal goal{truth, {{cost, 0}, {cost, 1, 2}}, {}};
  const auto found = sum_over_booleans(coins.problem, goal);
  REQUIRE(found);
  const Rational models = power(Rational(2), 40);
  CHECK(found->integrals[0] == models * expected);
  CHECK(found->integrals[1] == models * (expected * expected + square));
}

TEST_CASE("without few relations there is no sum, nor with reals") {
  Booleans clique(60);
  for (std::size_t i = 0; i < 60; ++i)
    for (std::size_t j = 0; j < i; ++j) clique.weight(clique.same(i, j), Polynomial(2));
  CHECK(!sum_over_booleans(clique.problem, total));
  Booleans real(13);
  real.unit_real("x");
  CHECK(!sum_over_booleans(real.problem, total));
}

TEST_CASE("a stopped sum throws Stopped") {
  Booleans cycle(20);
  for (std::size_t i = 0; i < 20; ++i) cycle.weight(cycle.same(i, (i + 1) % 20), Polynomial(2));
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(sum_over_booleans(cycle.problem, total, stop.get_token()), Stopped);
}

/// Formulas, choices, atoms and weights of Booleans.
struct RandomBooleans : Booleans {
  RandomBooleans(Random& random, int count) : Booleans(count) {
    for (int i = 0; i < 4; ++i) require(terms.either(formula(random, 2), formula(random, 1)));
    for (int i = 0; i < 5; ++i) weight(formula(random, 2), real(random, 2));
    query = {formula(random, 2), {{Polynomial(1), 0}, {real(random, 2), 1, 2}}, {}};
  }

  Formula formula(Random& random, int depth) {
    const auto inner = [&] { return formula(random, depth - 1); };
    Formula result = b[std::size_t(random.integer(0, static_cast<int>(b.size()) - 1))];
    if (depth > 0) {
      switch (random.integer(0, 5)) {
        case 0:
          result = terms.choice(inner(), inner(), inner());
          break;
        case 1:
          result = terms.less_equal(real(random, depth - 1), real(random, depth - 1));
          break;
        case 2:
          result = terms.equal(real(random, depth - 1), random.integer(-1, 2));
          break;
        default:
          const std::vector<Formula> all = {inner(), inner(), inner()};
          result = terms.all(all);
      }
    }
    return random.chance(40) ? !result : result;
  }

  Polynomial real(Random& random, int depth) {
    if (depth == 0) return random.integer(-2, 3);
    const Polynomial choice =
        terms.choice(formula(random, depth - 1), real(random, depth - 1), real(random, depth - 1));
    return random.chance(30) ? choice + random.integer(-1, 2) * real(random, depth - 1) + 1
                             : choice;
  }

  Goal query;
};

TEST_CASE("random problems have the sums that a search finds") {
  Random random(92);
  CAPTURE(random.seed());
  const int rounds = std::getenv("WMI_LONG") != nullptr ? 5'000 : 200;
  int found = 0;
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const RandomBooleans made(random, 8);
    const auto sums = sum_over_booleans(made.problem, made.query);
    if (!sums) continue;
    ++found;
    Task task{made.problem, {wmi_of(made.query.condition)}};
    Query& moment = task.queries.emplace_back();
    moment.kind = Query::Kind::moment;
    moment.order = 2;
    moment.term = made.query.summands[1].term;
    moment.given = made.query.condition;
    const auto answers = solve(task, *make_exact_split(), *make_auto({})).answers;
    const Rational mass = answers[0].value->lower;
    CHECK(sums->integrals[0] == mass);
    if (mass != 0) CHECK(sums->integrals[1] == answers[1].value->lower * mass);
  }
  CHECK(found > rounds / 2);
}

TEST_CASE("solve sums over Booleans, alone and beside reals") {
  Booleans cycle(40);
  for (std::size_t i = 0; i < 40; ++i) cycle.weight(cycle.same(i, (i + 1) % 40), Polynomial(2));
  const Rational expected = power(Rational(3), 40) + 1;
  const auto answered = [](const Problem& problem) {
    return solve(Task{problem, {wmi_of(truth)}}, *make_split(), *make_auto({}));
  };
  const Solution alone = answered(cycle.problem);
  CHECK(alone.answers[0].value->lower == expected);
  CHECK(alone.messages.discrete_sums == 1);
  const Polynomial x = cycle.unit_real("x");
  CHECK(answered(cycle.problem).answers[0].value->lower == expected);
  cycle.weight(truth, x);
  CHECK(answered(cycle.problem).answers[0].value->lower == expected / 2);
}

}  // namespace
}  // namespace wmi::tests
