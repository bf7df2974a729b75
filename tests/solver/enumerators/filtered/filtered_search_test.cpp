// The search in doubles against the same search in exact numbers, on random networks that are
// degenerate more often than not, and against an independent brute force.

#include "solver/enumerators/filtered/filtered_search.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "solver/integrator.h"
#include "solver/significant_digits.h"
#include "solver/solve.h"
#include "solver/terms/error.h"
#include "tests/solver/brute_force.h"
#include "tests/solver/enumerators/filtered/random_network.h"
#include "tests/solver/small_problem.h"

namespace wmi::tests {
namespace {

int repetitions(int usual) { return std::getenv("WMI_LONG") != nullptr ? 10 * usual : usual; }

template <class T>
const T& pick(Random& random, const std::vector<T>& from) {
  return from[static_cast<std::size_t>(random.integer(0, static_cast<int>(from.size()) - 1))];
}

bool is_filtered(const Task& task) {
  Task planned = task;
  const Plan plan = make_plan(planned);
  const std::optional<Defined> defined = define(planned.problem, plan.goals);
  return defined && FilteredProblem::make(std::make_shared<const Defined>(*defined)) != nullptr;
}

Query query(Query::Kind kind, const Polynomial& term, const Rational& at = 0) {
  Query result;
  result.kind = kind;
  result.term = term;
  result.at = at;
  return result;
}

Query probability(Formula event, Formula given = truth) {
  Query result;
  result.kind = Query::Kind::probability;
  result.event = event;
  result.given = given;
  return result;
}

/// Levels at which outputs are compared: values at corners, values within roundoff of these, others.
Rational random_level(Random& random, const RandomNetwork& network) {
  if (random.chance(30)) return random_float(random);
  const Rational level = pick(random, network.levels);
  if (random.chance(60)) return level;
  return level + Rational(0x1p-60) * random.integer(-1, 1);
}

Formula random_atom(Random& random, RandomNetwork& network) {
  Terms& terms = network.problem.terms;
  const Polynomial& output = pick(random, network.outputs);
  switch (random.integer(0, 5)) {
    case 0:
      return terms.less(output, pick(random, network.outputs));
    case 1:
      return terms.less_equal(pick(random, network.units), pick(random, network.units));
    case 2:  // the condition of a unit, or where it is off
      return terms.less(0, pick(random, network.units));
    case 3:
      return terms.less_equal(pick(random, network.units), output);
    default:
      return terms.less(output, random_level(random, network));
  }
}

Formula random_event(Random& random, RandomNetwork& network) {
  const Formula first = random_atom(random, network);
  switch (random.integer(0, 3)) {
    case 0:
      return network.problem.terms.both(first, random_atom(random, network));
    case 1:
      return network.problem.terms.either(!first, random_atom(random, network));
    default:
      return first;
  }
}

Task random_task(Random& random, const NetworkShape& shape) {
  RandomNetwork network = random_network(random, shape);
  Problem& problem = network.problem;
  Terms& terms = problem.terms;
  const Polynomial x = Polynomial::variable(0), &output = network.outputs[0];
  if (random.chance(30))  // the box is cut
    problem.assertions.push_back(terms.less_equal(
        random_float(random) * x +
            Polynomial::variable(static_cast<Variable>(problem.integrated.size() - 1)),
        random.chance(50) ? Rational(0) : random_float(random)));
  if (random.chance(15)) problem.assertions.push_back(random_event(random, network));
  if (random.chance(30)) problem.weights.push_back({truth, x * x + 1});
  if (random.chance(20))
    problem.weights.push_back({random_atom(random, network), Polynomial(random_float(random))});
  if (random.chance(10)) problem.weights.push_back({truth, network.units[0] + 60});
  Task task;
  std::vector<Query> queries{wmi_of(random_event(random, network))};
  for (int i = random.integer(1, 2); i > 0; --i) switch (random.integer(0, 8)) {
      case 0:
      case 1:
        queries.push_back(query(Query::Kind::expectation, output));
        break;
      case 2:
        queries.push_back(query(Query::Kind::variance, output));
        break;
      case 3:
        queries.push_back(query(Query::Kind::density, output, random_level(random, network)));
        break;
      case 4:
        queries.push_back(query(Query::Kind::cdf, output, random_level(random, network)));
        break;
      case 5:
        queries.push_back(query(Query::Kind::distribution, output));
        break;
      case 6:
        queries.push_back(query(Query::Kind::moment, output));
        queries.back().order = 3;
        break;
      default:
        queries.push_back(probability(random_event(random, network),
                                      random.chance(50) ? truth : random_atom(random, network)));
    }
  task.problem = std::move(network.problem);
  task.queries = std::move(queries);
  return task;
}

void check_same(const std::vector<Answer>& found, const std::vector<Answer>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CHECK(found[i].value == expected[i].value);
    CHECK(found[i].left == expected[i].left);
    CHECK(found[i].text == expected[i].text);
    CHECK(found[i].undefined == expected[i].undefined);
    CHECK(found[i].refused == expected[i].refused);
    CHECK(found[i].complete == expected[i].complete);
  }
}

/// An enclosure contains the exact answer, or there is no answer and then it is for the same reason.
void check_encloses(const std::vector<Answer>& found, const std::vector<Answer>& exact) {
  REQUIRE(found.size() == exact.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    if (found[i].too_wide || !exact[i].value) continue;
    REQUIRE(found[i].value);
    CHECK(found[i].value->lower <= exact[i].value->lower);
    CHECK(exact[i].value->upper <= found[i].value->upper);
    if (exact[i].left && found[i].left) CHECK(found[i].left->contains(exact[i].left->lower));
  }
}

TEST_CASE("random networks have the answers that exact numbers give, with any number of threads") {
  Random random(230);
  MESSAGE("seed " << random.seed());
  const auto split = make_split(), exact_split = make_exact_split();
  const auto integrator = make_auto({});
  int filtered = 0;
  for (int round = 0; round < repetitions(120); ++round) {
    CAPTURE(round);
    const Task task = random_task(random, random_shape(random, 3, 3, 4));
    filtered += is_filtered(task);
    const std::vector<Answer> exact = solve(task, *exact_split, *integrator).answers;
    for (const unsigned threads : {1u, 2u, 4u})
      check_same(solve(task, *split, *integrator, {.threads = threads}).answers, exact);
    for (const unsigned digits : {4u, 10u}) {
      const auto rounded = make_auto({.digits = digits});
      const std::vector<Answer> enclosed = solve(task, *split, *rounded).answers;
      check_encloses(enclosed, exact);
      for (const unsigned threads : {2u, 4u})
        check_same(solve(task, *split, *rounded, {.threads = threads}).answers, enclosed);
    }
  }
  CHECK(filtered > repetitions(70));
}

TEST_CASE("answers within a gap contain the exact ones") {
  Random random(231);
  MESSAGE("seed " << random.seed());
  const auto split = make_split(), exact_split = make_exact_split();
  for (int round = 0; round < repetitions(60); ++round) {
    CAPTURE(round);
    const RandomNetwork network = random_network(random, random_shape(random, 3, 3, 4));
    Task task{network.problem, {query(Query::Kind::expectation, network.outputs[0])}};
    task.queries.push_back(
        probability(task.problem.terms.less(network.outputs[0], pick(random, network.levels))));
    const std::vector<Answer> exact = solve(task, *exact_split, *make_auto({})).answers;
    for (const unsigned digits : {0u, 8u}) {
      const std::vector<Answer> found = solve(task, *split, *make_auto({.digits = digits}),
                                              {.gap = ratio(1, random.integer(2, 1000))})
                                            .answers;
      check_encloses(found, exact);
    }
    // Step by step, but to the end.
    check_same(solve(task, *split, *make_auto({}), {.may_be_stopped = true}).answers, exact);
    check_encloses(solve(task, *split, *make_auto({.digits = 6, .wide_cells = true}),
                         {.threads = 2, .may_be_stopped = true})
                       .answers,
                   exact);
  }
}

TEST_CASE("small networks have the integrals that a brute force finds") {
  Random random(232);
  MESSAGE("seed " << random.seed());
  for (int round = 0; round < repetitions(60); ++round) {
    CAPTURE(round);
    RandomNetwork network = random_network(
        random, random.chance(50) ? random_shape(random, 1, 2, 3) : random_shape(random, 2, 1, 2));
    const Formula event = random_event(random, network);
    if (random.chance(30)) network.problem.weights.push_back({truth, Polynomial::variable(0) + 5});
    const Task task{network.problem, {wmi_of(event)}};
    const Answer answer = solve(task, *make_split(), *make_auto({})).answers[0];
    REQUIRE(answer.value);
    CHECK(*answer.value == Interval(brute_force(network.problem, event)));
  }
}

/// Where a sum of all units is asked for, each of them must be decided everywhere: so cells are the
/// regions of their patterns, however they are found.
TEST_CASE("networks have as many linear regions as in exact numbers") {
  Random random(233);
  MESSAGE("seed " << random.seed());
  for (int round = 0; round < repetitions(150); ++round) {
    CAPTURE(round);
    const RandomNetwork network = random_network(random, random_shape(random, 3, 3, 4));
    Polynomial sum = Polynomial::variable(0);
    for (const Polynomial& unit : network.units) sum += unit;
    const Task task{network.problem, {query(Query::Kind::expectation, sum)}};
    const Answer found = solve(task, *make_split(), *make_auto({})).answers[0],
                 exact = solve(task, *make_exact_split(), *make_auto({})).answers[0];
    CHECK(found.value == exact.value);
    CHECK(found.cells == exact.cells);
  }
}

const Rational tenth(0.1f);  // long

/// h = relu(x / 10) over -1 <= x <= 1, nearly.
struct OneUnit : SmallProblem {
  const Polynomial x = real("x");
  Polynomial h;

