#include "solver/messages/cut_box.h"

#include <doctest/doctest.h>

#include <string>

#include "solver/significant_digits.h"
#include "solver/solve.h"
#include "tests/solver/random_problem.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

const Goal whole{truth, {{Polynomial(1), 0}}, {}};

/// 0 <= x <= 1, -1 <= y <= 2, 3 x - y < 2, with weight 5.
struct Cut : SmallProblem {
  const Polynomial x = unit_real("x"), y = real("y");
  Cut() {
    require(terms.both(terms.less(-1, y), !terms.less(2, y)));
    require(terms.less(3 * x - y, 2));
    weight(truth, 5);
  }
};

TEST_CASE_FIXTURE(Cut, "bounds are collected, and forms have a first coefficient of 1") {
  const std::optional<CutBox> box = cut_box(problem, whole);
  REQUIRE(box);
  CHECK(box->sides == std::vector<std::pair<Rational, Rational>>{{0, 1}, {-1, 2}});
  REQUIRE(box->cuts.size() == 1);
  CHECK(box->cuts[0].form == LinearForm(x - ratio(1, 3) * y));
  CHECK(box->cuts[0].ends.upper == ratio(2, 3));
  CHECK(!box->cuts[0].ends.lower);
  CHECK(box->weight == 5);
}

TEST_CASE_FIXTURE(Cut, "the condition of a goal is a bound as well, in either direction") {
  Goal goal = whole;
  goal.condition = terms.less_equal(2 * y - 6 * x, 1);
  const std::optional<CutBox> box = cut_box(problem, goal);
  REQUIRE(box);
  REQUIRE(box->cuts.size() == 1);
  CHECK(box->cuts[0].ends.lower == ratio(-1, 6));
  CHECK(box->cuts[0].ends.upper == ratio(2, 3));
}

TEST_CASE_FIXTURE(Cut, "whatever is no box with weights of single reals is left alone") {
  Goal goal = whole;
  goal.condition = terms.either(terms.less(x, y), terms.less(y, 0));
  CHECK(!cut_box(problem, goal));
  goal.condition = terms.equal(x, y);
  CHECK(!cut_box(problem, goal));
  CHECK(!cut_box(problem, {truth, {{x, 0}}, {}}));
  CHECK(!cut_box(problem, {truth, {}, {}, {{x, 0}}}));
  weight(truth, x);
  CHECK(cut_box(problem, whole)->weights == std::vector<Polynomial>{x, 1});
  weight(truth, x * y);
  CHECK(!cut_box(problem, whole));
}

TEST_CASE("an unbounded or empty side, and a Boolean, are left alone") {
  SmallProblem half;
  const Polynomial x = half.real("x");
  half.require(half.terms.less(0, x));
  CHECK(!cut_box(half.problem, whole));
  half.require(half.terms.less(x, 0));
  CHECK(!cut_box(half.problem, whole));
  SmallProblem choice;
  choice.unit_real("x");
  CHECK(cut_box(choice.problem, whole));
  choice.terms.declare_boolean("b");
  CHECK(!cut_box(choice.problem, whole));
}

TEST_CASE("enclosures hold the exact integral of random cut boxes, and have the digits") {
  Random random(67);
  CAPTURE(random.seed());
  int positive = 0;
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    SmallProblem small;
    Polynomial sum;
    for (int i = random.integer(2, 7); i > 0; --i) {
      const Polynomial x = small.real(("x" + std::to_string(i)).c_str());
      const Rational low = ratio(random.integer(-4, 4), 3);
      small.require(small.terms.less_equal(low, x));
      small.require(small.terms.less_equal(x, Rational(low + ratio(random.integer(1, 9), 4))));
      sum += Polynomial(Rational(random.integer(1, 9) * (random.chance(50) ? 1 : -1))) * x;
    }
    const int bound = random.integer(-20, 20);
    if (random.chance(70))
      small.require(small.terms.less_equal(sum, bound));
    else
      small.require(small.terms.less(bound, sum));
    if (random.chance(40)) small.require(small.terms.less(sum, bound + random.integer(1, 9)));
    small.weight(truth, ratio(random.integer(-3, 3), 2));
    const std::optional<CutBox> box = cut_box(small.problem, whole);
    REQUIRE(box);
    const Task task{small.problem, {wmi_of(truth)}};
    const Interval exact = *solve(task, *make_exact_split(), *make_auto({})).answers[0].value;
    const std::optional<Interval> found = enclose(*box, 12);
    if (!found) {
      CHECK(exact == Interval(Rational(0)));
      continue;
    }
    positive += exact.lower != 0;
    CHECK(found->contains(exact.lower));
    CHECK(has_digits(*found, 12));
  }
  CHECK(positive > 30);
}

TEST_CASE("a sum of 60 unrelated reals is below its mean with probability 1/2") {
  SmallProblem small;
  Polynomial sum;
  Rational mean;
  for (int i = 0; i < 60; ++i) {
    const Rational coefficient = ratio(1'000'003 * (i + 7) % 7'919, 100);
    sum += Polynomial(coefficient) * small.unit_real(("x" + std::to_string(i)).c_str());
    mean += coefficient / 2;
  }
  Query query = wmi_of(small.terms.less_equal(sum, mean));
  const Task task{small.problem, {query}};
  const Answer answer =
      solve_to_digits(12, task, *make_split(), *make_auto({}), {}).solution.answers[0];
  CHECK(answer.value->contains(ratio(1, 2)));
  CHECK(has_digits(*answer.value, 12));
}

}  // namespace
}  // namespace wmi::tests
