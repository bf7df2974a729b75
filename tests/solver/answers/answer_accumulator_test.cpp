#include "solver/answers/answer_accumulator.h"

#include <doctest/doctest.h>

#include "tests/solver/random_problem.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

/// The WMI of 0 <= x <= 1 with weight 1.
struct Interval01 : SmallProblem {
  const Polynomial x = unit_real("x");
  Task task{problem, {wmi_of(truth)}};
  const Plan plan = make_plan(task);

  static Cell cell() { return {{0}, PlainCell{}, {1}, {{0}}}; }
};

TEST_CASE_FIXTURE(Interval01, "the integrals of all threads add up") {
  AnswerAccumulator answers(task, plan, 2);
  answers.add(cell(), {{Interval(ratio(1, 4))}, 1}, 0);
  answers.add(cell(), {{Interval(ratio(3, 4))}, 2}, 1);
  CHECK(answers.cells() == 3);
  CHECK(answers.finish(20)[0].value == Interval(1));
  CHECK(answers.finish(20)[0].cells == 3);
  answers.clear();
  CHECK(answers.cells() == 0);
  CHECK(answers.finish(20)[0].value == Interval(Rational(0)));
}

TEST_CASE_FIXTURE(Interval01,
                  "until all cells are added, an answer is at most that of the whole box") {
  AnswerAccumulator answers(task, plan);
  REQUIRE(answers.non_negative());
  answers.add(cell(), {{Interval(ratio(1, 4))}, 1});
  const Answer found = answers.bounds()[0];
  CHECK_FALSE(found.complete);
  CHECK(found.lower == ratio(1, 4));
  CHECK(found.upper == Rational(1));
}

TEST_CASE_FIXTURE(Interval01, "open cells count with their bounds once all cells are added") {
  AnswerAccumulator answers(task, plan);
  answers.add(cell(), {{Interval(ratio(1, 4))}, 1});
  answers.add_open({{{0, Interval(Rational(1))}}}, ratio(1, 8));
  answers.close();
  CHECK(answers.bounds()[0].upper == ratio(3, 8));
  CHECK(answers.most_missing() == ratio(1, 8));
  CHECK_FALSE(answers.within(ratio(1, 16), 20));
  const std::optional<std::vector<Answer>> within = answers.within(ratio(1, 8), 20);
  REQUIRE(within);
  CHECK((*within)[0].within_gap);
  CHECK((*within)[0].value == Interval(ratio(1, 4), ratio(3, 8)));
}

TEST_CASE_FIXTURE(Interval01,
                  "a whole sum is complete at any time, and stays when cells are removed") {
  AnswerAccumulator answers(task, plan, 2);
  answers.keep(cell(), {{Interval(ratio(1, 3))}, 4});
  for (int round = 0; round < 2; ++round) {
    const Answer found = answers.bounds()[0];
    CHECK(found.complete);
    CHECK(found.value == Interval(ratio(1, 3)));
    CHECK(answers.cells() == 4);
    answers.clear();
  }
}

TEST_CASE_FIXTURE(Interval01, "bounds that were found before are kept") {
  AnswerAccumulator answers(task, plan);
  Answer before;
  before.lower = ratio(1, 2);
  answers.keep_bounds({before});
  CHECK(answers.bounds()[0].lower == ratio(1, 2));
  CHECK(answers.bounds()[0].upper == Rational(1));
}

TEST_CASE_FIXTURE(Interval01, "a refusal is the answer to the queries that need the cell") {
  task.queries.push_back(wmi_of(task.problem.terms.less(x, ratio(1, 2))));
  const Plan both = make_plan(task);
  AnswerAccumulator answers(task, both);
  answers.refuse(cell(), {"no"});
  CHECK_FALSE(answers.all_refused());
  CHECK(answers.finish(20)[0].refused == "no");
  CHECK(answers.finish(20)[1].refused.empty());
  answers.refuse({"not at all"});
  CHECK(answers.all_refused());
  CHECK(answers.finish(20)[0].refused == "no");
  CHECK(answers.finish(20)[1].refused == "not at all");
}

}  // namespace
}  // namespace wmi::tests
