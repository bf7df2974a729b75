// Tasks in units against `solve`: random problems, divided at random, paused at random, and units
// that are left open.

#include "solver/units/task_in_units.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <deque>

#include "solver/enumerators/replay.h"
#include "solver/terms/error.h"
#include "tests/solver/enumerators/filtered/random_network.h"
#include "tests/solver/random_problem.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

int repetitions(int usual) { return std::getenv("WMI_LONG") != nullptr ? 10 * usual : usual; }

Query query(Query::Kind kind, Formula event = truth, const Polynomial& term = {},
            const Rational& at = 0) {
  Query result;
  result.kind = kind;
  result.event = event;
  result.given = truth;
  result.term = term;
  result.at = at;
  return result;
}

void check_equal(const Answer& found, const Answer& expected) {
  CHECK(found.value == expected.value);
  CHECK(found.left == expected.left);
  CHECK(found.law == expected.law);
  CHECK(found.text == expected.text);
  CHECK(found.undefined == expected.undefined);
  CHECK(found.refused == expected.refused);
  CHECK(found.cells == expected.cells);
  CHECK(found.complete);
}

/// All results of a task in units, each paused after a random number of cells.
struct Shared {
  std::vector<UnitResult> results;
  std::size_t units = 0;
};

Shared solve_in_units(TaskInUnits& whole, Random& random) {
  Shared shared;
  shared.results.push_back(whole.divide(static_cast<std::size_t>(random.integer(1, 12)), {}));
  std::deque<std::vector<SearchPath>> units;
  const auto queue = [&](const SearchTree& tree) {
    // Paths survive being written and read, and places may be grouped at will.
    for (const OpenPlace& place : open_places(tree)) {
      const SearchPath path = parse_path(to_text(place.path));
      CHECK(path == place.path);
      if (!units.empty() && random.chance(30))
        units.back().push_back(path);
      else
        units.push_back({path});
    }
  };
  queue(shared.results[0].tree);
  while (!units.empty()) {
    const std::vector<SearchPath> places = units.front();
    units.pop_front();
    int cells = random.chance(50) ? random.integer(0, 3) : 1'000'000;
    // In a process of its own: the same, with the goals that the root has left.
    shared.results.push_back(whole.solve(places, [&] { return cells-- <= 0; }));
    ++shared.units;
    queue(shared.results.back().tree);
  }
  return shared;
}

/// The trees of all results are one complete tree.
void check_complete(const std::vector<UnitResult>& results) {
  SearchTree open = results[0].tree;
  const auto forget_open = [](SearchTree& leaf, std::size_t) {
    leaf.state = SearchTree::State::elsewhere;
  };
  visit_open(open, forget_open);
  for (std::size_t i = 1; i < results.size(); ++i) {
    SearchTree tree = results[i].tree;
    visit_open(tree, forget_open);
    merge(open, tree);
  }
  CHECK(open.finished());
  CHECK(parse_tree(to_text(open)) == open);
}

void compare(const Task& task, const Enumerator& enumerator, Random& random) {
  const std::unique_ptr<Integrator> integrator = make_auto({});
  const Solution expected = solve(task, enumerator, *integrator);
  TaskInUnits whole(task, enumerator, *integrator);
  const Shared shared = solve_in_units(whole, random);
  check_complete(shared.results);
  const Solution found = whole.join(shared.results, {}, 20, {}).solution;
  REQUIRE(found.answers.size() == expected.answers.size());
  for (std::size_t i = 0; i < found.answers.size(); ++i) {
    CAPTURE(i);
    check_equal(found.answers[i], expected.answers[i]);
  }
  CHECK(found.warnings == expected.warnings);

  // Some units are missing: bounds.
  std::vector<UnitResult> some = {shared.results[0]};
  std::vector<SearchPath> open;
  for (const OpenPlace& place : open_places(shared.results[0].tree)) {
    if (random.chance(50)) {
      open.push_back(place.path);
      continue;
    }
    some.push_back(whole.solve({place.path}, [] { return false; }));
  }
  if (open.empty()) return;
  const Solution bounds = whole.join(some, open, 20, {}).solution;
  for (std::size_t i = 0; i < bounds.answers.size(); ++i) {
    const Answer& answer = bounds.answers[i];
    if (!expected.answers[i].value || !answer.refused.empty()) continue;
    CAPTURE(i);
    if (answer.lower) CHECK(*answer.lower <= expected.answers[i].value->lower);
    if (answer.upper) CHECK(*answer.upper >= expected.answers[i].value->upper);
  }
}

