#include "solver/significant_digits.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <stop_token>

#include "solver/enumerators/defined.h"
#include "tests/solver/random_problem.h"

namespace wmi {
namespace {

/// The integral of x^2 over a triangle.
Task triangle() {
  Task task;
  Terms& terms = task.problem.terms;
  const Polynomial x = Polynomial::variable(terms.declare_real("x"));
  const Polynomial y = Polynomial::variable(terms.declare_real("y"));
  task.problem.integrated = {true, true};
  task.problem.assertions = {terms.less_equal(0, x), terms.less_equal(0, y),
                             terms.less_equal(x + y, 1)};
  task.problem.weights = {{truth, x * x}};
  task.queries.emplace_back().kind = Query::Kind::wmi;
  return task;
}

TEST_CASE("an answer to some digits encloses the exact one, that narrowly") {
  const Task task = triangle();
  const std::unique_ptr<Integrator> exact = make_auto({});
  const CountedSolution found = solve_to_digits(6, task, *make_split(), *exact, {});
  const Interval value = found.solution.answers[0].value.value();
  CHECK(value.contains(ratio(1, 12)));
  CHECK((value.upper - value.lower) * power(Rational(10), 6) <= value.lower);
}

/// Cells have weights that are not multiplied out (`should_nest`).
TEST_CASE("weights of high degree have the digits of the exact answer") {
  tests::Random random(17);
  CAPTURE(random.seed());
  const std::unique_ptr<Integrator> exact = make_auto({});
  const int rounds = std::getenv("WMI_LONG") != nullptr ? 1'000 : 25;
  int nested = 0;
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    Task task;
    Problem& problem = task.problem;
    problem = tests::random_problem(
        random, {.reals = 3, .booleans = 2, .atoms = 4, .definitions = 1, .weights = false});
    const auto boolean = [&] { return problem.terms.boolean(unsigned(random.integer(0, 1))); };
    const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);
    const Polynomial z = Polynomial::variable(2);
    const Formula other = tests::random_formula(random, problem, 1);
    const Formula event = tests::random_formula(random, problem, 1);
    const Polynomial affine = tests::random_affine(random, problem);
    const Polynomial square = problem.terms.choice(
        random.chance(50) ? boolean() : tests::random_formula(random, problem, 1),
        x * x - random.integer(0, 3) * y, z * y + random.integer(-2, 2));
    const Polynomial sum = problem.terms.choice(other, square * square + affine, y * y - x * z);
    problem.weights = {
        {truth, power(square, 4)}, {truth, power(sum, 3) * (x + 1)}, {boolean(), square * z - 2}};
    task.queries = {tests::wmi_of(truth), tests::wmi_of(event)};
    Query& mean = task.queries.emplace_back();
    mean.kind = Query::Kind::expectation;
    mean.term = x + 2 * y;
    Goal goal{truth, {{Polynomial(1), 0}}, {}};
    goal.encloses = true;
    if (should_nest(problem, std::span(&goal, 1))) ++nested;
    const Solution expected = solve(task, *make_split(), *exact);
    const Solution found = solve_to_digits(9, task, *make_split(), *exact, {}).solution;
    for (std::size_t i = 0; i < task.queries.size(); ++i) {
      CHECK(found.answers[i].refused == expected.answers[i].refused);
      REQUIRE(found.answers[i].value.has_value() == expected.answers[i].value.has_value());
      if (!expected.answers[i].value) continue;
      CHECK(found.answers[i].value->contains(expected.answers[i].value->lower));
      CHECK(has_digits(*found.answers[i].value, 9));
    }
    const Solution shared =
        solve_to_digits(9, task, *make_split(), *exact, {.threads = 3}).solution;
    for (std::size_t i = 0; i < task.queries.size(); ++i)
      CHECK(shared.answers[i].value == found.answers[i].value);
  }
  CHECK(nested > rounds * 9 / 10);
}

/// Stops the second of several solves.
class StopsSecond : public ProgressObserver {
 public:
  void started(const AnswerAccumulator&) override {
    if (++solves_ == 2) stop_.request_stop();
  }
  std::stop_token token() const { return stop_.get_token(); }
  int solves() const { return solves_; }

 private:
  std::stop_source stop_;
  int solves_ = 0;
};

TEST_CASE("an attempt for more digits that is stopped has the bounds of the one before") {
  // 10^30 times the integral of sqrt(1 + x) - c, c the nearest number of 9 digits: 10^30 times 5e-10.
  Task task;
  Terms& terms = task.problem.terms;
  const Polynomial x = Polynomial::variable(terms.declare_real("x"));
  task.problem.integrated = {true};
  task.problem.assertions = {terms.less_equal(0, x), terms.less_equal(x, 1)};
  const Rational scale = power(Rational(10), 30);
  task.problem.weights = {
      {truth, scale * (terms.apply(Function::sqrt, 1 + x) - ratio(1'218'951'416, 1'000'000'000))}};
  task.queries = {tests::wmi_of(truth)};
  StopsSecond observer;
  SolveOptions options;
  options.observer = &observer;
  options.stop = observer.token();
  const Answer answer =
      solve_to_digits(15, task, *make_split(), *make_auto({}), options).solution.answers.at(0);
  CHECK(observer.solves() == 2);
  CHECK(!answer.complete);
  REQUIRE(answer.lower);
  REQUIRE(answer.upper);
  // (2/3) (2 sqrt 2 - 1) = 1.218951416497460...
  const Rational expected = scale * parse_number("0.000000000497460");
  CHECK(*answer.lower < expected + scale * parse_number("1e-14"));
  CHECK(*answer.upper > expected - scale * parse_number("1e-14"));
  CHECK(*answer.upper - *answer.lower < scale * parse_number("1e-12"));
}

TEST_CASE("vertices are counted") {
  const Task task = triangle();
  const CountedSolution found = solve_counted(task, *make_split(), *make_auto({}), {});
  CHECK(found.vertices == 3);
  CHECK(found.solution.answers[0].value == Interval(ratio(1, 12)));
}

}  // namespace
}  // namespace wmi