  OneUnit() {
    require(terms.less_equal(-1, x));
    require(terms.less_equal(x, 1));
    h = terms.choice(terms.less(0, tenth * x), tenth * x, 0);
  }
  void check(Formula event, const Rational& expected) {
    const Task task{problem, {wmi_of(event)}};
    REQUIRE(is_filtered(task));
    for (const unsigned digits : {0u, 6u}) {
      const Answer answer = solve(task, *make_split(), *make_auto({.digits = digits})).answers[0];
      REQUIRE(answer.value);
      CHECK(answer.value->contains(expected));
    }
    CHECK(solve(task, *make_exact_split(), *make_auto({})).answers[0].value == Interval(expected));
  }
};

TEST_CASE_FIXTURE(OneUnit, "a choice by an equation is no maximum") {
  // z = h - 9/100 is mostly negative; d is z everywhere.
  const Polynomial z = h - ratio(9, 100), d = terms.choice(terms.equal(z, 0), 0, z);
  check(terms.less(d, ratio(-5, 100)), 1 + ratio(4, 100) / tenth);
  check(terms.less(ratio(-1, 1000), d), 1 - ratio(89, 1000) / tenth);
}

TEST_CASE_FIXTURE(OneUnit, "events on the hyperplane of a unit, and on a face of the box") {
  check(terms.less(0, h), 1);
  check(terms.less_equal(h, 0), 1);
  check(terms.less(h, 0), 0);
  check(terms.equal(h, 0), 1);
  check(terms.less(h, tenth), 2);
  check(terms.less_equal(tenth, h), 0);
  check(terms.equal(h, tenth), 0);
}

TEST_CASE_FIXTURE(OneUnit, "weights beyond the range of doubles are exact") {
  Rational huge = 1;
  mpq_mul_2exp(huge.get_mpq_t(), huge.get_mpq_t(), 1500);
  for (const Rational& factor : {huge, Rational(-huge), Rational(1 / huge), Rational(-1 / huge)}) {
    problem.weights = {{truth, Polynomial(factor)}};
    check(terms.less(0, h), factor);
    problem.weights = {{truth, factor * x}};
    check(terms.less(0, h), factor / 2);
    problem.weights = {{truth, factor * h}};
    check(terms.less(0, h), factor * tenth / 2);
  }
}

TEST_CASE_FIXTURE(OneUnit, "errors beyond the range of doubles are left to exact numbers") {
  // A difference that is 0, times factors that make its error infinite.
  const Polynomial twin =
      terms.choice(terms.less(x, 0), 0, tenth * x + 1) - terms.choice(terms.less(x, 0), 0, 1);
  Polynomial blurred = h - twin;
  const Rational factor(0x1p800);
  for (int layer = 0; layer < 3; ++layer)
    blurred = terms.choice(terms.less(x, ratio(1, 3)), factor * blurred, factor * blurred + x);
  check(terms.less(x + blurred, ratio(1, 2)), ratio(4, 3));
}

/// Two units on each of two inputs.
std::shared_ptr<const FilteredProblem> four_units() {
  SmallProblem small;
  Polynomial sum;
  for (const char* name : {"x", "y"}) {
    const Polynomial x = small.real(name);
    small.require(small.terms.less_equal(0, x));
    small.require(small.terms.less_equal(x, 1));
  }
  for (Variable i = 0; i < 2; ++i)
    for (const Rational& at : {ratio(1, 3), ratio(2, 3)}) {
      const Polynomial a = tenth * (Polynomial::variable(i) - at);
      sum += small.terms.choice(small.terms.less(0, a), a, 0);
    }
  small.goals = {{truth, {{sum, 0}}, {}}};
  return FilteredProblem::make(
      std::make_shared<const Defined>(*define(small.problem, small.goals)));
}

std::size_t count(Cells& cells) {
  std::size_t result = 0;
  while (cells.next()) ++result;
  return result;
}

TEST_CASE("cells that are forked off are those that are missing from the rest") {
  const auto problem = four_units();
  REQUIRE(problem);
  FilteredSearch whole(problem, {});
  CHECK(count(whole) == 9);
  for (int before = 0; before < 9; ++before) {
    CAPTURE(before);
    FilteredSearch search(problem, {});
    for (int i = 0; i < before; ++i) REQUIRE(search.next());
    std::size_t found = static_cast<std::size_t>(before);
    while (const std::unique_ptr<Cells> half = search.fork()) found += count(*half);
    CHECK(found + count(search) == 9);
  }
}

TEST_CASE("a search has the same cells wherever it is forked") {
  Random random(234);
  MESSAGE("seed " << random.seed());
  for (int round = 0; round < repetitions(40); ++round) {
    CAPTURE(round);
    RandomNetwork network = random_network(random, {2, 4, 6, Weights::plain});
    network.problem.assertions.push_back(random_event(random, network));
    const std::vector<Goal> goals{{random_event(random, network), {{Polynomial(1), 0}}, {}}};
    const auto problem =
        FilteredProblem::make(std::make_shared<const Defined>(*define(network.problem, goals)));
    if (!problem) continue;  // the event is constant
    FilteredSearch whole(problem, {});
    const std::size_t cells = count(whole);
    std::vector<std::unique_ptr<Cells>> parts;
    parts.push_back(std::make_unique<FilteredSearch>(problem, FilteredSearchOptions{}));
    std::size_t found = 0;
    while (!parts.empty()) {
      const bool some = parts.back()->next().has_value();
      found += some;
      std::unique_ptr<Cells> part = some ? std::move(parts.back()) : nullptr;
      parts.pop_back();
      if (!part) continue;
      std::unique_ptr<Cells> forked = random.chance(70) ? part->fork() : nullptr;
      parts.push_back(std::move(part));
      if (forked) parts.insert(parts.begin(), std::move(forked));
    }
    CHECK(found == cells);
  }
}

TEST_CASE("a search that is told to stop throws, and its rest is open cells") {
  const auto problem = four_units();
  REQUIRE(problem);
  std::stop_source source;
  FilteredSearch search(problem, {.stop = source.get_token()});
  REQUIRE(search.next());
  source.request_stop();
  CHECK_THROWS_AS(search.next(), Stopped);
  const std::optional<std::vector<Cell>> rest = search.rest();
  REQUIRE(rest);
  CHECK_FALSE(rest->empty());
  for (const Cell& cell : *rest) CHECK(std::holds_alternative<OpenCell>(cell.kind));
}

/// A normal or exponential law of each input.
void add_laws(Random& random, Problem& problem) {
  for (Variable k = 0; k < problem.integrated.size(); ++k) {
    const Polynomial x = Polynomial::variable(k);
    const Rational scale = ratio(random.integer(1, 6), 2);
    problem.weights.push_back(
        {truth, random.chance(70)
                    ? problem.terms.apply(Function::normal, scale * x - random_float(random))
                    : problem.terms.apply(Function::exp, scale * x)});
  }
}

TEST_CASE("under normal laws, doubles and exact numbers give enclosures of the same numbers") {
  int searched = 0;
  for (unsigned seed = 1; seed <= static_cast<unsigned>(repetitions(60)); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    NetworkShape shape = random_shape(random, 2, 2, 3);
    if (shape.weights == Weights::wild) shape.weights = Weights::plain;
    RandomNetwork network = random_network(random, shape);
    Task task;
    const Formula event = random_event(random, network), given = random_event(random, network);
    add_laws(random, network.problem);
    task.queries = {wmi_of(event), probability(event), probability(event, given),
                    query(Query::Kind::expectation, network.outputs[0])};
    if (random.chance(50)) network.problem.weights.push_back({truth, Polynomial::variable(0) * 2});
    task.problem = std::move(network.problem);
    if (!is_filtered(task)) continue;
    Solution exact;
    try {
      exact = solve(task, *make_exact_split(), *make_auto({}), {.smooth_digits = 5});
    } catch (const GaveUp&) {
      continue;
    }
    ++searched;
    for (const unsigned digits : {3u, 8u}) {
      const Solution found = solve(task, *make_split(), *make_auto({}), {.smooth_digits = digits});
      REQUIRE(found.answers.size() == exact.answers.size());
      for (std::size_t i = 0; i < exact.answers.size(); ++i) {
        CAPTURE(i);
        CHECK(found.answers[i].undefined == exact.answers[i].undefined);
        const auto open = [](const Answer& answer) { return answer.too_wide || answer.gave_up; };
        if (open(found.answers[i]) || open(exact.answers[i])) continue;
        REQUIRE(found.answers[i].value.has_value() == exact.answers[i].value.has_value());
        if (!exact.answers[i].value) continue;
        CHECK(found.answers[i].value->lower <= exact.answers[i].value->upper);
        CHECK(exact.answers[i].value->lower <= found.answers[i].value->upper);
      }
    }
    task.queries.resize(2);
    const Rational gap = ratio(1, 1000);
    const Solution bounded =
        solve_to_digits(6, task, *make_split(), *make_auto({}), {.gap = gap}).solution;
    const std::optional<Interval>& value = bounded.answers[1].value;
    if (!value || !exact.answers[1].value) continue;
    CHECK(value->upper - value->lower <= gap);
    CHECK(value->lower <= exact.answers[1].value->upper);
    CHECK(exact.answers[1].value->lower <= value->upper);
  }
  CHECK(searched > 20);
}

}  // namespace
}  // namespace wmi::tests