Task random_task(Random& random) {
  Task task;
  task.problem =
      random_problem(random, {random.integer(1, 3), random.integer(0, 3), random.integer(2, 8),
                              random.integer(0, 2), random.chance(70)});
  Problem& problem = task.problem;
  task.queries.push_back(query(Query::Kind::wmi));
  using Kind = Query::Kind;
  for (int i = random.integer(0, 3); i > 0; --i)
    task.queries.push_back(query(random.chance(50) ? Kind::probability : Kind::wmi,
                                 random_formula(random, problem, 2)));
  if (random.chance(30)) task.queries.push_back(query(Kind::satisfiable));
  if (random.chance(40))
    task.queries.push_back(query(Kind::variance, truth, random_polynomial(random, problem, 2)));
  if (random.chance(30))
    task.queries.push_back(
        query(Kind::density, truth, random_affine(random, problem), random.rational()));
  if (random.chance(30))
    task.queries.push_back(query(Kind::distribution, truth, random_affine(random, problem)));
  return task;
}

TEST_CASE("a task in units has the answers of one process, by every enumerator") {
  for (const EnumeratorEntry& entry : enumerators()) {
    const bool slow = entry.name == "z3";
    for (int i = 0; i < repetitions(slow ? 15 : 60); ++i) {
      Random random(static_cast<unsigned>(i));
      CAPTURE(entry.name);
      CAPTURE(random.seed());
      CAPTURE(i);
      compare(random_task(random), *entry.make(), random);
    }
  }
}

TEST_CASE("so has a network that is searched in doubles, with several goals below its leaves") {
  for (int i = 0; i < repetitions(30); ++i) {
    Random random(static_cast<unsigned>(1000 + i));
    CAPTURE(random.seed());
    CAPTURE(i);
    RandomNetwork network = random_network(random, {});
    Task task;
    Terms& terms = network.problem.terms;
    const Formula event = terms.less(network.outputs[0], random.rational());
    const Formula other = terms.less(network.outputs.back(), network.units[0]);
    task.queries = {query(Query::Kind::probability, event), query(Query::Kind::probability, other),
                    query(Query::Kind::expectation, truth, network.outputs[0])};
    task.problem = network.problem;
    compare(task, *make_split(), random);
  }
}

TEST_CASE("an unbounded region is refused for the same reason") {
  SmallProblem small;
  const Polynomial x = small.unit_real("x"), y = small.real("y");
  const Formula low = small.terms.less(x, ratio(1, 2));
  small.require(small.terms.either(low, small.terms.less(0, y)));
  small.require(small.terms.either(!low, small.terms.less(y, 1)));
  Task task;
  task.problem = small.problem;
  task.queries = {query(Query::Kind::wmi), query(Query::Kind::probability, low)};
  for (unsigned i = 0; i < 10; ++i) {
    Random random(i);
    compare(task, *make_split(), random);
  }
}

TEST_CASE("the path of another problem is refused") {
  SmallProblem small;
  const Polynomial x = small.unit_real("x");
  small.weight(small.terms.less(x, ratio(1, 2)), 2);
  Task task;
  task.problem = small.problem;
  task.queries = {query(Query::Kind::wmi)};
  const auto integrator = make_auto({});
  for (const EnumeratorEntry& entry : enumerators()) {
    CAPTURE(entry.name);
    const auto enumerator = entry.make();
    TaskInUnits whole(task, *enumerator, *integrator, std::vector<std::size_t>{0});
    const auto never = [] { return false; };
    CHECK_THROWS_AS(whole.solve({parse_path("1000+")}, never), LostPlace);
    CHECK_THROWS_AS(whole.solve({parse_path("g1/2")}, never), LostPlace);
    CHECK_THROWS_AS(whole.solve({parse_path("l0/2")}, never), LostPlace);
    CHECK_THROWS_AS(TaskInUnits(task, *enumerator, *integrator, std::vector<std::size_t>{7}),
                    LostPlace);
  }
}

}  // namespace
}  // namespace wmi::tests
