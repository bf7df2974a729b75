// Whole solves of problems that messages answer, with every option, against a search.

#include <doctest/doctest.h>

#include <cstdlib>

#include "solver/significant_digits.h"
#include "solver/solve.h"
#include "tests/solver/messages/random_cactus.h"
#include "tests/solver/random_problem.h"
#include "tests/solver/small_problem.h"
#include "tests/solver/stop_after.h"

namespace wmi::tests {
namespace {

std::vector<Answer> searched(const Task& task) {
  return solve(task, *make_exact_split(), *make_auto({})).answers;
}

Solution separated(const Task& task, const SolveOptions& options) {
  return solve(task, *make_split(), *make_auto({}), options);
}

/// The same answers; numbers may be enclosed.
void check_agree(const std::vector<Answer>& found, const std::vector<Answer>& exact) {
  REQUIRE(found.size() == exact.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CHECK(found[i].complete);
    CHECK(found[i].refused.empty() == exact[i].refused.empty());
    CHECK(found[i].undefined == exact[i].undefined);
    REQUIRE(found[i].value.has_value() == exact[i].value.has_value());
    if (found[i].value) CHECK(found[i].value->contains(exact[i].value->lower));
    if (found[i].left) CHECK(found[i].left->contains(exact[i].left->lower));
    CHECK(found[i].law == exact[i].law);
  }
}

TEST_CASE("threads, gaps, digits and stopped solves agree with a search, whatever answers them") {
  Random random(53);
  CAPTURE(random.seed());
  const int rounds = std::getenv("WMI_LONG") != nullptr ? 600 : 60;
  int by_messages = 0, bounds = 0;
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const Task task = random_cactus(random, random.integer(4, 5), random.chance(60));
    const std::vector<Answer> exact = searched(task);
    for (const unsigned threads : {1u, 3u}) {
      const Solution found = separated(task, {.threads = threads});
      by_messages += found.messages.messages > 0;
      check_agree(found.answers, exact);
    }
    check_agree(separated(task, {.gap = ratio(1, 100), .may_be_stopped = true}).answers, exact);
    check_agree(solve_to_digits(8, task, *make_split(), *make_auto({}), {}).solution.answers,
                exact);
    for (const std::size_t cells : {0u, 1u, 3u}) {
      CAPTURE(cells);
      StopAfter observer(cells);
      const std::vector<Answer> known =
          separated(task, {.stop = observer.token(), .observer = &observer}).answers;
      for (std::size_t i = 0; i < known.size(); ++i) {
        CAPTURE(i);
        if (!exact[i].value) continue;
        const Rational& value = exact[i].value->lower;
        if (known[i].value) CHECK(known[i].value->contains(value));
        if (known[i].lower) CHECK(*known[i].lower <= value);
        if (known[i].upper) CHECK(*known[i].upper >= value);
        bounds += known[i].lower.has_value();
      }
    }
  }
  CHECK(by_messages > rounds / 2);
  CHECK(bounds > rounds / 3);
}

/// Six reals in [0, 1], neighbours at most 1/2 apart, and a second query that relates all of them.
struct ChainAndSum : SmallProblem {
  ChainAndSum() {
    std::vector<Polynomial> x;
    Polynomial sum;
    for (const char* const name : {"a", "b", "c", "d", "e", "f"}) {
      x.push_back(unit_real(name));
      sum += Polynomial(Rational(static_cast<int>(x.size() * x.size()))) * x.back();
    }
    for (std::size_t i = 1; i < x.size(); ++i) {
      require(terms.less_equal(x[i] - x[i - 1], ratio(1, 2)));
      require(terms.less_equal(x[i - 1] - x[i], ratio(1, 2)));
    }
    const Formula event = terms.less_equal(sum, 30);
    task.queries = {wmi_of(truth), wmi_of(event)};
    task.problem = problem;
  }

