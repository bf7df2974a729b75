// The fast enumerator against the reference, on thousands of random problems that are degenerate
// on purpose, with numbers that outgrow machine words; and what only it does: components, sums over
// Booleans, definitions of derived reals, handing over.

#include <doctest/doctest.h>

#include <cstdlib>

#include "solver/answers/evaluation.h"
#include "solver/enumerators/defined.h"
#include "solver/solve.h"
#include "solver/terms/error.h"
#include "solver/terms/substitution.h"
#include "tests/solver/exact_values.h"
#include "tests/solver/random_problem.h"

namespace wmi::tests {
namespace {

int repetitions(int usual) { return std::getenv("WMI_LONG") != nullptr ? 10 * usual : usual; }

Polynomial real(Variable variable) { return Polynomial::variable(variable); }

std::vector<Interval> answers(const Task& task, const Enumerator& enumerator,
                              const Integrator& integrator = *make_triangulation({})) {
  std::vector<Interval> result;
  for (const Answer& answer : solve(task, enumerator, integrator).answers) {
    REQUIRE(answer.refused.empty());
    result.push_back(answer.value.value_or(Interval(-1)));  // undefined is the same for all
  }
  return result;
}

std::size_t count_cells(const Problem& problem, const Enumerator& enumerator) {
  const Goal goal{truth, {{Polynomial(1), 0}}, {}};
  const auto cells = enumerator.start(problem, std::span(&goal, 1), {});
  std::size_t count = 0;
  while (cells->next()) ++count;
  return count;
}

Query expectation(const Polynomial& term) {
  Query query;
  query.kind = Query::Kind::expectation;
  query.term = term;
  return query;
}

/// Adds a copy of a problem in variables of its own.
void adjoin(Problem& whole, const Problem& part, const std::string& prefix) {
  // Defined reals of `whole` come after its declared ones, so both are rebuilt.
  Problem result;
  for (std::size_t i = 0; i < whole.integrated.size() + part.integrated.size(); ++i) {
    result.terms.declare_real(prefix + std::to_string(i));
    result.integrated.push_back(true);
  }
  std::size_t shift = 0;
  for (const Problem* const source : {static_cast<const Problem*>(&whole), &part}) {
    Substitution substitution(source->terms, result.terms);
    for (Variable i = 0; i < source->integrated.size(); ++i)
      substitution.set_real(i, real(static_cast<Variable>(i + shift)));
    for (std::uint32_t i = 0; i < source->terms.boolean_count(); ++i)
      substitution.set_boolean(i, result.terms.declare_boolean(prefix + std::to_string(shift) +
                                                               "b" + std::to_string(i)));
    for (const Formula assertion : source->assertions)
      result.assertions.push_back(substitution(assertion));
    for (const Weight& weight : source->weights)
      result.weights.push_back({substitution(weight.condition), substitution(weight.value)});
    shift += source->integrated.size();
  }
  whole = std::move(result);
}

TEST_CASE("split and z3 agree on random problems") {
  Random random(100);
  MESSAGE("seed " << random.seed());
  for (int i = 0; i < repetitions(250); ++i) {
    CAPTURE(i);
    Problem problem = random_problem(
        random, {random.integer(1, 4), random.integer(0, 3), random.integer(2, 10), 2, true});
    const Formula event = random_formula(random, problem, 2);
    Query density;
    density.kind = Query::Kind::density;
    density.term = random_affine(random, problem);
    density.at = random.rational();
    const Task task{problem, {wmi_of(truth), wmi_of(event), expectation(real(0))}};
    const std::vector<Interval> expected = answers(task, *make_z3());
    for (const Branching branching :
         {Branching::most_used, Branching::most_even, Branching::first, Branching::weight_first})
      CHECK(answers(task, *make_split_by(branching)) == expected);
    const Task slice{problem, {density}};
    const Solution fast = solve(slice, *make_split(), *make_triangulation({})),
                   slow = solve(slice, *make_z3(), *make_triangulation({}));
    CHECK(fast.answers[0].value == slow.answers[0].value);
    CHECK(fast.answers[0].left == slow.answers[0].left);
    CHECK(fast.answers[0].refused == slow.answers[0].refused);
  }
}

/// Hyperplanes with coefficients from 1 to 10^40 and many zeros, through common points, parallel,
/// repeated.
Problem hard_numbers(Random& random, int reals, int atoms) {
  Problem problem;
  for (int i = 0; i < reals; ++i) {
    problem.terms.declare_real("x" + std::to_string(i));
    problem.integrated.push_back(true);
    problem.assertions.push_back(problem.terms.less_equal(-1, real(static_cast<Variable>(i))));
    problem.assertions.push_back(problem.terms.less_equal(real(static_cast<Variable>(i)), 1));
  }
  std::vector<Polynomial> forms;
  for (int k = 0; k < atoms; ++k) {
    Polynomial form;
    if (!forms.empty() && random.chance(30)) {  // parallel, or a sum: through a common edge
      form = forms[static_cast<std::size_t>(random.integer(0, static_cast<int>(forms.size()) - 1))];
      if (random.chance(50))
        form += Polynomial(ratio(random.integer(-1, 1), 3));
      else
        form +=
            forms[static_cast<std::size_t>(random.integer(0, static_cast<int>(forms.size()) - 1))];
    } else {
      for (Variable j = 0; j < static_cast<Variable>(reals); ++j) {
        Rational coefficient = random.integer(-2, 2);
        if (random.chance(25))
          coefficient *= power(Rational(10), static_cast<unsigned>(random.integer(1, 40)));
        if (random.chance(25)) coefficient += ratio(random.integer(-999, 999), 1'000'003);
        form += Polynomial(coefficient) * real(j);
      }
      form += Polynomial(ratio(random.integer(-2, 2), random.integer(1, 2)));
    }
    forms.push_back(form);
    problem.weights.push_back(
        {problem.terms.less(form, 0), Polynomial(Rational(random.integer(2, 5)))});
  }
  problem.weights.push_back({truth, random_polynomial(random, problem, 2)});
  return problem;
}

TEST_CASE(
    "split and z3 agree where numbers outgrow words and hyperplanes meet, for every integrator") {
  Random random(101);
  MESSAGE("seed " << random.seed());
  for (int i = 0; i < repetitions(150); ++i) {
    CAPTURE(i);
    const Problem problem =
        hard_numbers(random, random.integer(1, 4), random.integer(1, i % 10 == 0 ? 8 : 5));
    const Task task{problem, {wmi_of(truth)}};
    const Interval expected = answers(task, *make_z3())[0];
    REQUIRE(expected.exact());
    for (const IntegratorEntry& entry : integrators()) {
      CAPTURE(entry.name);
      CHECK(answers(task, *make_split(), *entry.make({}))[0].contains(expected.lower));
    }
  }
}

TEST_CASE("the answers of independent problems multiply, for every kind of query") {
  Random random(102);
  MESSAGE("seed " << random.seed());
  for (int i = 0; i < repetitions(50); ++i) {
    CAPTURE(i);
    const auto some = [&] {
      return random_problem(random, {random.integer(1, 2), random.integer(0, 2), 6, 1, true});
    };
    const Problem a = some(), b = some();
    Problem both = a;
    adjoin(both, b, "v");
    const Variable of_b = static_cast<Variable>(a.integrated.size());
    const Formula event =
        both.terms.either(both.terms.less(real(0), ratio(1, 3)), both.terms.less(real(of_b), 0));
    const Task task{both,
                    {wmi_of(truth), wmi_of(event), expectation(real(0) * real(of_b) + real(0))}};
    const std::vector<Interval> found = answers(task, *make_split());
    CHECK(found == answers(task, *make_z3()));
    CHECK(found[0].lower == wmi(a) * wmi(b));
  }
}

TEST_CASE("a product with a flat part has no volume, and an unbounded part is refused") {
  Problem problem;
  const Polynomial x = real(problem.terms.declare_real("x")),
                   y = real(problem.terms.declare_real("y"));
  const Formula a = problem.terms.declare_boolean("a"), b = problem.terms.declare_boolean("b");
  problem.integrated = {true, true};
  problem.assertions = {problem.terms.either(a, problem.terms.less_equal(0, x)),
                        problem.terms.either(b, problem.terms.less_equal(0, y)),
                        problem.terms.less_equal(x, 1), problem.terms.less_equal(y, 1)};
  Solution found = solve({problem, {wmi_of(truth)}}, *make_split(), *make_triangulation({}));
  CHECK(found.answers[0].refused == "region is unbounded in direction (-1, 0); bound 'x' below");
  problem.assertions.push_back(problem.terms.either(
      problem.terms.less_equal(y, -1), problem.terms.all(std::array{b, problem.terms.less(2, y)})));
  problem.assertions.push_back(problem.terms.either(problem.terms.less_equal(0, y), !b));
  found = solve({problem, {wmi_of(truth)}}, *make_split(), *make_triangulation({}));
  CHECK(found.answers[0].refused.empty());
  CHECK(found.answers[0].value == Interval(0));
}

TEST_CASE("forty independent pairs are forty small problems") {
  // Each: x + y <= 1 or not, weight 2 under it, in the unit square: 3/2.
  Problem problem;
  for (int i = 0; i < 80; ++i) {
    problem.terms.declare_real("x" + std::to_string(i));
    problem.integrated.push_back(true);
  }
  for (Variable i = 0; i < 80; ++i) {
    problem.assertions.push_back(problem.terms.less_equal(0, real(i)));
    problem.assertions.push_back(problem.terms.less_equal(real(i), 1));
    if (i % 2 == 0)
      problem.weights.push_back(
          {problem.terms.less_equal(real(i) + real(i + 1), 1), Polynomial(2)});
  }
  const Task task{problem, {wmi_of(truth), expectation(real(7) * real(12))}};
  const Solution found = solve(task, *make_split(), *make_triangulation({}));
  CHECK(found.answers[0].value == Interval(power(ratio(3, 2), 40)));
  // E[y] of a pair: (1/2 + 1/6) / (3/2) = 4/9, and so is E[x].
  CHECK(found.answers[1].value == Interval(ratio(16, 81)));
}

TEST_CASE("parts that differ in one number are integrated separately") {
  // x_i in [0, 1], weight a_i where x_i <= b_i, else 1: 1 + (a_i - 1) b_i.
  Problem problem;
  for (int i = 0; i < 6; ++i) {
    problem.terms.declare_real("x" + std::to_string(i));
    problem.integrated.push_back(true);
  }
  Rational expected = 1;
  for (Variable i = 0; i < 6; ++i) {
    problem.assertions.push_back(problem.terms.less_equal(0, real(i)));
    problem.assertions.push_back(problem.terms.less_equal(real(i), 1));
    const Rational a = 2 + i % 3, b = ratio(1, 2 + i / 3);
    problem.weights.push_back({problem.terms.less_equal(real(i), Polynomial(b)), Polynomial(a)});
    expected *= 1 + (a - 1) * b;
  }
  CHECK(answers({problem, {wmi_of(truth)}}, *make_split())[0] == Interval(expected));
}

TEST_CASE("Booleans that only scale the weight are summed, not enumerated") {
  Problem problem;
  const Polynomial x = real(problem.terms.declare_real("x"));
  problem.integrated = {true};
  problem.assertions = {problem.terms.less_equal(0, x), problem.terms.less_equal(x, 1)};
  Rational expected = 1;
  for (int i = 0; i < 30; ++i) {
    const Formula b = problem.terms.declare_boolean("b" + std::to_string(i));
    problem.weights.push_back({b, Polynomial(ratio(i, 7))});
    problem.weights.push_back({!b, x + 1});
  }
  CHECK(count_cells(problem, *make_split()) == 1);
  // The product over i of (i/7 + x + 1), from 0 to 1.
  Polynomial product(1);
  for (int i = 0; i < 30; ++i) product = product * (x + 1 + Polynomial(ratio(i, 7)));
  expected = 0;
  for (const Polynomial::Term& term : product.terms())
    expected += term.coefficient / (degree(term.monomial) + 1);
  CHECK(answers({problem, {wmi_of(truth)}}, *make_split())[0].lower == expected);
}

TEST_CASE("derived reals with syntactic definitions need no Z3, and have the same answers") {
  Random random(103);
  MESSAGE("seed " << random.seed());
  for (int i = 0; i < repetitions(100); ++i) {
    CAPTURE(i);
    Problem problem = random_problem(random, {2, 1, 4, 1, true});
    // z = |x| or so, u = z + y, declared after the others and pinned by assertions.
    Problem derived;
    for (int k = 0; k < 4; ++k) derived.terms.declare_real(std::string(1, "xyzu"[k]));
    derived.integrated = {true, true, false, false};
    Substitution substitution(problem.terms, derived.terms);
    for (Variable k = 0; k < 2; ++k) substitution.set_real(k, real(k));
    substitution.set_boolean(0, derived.terms.declare_boolean("b"));
    for (const Formula assertion : problem.assertions)
      derived.assertions.push_back(substitution(assertion));
    for (const Weight& weight : problem.weights)
      derived.weights.push_back({substitution(weight.condition), substitution(weight.value)});
    const Formula c = derived.terms.less(substitution(random_affine(random, problem)), 0);
    const Formula first =
                      derived.terms.equal(real(2), substitution(random_affine(random, problem))),
                  second = derived.terms.equal(real(2), Polynomial(random.rational()));
    if (i % 2 == 0) {
      derived.assertions.push_back(derived.terms.either(!c, first));
      derived.assertions.push_back(derived.terms.either(c, second));
    } else {
      derived.assertions.push_back(derived.terms.choice(c, first, second));
    }
    derived.assertions.push_back(derived.terms.equal(real(3) - real(2), real(1)));
    derived.assertions.push_back(derived.terms.less_equal(real(3), 1));
    const Goal goal{truth, {{Polynomial(1), 0}}, {}};
    CHECK(define(derived, std::span(&goal, 1)).has_value());
    const Task task{derived, {wmi_of(truth), expectation(real(3) + real(2) * real(0))}};
    CHECK(answers(task, *make_split()) == answers(task, *make_z3()));
  }
}

TEST_CASE("a derived real that two inequalities pin is handed over to Z3") {
  Problem problem;
  const Polynomial x = real(problem.terms.declare_real("x")),
                   z = real(problem.terms.declare_real("z"));
  problem.integrated = {true, false};
  problem.assertions = {problem.terms.less_equal(0, x), problem.terms.less_equal(x, 1),
                        problem.terms.less_equal(x, z), problem.terms.less_equal(z, x)};
  const Goal goal{truth, {{Polynomial(1), 0}}, {}};
  CHECK_FALSE(define(problem, std::span(&goal, 1)).has_value());
  CHECK(answers({problem, {expectation(z)}}, *make_split())[0].lower == ratio(1, 2));
}

TEST_CASE("a region with too many vertices is handed over to Z3") {
  // A cube in 13 dimensions has 2^13 vertices; tied together by one form it would be one block.
  constexpr int n = 13;
  static_assert((1 << n) > ProductRegion::max_generators);
  Problem problem;
  Polynomial sum;
  for (int i = 0; i < n; ++i) {
    const Polynomial x = real(problem.terms.declare_real("x" + std::to_string(i)));
    problem.integrated.push_back(true);
    problem.assertions.push_back(problem.terms.less_equal(0, x));
    problem.assertions.push_back(problem.terms.less_equal(x, 1));
    sum += x;
  }
  CHECK_THROWS_AS(
      [&] {
        ProductRegion region(n);
        for (Variable i = 0; i < n; ++i) region = region.above(LinearForm(real(i)));
        for (Variable i = 0; i < n; ++i) region = region.below(LinearForm(real(i) - 1));
        (void)region.cut(LinearForm(sum - 6));
      }(),
      TooManyVertices);
  const Formula small = problem.terms.less(sum, 6);
  problem.weights.push_back({small, Polynomial(2)});
  const Goal goal{truth, {{Polynomial(1), 0}}, {}};
  const auto cells = make_split()->start(problem, std::span(&goal, 1), {});
  std::vector<Polynomial> weights;
  while (const std::optional<Cell> cell = cells->next()) {
    CHECK(std::holds_alternative<std::vector<Halfspace>>(std::get<PlainCell>(cell->kind).bounds));
    weights.insert(weights.end(), cell->integrands.begin(), cell->integrands.end());
  }
  CHECK((weights == std::vector<Polynomial>{1, 2} || weights == std::vector<Polynomial>{2, 1}));
}

TEST_CASE("scalar products of two hundred entries are exact") {
  // 2^60 - 2 <= x_0 <= ... <= x_199 <= 2^60 - 1, and a form with coefficients of 60 bits that is
  // positive there: with or without it the volume is 1/200!, and a free Boolean doubles it.
  constexpr int n = 200;
  Problem problem;
  const Rational huge = power(Rational(2), 60);
  Polynomial sum;
  for (int i = 0; i < n; ++i) {
    const Polynomial x = real(problem.terms.declare_real("x" + std::to_string(i)));
    problem.integrated.push_back(true);
    problem.assertions.push_back(
        i == 0 ? problem.terms.less_equal(Polynomial(huge - 2), x)
               : problem.terms.less_equal(real(static_cast<Variable>(i - 1)), x));
    sum += Polynomial(Rational(huge - i)) * x;
  }
  problem.assertions.push_back(problem.terms.less_equal(real(n - 1), Polynomial(huge - 1)));
  const Formula b = problem.terms.declare_boolean("b");
  problem.assertions.push_back(problem.terms.either(b, problem.terms.less_equal(-1, sum)));
  const Goal goal{truth, {{Polynomial(1), 0}}, {}};
  const auto cells = make_split()->start(problem, std::span(&goal, 1), {});
  Polynomial weight;
  while (const std::optional<Cell> cell = cells->next())
    for (const Polynomial& integrand : cell->integrands) weight += integrand;
  CHECK(weight == Polynomial(2));
}

TEST_CASE("conjunctions that share their parts are not multiplied out") {
  Problem problem;
  const Polynomial x = real(problem.terms.declare_real("x"));
  problem.integrated = {true};
  problem.assertions = {problem.terms.less_equal(0, x), problem.terms.less_equal(x, 1)};
  Formula shared = problem.terms.declare_boolean("b");
  for (int i = 0; i < 60; ++i) {
    const Formula p = problem.terms.declare_boolean("p" + std::to_string(i)),
                  q = problem.terms.declare_boolean("q" + std::to_string(i));
    shared = problem.terms.both(problem.terms.both(shared, p), problem.terms.both(shared, q));
  }
  problem.assertions.push_back(shared);
  CHECK(answers({problem, {wmi_of(truth)}}, *make_split())[0] == Interval(1));
}

TEST_CASE("weights in variables of their own multiply, not expand") {
  // The product of (x_i + 1) has 2^40 terms; each integral is 3/2. The Booleans: 1 + 1/2.
  Problem problem;
  for (int i = 0; i < 40; ++i) {
    problem.terms.declare_real("x" + std::to_string(i));
    problem.integrated.push_back(true);
  }
  for (Variable i = 0; i < 40; ++i) {
    problem.assertions.push_back(problem.terms.less_equal(0, real(i)));
    problem.assertions.push_back(problem.terms.less_equal(real(i), 1));
    if (i % 2 == 0)
      problem.weights.push_back({truth, real(i) + 1});
    else
      problem.weights.push_back({problem.terms.declare_boolean("b" + std::to_string(i)), real(i)});
  }
  const Task task{problem, {wmi_of(truth), expectation(real(0) * real(2) + real(1))}};
  const Solution found = solve(task, *make_split(), *make_auto({}));
  CHECK(found.answers[0].value == Interval(power(ratio(3, 2), 40)));
  // E[x_0] = (1/3 + 1/2) / (3/2) = 5/9, and E[x_1] = (1/2 + 1/3) / (3/2), the same.
  CHECK(found.answers[1].value == Interval(ratio(25, 81) + ratio(5, 9)));
}

TEST_CASE("an infinite region is refused also where the sum over Booleans cancels") {
  Problem problem;
  const Polynomial x = real(problem.terms.declare_real("x"));
  problem.integrated = {true};
  problem.assertions = {problem.terms.less_equal(0, x)};
  problem.weights = {{problem.terms.declare_boolean("a"), Polynomial(-1)}};
  const Formula event = problem.terms.less(x, 3);
  for (const EnumeratorEntry& entry : enumerators()) {
    CAPTURE(entry.name);
    const Solution found =
        solve({problem, {wmi_of(truth), wmi_of(event)}}, *entry.make(), *make_auto({}));
    CHECK(found.answers[0].refused == "region is unbounded in direction (1); bound 'x' above");
    CHECK(found.answers[1].value == Interval(0));
  }
}

TEST_CASE("an atom that no longer matters is not split on") {
  // If x < 0 the weight is 1; elsewhere it depends on ten atoms.
  Problem problem;
  const Polynomial x = real(problem.terms.declare_real("x"));
  problem.integrated = {true};
  problem.assertions = {problem.terms.less_equal(-1, x), problem.terms.less_equal(x, 1)};
  Polynomial steps(1);
  for (int i = 1; i <= 10; ++i)
    steps = problem.terms.choice(problem.terms.less(x, ratio(i, -20)), Polynomial(i), steps);
  problem.weights = {{truth, problem.terms.choice(problem.terms.less(x, 0), 1, steps)}};
  CHECK(count_cells(problem, *make_split()) == 2);
  CHECK(count_cells(problem, *make_split()) <= count_cells(problem, *make_z3()));
}

}  // namespace
}  // namespace wmi::tests
