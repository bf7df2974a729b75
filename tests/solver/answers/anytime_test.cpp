// Bounds while a search goes on, and searches that end when the bounds are narrow enough.

#include <doctest/doctest.h>

#include "solver/solve.h"
#include "tests/solver/random_problem.h"
#include "tests/solver/stop_after.h"

namespace wmi {
namespace {

using namespace tests;

Solution stopped(const Task& task, std::size_t cells, unsigned threads = 1) {
  StopAfter observer(cells);
  return solve(task, *make_split(), *make_auto({}),
               {.threads = threads, .stop = observer.token(), .observer = &observer});
}

Solution within(const Task& task, const Rational& gap, unsigned threads = 1) {
  return solve(task, *make_split(), *make_auto({}), {.threads = threads, .gap = gap});
}

Query query(Query::Kind kind, const Polynomial& term, Formula given = truth) {
  Query result;
  result.kind = kind;
  result.term = term;
  result.given = given;
  return result;
}

/// Weights of many kinds, none of them negative; queries of all kinds that have bounds.
Task random_task(Random& random) {
  Task task;
  Problem& problem = task.problem;
  problem = random_problem(random, {random.integer(1, 3), random.integer(0, 3),
                                    random.integer(4, 16), random.integer(0, 2), false});
  const auto formula = [&] { return random_formula(random, problem, random.integer(0, 2)); };
  const auto affine = [&] { return random_affine(random, problem); };
  const Formula given = random.chance(50) ? truth : formula();
  task.queries = {wmi_of(truth), wmi_of(formula()), query(Query::Kind::probability, {}, given)};
  task.queries.back().event = formula();
  task.queries.push_back(query(Query::Kind::expectation, affine(), given));
  task.queries.push_back(
      query(Query::Kind::expectation, problem.terms.choice(formula(), affine(), 0)));
  task.queries.push_back(query(Query::Kind::variance, affine(), given));
  task.queries.push_back(query(Query::Kind::moment, affine(), given));
  task.queries.back().order = static_cast<unsigned>(random.integer(2, 3));
  task.queries.push_back(query(Query::Kind::cdf, affine(), given));
  task.queries.back().at = ratio(random.integer(-4, 4), 2);
  if (random.chance(60)) {
    task.queries.push_back(query(Query::Kind::density, affine(), given));
    task.queries.back().at = ratio(random.integer(-4, 4), 3);
  }
  for (int i = random.integer(0, 3); i > 0; --i) switch (random.integer(0, 3)) {
      case 0:
        problem.weights.push_back({truth, power(affine(), 2)});
        break;
      case 1:
        problem.weights.push_back({formula(), Polynomial(ratio(random.integer(0, 6), 2))});
        break;
      case 2: {  // positive where its condition holds
        const Polynomial term = affine();
        problem.weights.push_back({problem.terms.less(0, term), term});
        break;
      }
      default:
        if (problem.terms.boolean_count() > 0) {
          problem.weights.push_back({problem.terms.boolean(0), ratio(3, 10)});
          problem.weights.push_back({!problem.terms.boolean(0), ratio(7, 10)});
        }
    }
  if (random.chance(40))
    problem.weights.push_back(
        {truth, problem.terms.choice(formula(), power(affine(), 2) + Polynomial(1), 2)});
  return task;
}

struct Seen {
  int lower = 0, upper = 0, shrunk = 0;
};

void check_holds(const Answer& answer, const Answer& exact, Seen& seen) {
  if (!exact.value) return;
  REQUIRE(exact.value->exact());
  if (answer.lower) CHECK(*answer.lower <= exact.value->lower);
  if (answer.upper) CHECK(*answer.upper >= exact.value->lower);
  if (answer.left && exact.left) CHECK(answer.left->contains(exact.left->lower));
  seen.lower += answer.lower.has_value();
  seen.upper += answer.upper.has_value();
}

TEST_CASE("at any time the bounds contain the answer, and they never widen") {
  Random random(900);
  CAPTURE(random.seed());
  Seen seen;
  for (int round = 0; round < 50; ++round) {
    CAPTURE(round);
    const Task task = random_task(random);
    const std::vector<Answer> exact = solve(task, *make_split(), *make_auto({})).answers;
    std::vector<Answer> before;
    for (std::size_t cells = 1; cells < 12; ++cells) {
      CAPTURE(cells);
      const std::vector<Answer> now = stopped(task, cells).answers;
      bool complete = true;
      for (std::size_t i = 0; i < now.size(); ++i) {
        CAPTURE(i);
        complete = complete && now[i].complete;
        if (now[i].complete) continue;
        check_holds(now[i], exact[i], seen);
        if (before.empty() || before[i].complete || !exact[i].value) continue;
        if (before[i].lower) CHECK(*now[i].lower >= *before[i].lower);
        if (before[i].upper) CHECK(*now[i].upper <= *before[i].upper);
        seen.shrunk += before[i].upper && *now[i].upper < *before[i].upper;
      }
      if (complete) break;
      before = now;
    }
    for (std::size_t cells = 1; cells < 8; cells += 3) {
      const std::vector<Answer> now = stopped(task, cells, 3).answers;
      for (std::size_t i = 0; i < now.size(); ++i)
        if (!now[i].complete) check_holds(now[i], exact[i], seen);
    }
  }
  MESSAGE(seen.lower << " lower and " << seen.upper << " upper bounds, of which " << seen.shrunk
                     << " were lower than one cell before");
  CHECK(seen.lower > 1000);
  CHECK(seen.upper > 1000);
  CHECK(seen.shrunk > 100);
}

TEST_CASE("with a gap the answers are that narrow, and the same with any number of threads") {
  Random random(901);
  CAPTURE(random.seed());
  int early = 0;
  for (int round = 0; round < 120; ++round) {
    CAPTURE(round);
    Task task = random_task(random);
    while (task.queries.size() > (round % 5 == 0 ? 3 : 1))
      task.queries.erase(task.queries.begin() +
                         random.integer(0, static_cast<int>(task.queries.size()) - 1));
    const std::vector<Answer> exact = solve(task, *make_split(), *make_auto({})).answers;
    for (const Rational& gap : {Rational(20), Rational(2), Rational(ratio(1, 4))}) {
      CAPTURE(gap);
      const std::vector<Answer> found = within(task, gap).answers;
      const std::vector<Answer> again = within(task, gap, 3).answers;
      for (std::size_t i = 0; i < found.size(); ++i) {
        CAPTURE(i);
        const Answer& answer = found[i];
        CHECK(answer.complete);
        CHECK(answer.undefined == exact[i].undefined);
        CHECK(answer.refused == exact[i].refused);
        REQUIRE(answer.value.has_value() == exact[i].value.has_value());
        CHECK(answer.value == again[i].value);
        CHECK(answer.left == again[i].left);
        CHECK(answer.cells == again[i].cells);
        if (!answer.value) continue;
        CHECK(answer.value->contains(exact[i].value->lower));
        CHECK(answer.value->upper - answer.value->lower <= gap);
        CHECK((answer.within_gap || answer.value->exact()));
        if (answer.left) CHECK(answer.left->contains(exact[i].left->lower));
        early += !answer.value->exact();
      }
    }
  }
  MESSAGE(early << " answers were not exact");
  CHECK(early > 30);
}

/// A staircase in the unit square whose steps, at 1 - 1/2^i, become narrower and narrower.
Task staircase(unsigned steps) {
  Task task;
  Problem& problem = task.problem;
  const Polynomial x = Polynomial::variable(problem.terms.declare_real("x"));
  const Polynomial y = Polynomial::variable(problem.terms.declare_real("y"));
  problem.integrated = {true, true};
  for (const Polynomial& axis : {x, y}) {
    problem.assertions.push_back(problem.terms.less_equal(0, axis));
    problem.assertions.push_back(problem.terms.less_equal(axis, 1));
  }
  std::vector<Formula> under;
  for (unsigned i = 0; i < steps; ++i) {
    const Rational step = 1 - power(Rational(ratio(1, 2)), i);
    under.push_back(
        problem.terms.both(problem.terms.less_equal(step, x), problem.terms.less_equal(y, step)));
  }
  Query probability = query(Query::Kind::probability, {});
  probability.event = problem.terms.any(under);
  task.queries = {probability};
  return task;
}

TEST_CASE("a wide gap is reached with few cells") {
  const Task task = staircase(20);
  const std::size_t all = solve(task, *make_split(), *make_auto({})).answers[0].cells;
  const Answer answer = within(task, ratio(1, 100)).answers[0];
  // The sum of (1 - 1/2^i) / 2^(i+1) for i < 19, and (1 - 1/2^19) / 2^19 for the last step.
  CHECK(answer.value->contains((1 - power(Rational(ratio(1, 4)), 19)) / 3));
  CHECK_FALSE(answer.value->exact());
  CHECK(answer.cells < all);
}

TEST_CASE("weights that may be negative have no bounds, and a gap makes no difference") {
  Task task = staircase(4);
  task.problem.weights = {{truth, Polynomial::variable(0) - Polynomial(ratio(1, 2))}};
  task.queries.push_back(wmi_of(truth));
  const Answer stop = stopped(task, 1).answers[1];
  CHECK_FALSE(stop.lower);
  CHECK_FALSE(stop.upper);
  const Answer answer = within(task, 1).answers[1];
  CHECK(answer.value == Interval(Rational(0)));
  CHECK_FALSE(answer.within_gap);
}

TEST_CASE("laws and quantiles are exact whatever the gap") {
  Task task = staircase(4);
  task.queries = {query(Query::Kind::distribution, Polynomial::variable(0)),
                  query(Query::Kind::quantile, Polynomial::variable(0))};
  task.queries[1].at = ratio(1, 4);
  const std::vector<Answer> answers = within(task, 1).answers;
  CHECK(answers[0].law);
  CHECK(answers[1].value == Interval(ratio(1, 4)));
}

}  // namespace
}  // namespace wmi
