// Answers are certified, and the checker accepts the certificates.

#include "solver/certificate.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "frontends/formats/format.h"
#include "tests/frontends/check/certified.h"

namespace {

using namespace wmi;
using namespace wmi::tests;
using frontends::read;

}  // namespace

TEST_CASE("the answers to random queries about random problems are certified and accepted") {
  Random random(800);
  CAPTURE(random.seed());
  int certified = 0;
  for (int round = 0; round < 200 * many(); ++round) {
    CAPTURE(round);
    const Task task = random_task(random);
    const Solution solution = solved(task);
    const Checked found = checked(task, certificate(task, solution));
    CAPTURE(found.reason);
    REQUIRE(found.answers);
    for (std::size_t i = 0; i < task.queries.size(); ++i) {
      const Answer& answer = solution.answers[i];
      CAPTURE(i);
      if (!answer.value) continue;
      std::string expected = to_string(answer.value->lower);
      if (answer.left) expected += " from the left " + to_string(answer.left->lower);
      CHECK((*found.answers)[i] == expected);
      ++certified;
    }
  }
  CHECK(certified > 300);
}

TEST_CASE("the estimated share of a proof that is written grows from 0 to 1") {
  struct Shares final : ProgressObserver {
    void proved(double share) override { all.push_back(share); }
    std::vector<double> all;
  };
  // Four Booleans and five cuts of a square: more than the 16 leaves between two reports.
  Task task;
  Terms& terms = task.problem.terms;
  const Polynomial x = Polynomial::variable(terms.declare_real("x"));
  const Polynomial y = Polynomial::variable(terms.declare_real("y"));
  task.problem.integrated = {true, true};
  for (const Polynomial& each : {x, y}) {
    task.problem.assertions.push_back(terms.less_equal(0, each));
    task.problem.assertions.push_back(terms.less_equal(each, 1));
  }
  for (int i = 1; i <= 5; ++i)
    task.problem.weights.push_back(
        {terms.less(Polynomial(i) * x, y + Polynomial(ratio(i, 7))), x + Polynomial(i)});
  for (const char* const name : {"a", "b", "c", "d"})
    task.problem.weights.push_back(
        {terms.either(terms.declare_boolean(name), terms.less(x, y)), x + y});
  task.queries.emplace_back().kind = Query::Kind::wmi;
  Shares shares;
  std::ostringstream out;
  prove(task, *make_auto({}), out, {.observer = &shares});
  REQUIRE(shares.all.size() > 2);
  CHECK(std::ranges::is_sorted(shares.all));
  CHECK(shares.all.front() > 0);
  CHECK(shares.all.front() < 0.9);
  CHECK(shares.all.back() <= 1);
  CHECK(shares.all.back() > 0.5);
}

TEST_CASE("the bounds on an answer when a search is stopped are proved") {
  Random random(804);
  CAPTURE(random.seed());
  int bounds = 0, known = 0;
  std::vector<Task> tasks = golden_tasks();
  for (int round = 0; round < 80 * many(); ++round) tasks.push_back(random_task(random));
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    CAPTURE(t);
    const Task& task = tasks[t];
    const std::vector<Answer> truth = solved(task).answers;
    for (const std::size_t cells : {0, 1, 4, 1000}) {
      CAPTURE(cells);
      const Partial found = partial(task, cells);
      const Checked proof = checked(task, found.proof);
      CAPTURE(proof.reason);
      REQUIRE(proof.answers);
      CHECK(hold(proof.certified, truth));
      for (std::size_t i = 0; i < truth.size(); ++i) {
        CAPTURE(i);
        const Answer& answer = found.answers[i];
        if (answer.complete) {
          CHECK(answer.value == truth[i].value);
          CHECK(answer.left == truth[i].left);
          CHECK(answer.undefined == truth[i].undefined);
          CHECK(answer.refused == truth[i].refused);
          ++known;
        } else if (answer.lower && proof.certified[i].value) {
          // Printed bounds may also use that a probability is between 0 and 1.
          CHECK(*answer.lower <= std::max(Rational(0), proof.certified[i].value->lower));
          CHECK(*answer.upper >= std::min(Rational(1), proof.certified[i].value->upper));
          CHECK(*answer.lower <= truth[i].value->lower);
          CHECK(*answer.upper >= truth[i].value->lower);
          ++bounds;
        }
      }
    }
  }
  CHECK(bounds > 100);
  CHECK(known > 200);
}

TEST_CASE("an answer to within a gap is proved to be in its bounds") {
  Random random(805);
  CAPTURE(random.seed());
  int enclosed = 0;
  for (int round = 0; round < 50 * many(); ++round) {
    CAPTURE(round);
    Task task = read({"gap.smt2", golden_text("gap.smt2")})[0];
    if (round > 0) {
      task.problem = random_problem(random, {2, 1, 12, 2, true});
      task.queries = {wmi_of(random_formula(random, task.problem, 3))};
      task.queries.push_back(wmi_of(random_formula(random, task.problem, 2)));
      task.queries.back().kind = Query::Kind::probability;
    }
    const std::vector<Answer> truth = solved(task).answers;
    for (const Rational& gap : {ratio(1, 2), ratio(1, 100)}) {
      const Partial found = partial(task, ~std::size_t{0}, gap);
      const Checked proof = checked(task, found.proof);
      REQUIRE(proof.answers);
      CHECK(hold(proof.certified, truth));
      for (std::size_t i = 0; i < truth.size(); ++i) {
        if (!truth[i].value) continue;
        REQUIRE(found.answers[i].value);
        CHECK(found.answers[i].value->contains(truth[i].value->lower));
        CHECK(found.answers[i].value->upper - found.answers[i].value->lower <= gap);
        REQUIRE(proof.certified[i].value);
        CHECK(proof.certified[i].value->upper - proof.certified[i].value->lower <= gap);
        enclosed += found.answers[i].within_gap;
      }
    }
  }
  CHECK(enclosed > 10);
}
