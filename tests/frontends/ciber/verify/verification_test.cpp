#include "frontends/ciber/verify/verification.h"

#include <doctest/doctest.h>

#include "solver/integrator.h"
#include "tests/frontends/ciber/verify/small_problems.h"

namespace wmi::frontends {
namespace {

const Network identity = linear_network(1, 1, {1}, {0});

struct Concluded {
  Verification found;
  int solved = 0;  // tasks
};

Concluded concluded(const std::string& asserts, std::optional<Solution> known = {}) {
  const VerificationProblem problem =
      make_verification_problem(identity, property(1, 1, asserts), {});
  const auto enumerator = make_split();
  const auto integrator = make_auto({});
  Concluded result;
  const auto solve = [&](const Task& task, const Enumerator& search) {
    ++result.solved;
    return wmi::solve(task, search, *integrator, {});
  };
  result.found =
      conclude(problem, probability_task(problem), search_counterexample(problem, *enumerator, {}),
               *enumerator, solve, std::move(known));
  return result;
}

TEST_CASE("a property without counterexamples needs no second search") {
  const Concluded none = concluded(unit_box(1) + "(assert (>= Y_0 1.1))");
  CHECK(none.solved == 0);
  CHECK(none.found.no_counterexample);
  CHECK(none.found.probability.value == Interval(Rational(0)));
  CHECK(none.found.verdict() == Verdict::holds);
}

TEST_CASE("the probability of a property is solved for, and its largest cell has a witness") {
  const Concluded some = concluded(unit_box(1) + "(assert (>= Y_0 0.75))");
  CHECK(some.solved == 1);
  CHECK(some.found.probability.value == Interval(ratio(1, 4)));
  REQUIRE(some.found.witness);
  CHECK(some.found.witness->inputs[0] >= ratio(3, 4));
}

TEST_CASE("each of several regions has its own probability") {
  const Concluded two = concluded(unit_box(1) + "(assert (or (>= Y_0 0.75) (<= Y_0 0.125)))");
  CHECK(two.found.probability.value == Interval(ratio(3, 8)));
  REQUIRE(two.found.regions.size() == 2);
  CHECK(two.found.regions[0].value == Interval(ratio(1, 4)));
  CHECK(two.found.regions[1].value == Interval(ratio(1, 8)));
}

TEST_CASE("a solution that is known is not searched for again") {
  Answer half;
  half.value = Interval(ratio(1, 2));
  Solution known;
  known.answers = {half};
  const Concluded given = concluded(unit_box(1) + "(assert (>= Y_0 0.5))", known);
  CHECK(given.solved == 0);
  CHECK(given.found.probability.value == Interval(ratio(1, 2)));
}

}  // namespace
}  // namespace wmi::frontends