  Task task;
};

TEST_CASE_FIXTURE(ChainAndSum, "what messages answer is not searched for again, within a gap") {
  const std::vector<Answer> exact = searched(task);
  const Solution found = separated(task, {.gap = ratio(1, 50)});
  CHECK(found.messages.messages > 0);
  check_agree(found.answers, exact);
  CHECK(found.answers[0].value->exact());
  CHECK_FALSE(found.answers[0].within_gap);
  CHECK(found.answers[1].value->upper - found.answers[1].value->lower <= ratio(1, 50));
}

TEST_CASE_FIXTURE(ChainAndSum, "what messages answered is complete when the search is stopped") {
  const std::vector<Answer> exact = searched(task);
  StopAfter observer(1);
  const std::vector<Answer> known =
      separated(task, {.stop = observer.token(), .observer = &observer}).answers;
  CHECK(known[0].complete);
  CHECK(known[0].value == exact[0].value);
  CHECK_FALSE(known[1].complete);
  REQUIRE(known[1].upper);
  CHECK(*known[1].lower <= exact[1].value->lower);
  CHECK(*known[1].upper >= exact[1].value->lower);
}

Query moment_of(const Polynomial& term, unsigned order, Formula given = truth) {
  Query result = wmi_of(truth);
  result.kind = Query::Kind::moment;
  result.given = given;
  result.term = term;
  result.order = order;
  return result;
}

TEST_CASE("the moments of a sum of 40 choices are summed term by term") {
  SmallProblem problem;
  std::vector<Polynomial> reals;
  for (int i = 0; i < 40; ++i)
    reals.push_back(problem.unit_real(("x" + std::to_string(i)).c_str()));
  Polynomial sum;
  for (const Polynomial& x : reals)
    sum += problem.terms.choice(problem.terms.less(x, ratio(1, 2)), x, Polynomial(0));
  const Solution found = separated({problem.problem, {moment_of(sum, 1), moment_of(sum, 2)}}, {});
  CHECK(found.messages.messages + found.messages.blocks > 0);
  // Each has the mean 1/8 and the second moment 1/24.
  CHECK(found.answers[0].value->lower == 5);
  CHECK(found.answers[1].value->lower == 40 * ratio(1, 24) + 40 * 39 * ratio(1, 64));
}

TEST_CASE("moments of sums of choices agree with a search") {
  Random random(54);
  CAPTURE(random.seed());
  const int rounds = std::getenv("WMI_LONG") != nullptr ? 400 : 40;
  int by_terms = 0;
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    SmallProblem problem;
    Terms& terms = problem.terms;
    std::vector<Polynomial> x;
    for (int i = 0; i < 6; ++i) x.push_back(problem.unit_real(("x" + std::to_string(i)).c_str()));
    const Formula b = terms.declare_boolean("b");
    const auto tenths = [&] { return ratio(random.integer(1, 9), 10); };
    const auto any = [&] { return x[std::size_t(random.integer(0, 5))]; };
    if (random.chance(50)) problem.require(terms.less(x[0], x[1]));
    if (random.chance(50)) problem.weight(b, x[2] + tenths());
    if (random.chance(30)) problem.weight(terms.less(x[3], tenths()), Polynomial(-2));
    Polynomial sum;
    for (std::size_t i = 0; i < 5; ++i) {
      const Formula condition =
          random.chance(20) ? b : terms.less(x[i], random.chance(20) ? any() : tenths());
      sum += tenths() * terms.choice(condition, x[i] * x[i] + tenths(), any());
    }
    const Formula given = random.chance(50) ? truth : terms.less(any(), tenths());
    const Task task{problem.problem, {moment_of(sum, 1, given), moment_of(sum, 2)}};
    const Solution found = separated(task, {});
    by_terms += found.messages.blocks > 0;
    check_agree(found.answers, searched(task));
  }
  CHECK(by_terms > rounds / 2);
}

}  // namespace
}  // namespace wmi::tests
