// The pipeline against an independent brute force, and against the laws that every weighted model
// integral obeys, on random problems: degenerate more often than not.

#include "solver/solve.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "solver/terms/substitution.h"
#include "tests/solver/brute_force.h"
#include "tests/solver/exact_values.h"
#include "tests/solver/random_problem.h"

namespace wmi::tests {
namespace {

int repetitions(int usual) { return std::getenv("WMI_LONG") != nullptr ? 10 * usual : usual; }

Polynomial real(Variable variable) { return Polynomial::variable(variable); }

/// The problem in other variables: x_i = values[i], over the reals that `terms` declares.
Problem substituted(const Problem& problem, Terms terms, const std::vector<Polynomial>& values) {
  Problem result;
  Substitution substitution(problem.terms, terms);
  for (Variable i = 0; i < values.size(); ++i) substitution.set_real(i, values[i]);
  for (std::uint32_t i = 0; i < problem.terms.boolean_count(); ++i)
    substitution.set_boolean(i, terms.declare_boolean(problem.terms.boolean_name(i)));
  for (const Formula assertion : problem.assertions)
    result.assertions.push_back(substitution(assertion));
  for (const Weight& weight : problem.weights)
    result.weights.push_back({substitution(weight.condition), substitution(weight.value)});
  result.integrated = problem.integrated;
  result.terms = std::move(terms);
  return result;
}

Terms fresh_reals(std::size_t count) {
  Terms terms;
  for (std::size_t i = 0; i < count; ++i) terms.declare_real("u" + std::to_string(i));
  return terms;
}

TEST_CASE("the pipeline agrees with brute force in one to three dimensions") {
  Random random(1);
  MESSAGE("seed " << random.seed());
  struct Round {
    Shape shape;
    int count;
  };
  for (const Round& round : {Round{{1, 2, 8, 2, true}, 400}, Round{{2, 1, 4, 1, true}, 150},
                             Round{{3, 1, 4, 0, true}, 12}}) {
    for (int i = 0; i < repetitions(round.count); ++i) {
      CAPTURE(i);
      Problem problem = random_problem(random, round.shape);
      const Formula event = random_formula(random, problem, 1);
      const std::vector<Rational> found = values(problem, {wmi_of(truth), wmi_of(event)});
      CHECK(found[0] == brute_force(problem));
      CHECK(found[1] == brute_force(problem, event));
    }
  }
}

TEST_CASE("the integrals over an event and its complement add up to the whole") {
  Random random(2);
  for (int i = 0; i < repetitions(100); ++i) {
    CAPTURE(i);
    Problem problem = random_problem(random, {random.integer(1, 4), 2, 8, 1, true});
    const Formula event = random_formula(random, problem, 2);
    const std::vector<Rational> found =
        values(problem, {wmi_of(truth), wmi_of(event), wmi_of(!event)});
    CHECK(found[0] == found[1] + found[2]);
    problem.assertions.push_back(event);
    CHECK(wmi(problem) == found[1]);
  }
}

TEST_CASE("a hyperplane that splits every cell changes nothing") {
  Random random(3);
  for (int i = 0; i < repetitions(100); ++i) {
    CAPTURE(i);
    Problem problem = random_problem(random, {random.integer(1, 4), 1, 8, 1, true});
    const Rational whole = wmi(problem);
    const Formula side = problem.terms.less(random_affine(random, problem), 0);
    const Polynomial factor(random.rational());
    problem.weights.push_back({side, factor});
    problem.weights.push_back({!side, factor});
    CHECK(wmi(problem) == factor.constant_term() * whole);
  }
}

TEST_CASE("the order of the variables does not matter") {
  Random random(4);
  for (int i = 0; i < repetitions(60); ++i) {
    CAPTURE(i);
    const Problem problem = random_problem(random, {3, 2, 8, 1, true});
    const Problem turned = substituted(problem, fresh_reals(3), {real(2), real(0), real(1)});
    CHECK(wmi(turned) == wmi(problem));
  }
}

TEST_CASE("an affine change of variables costs its determinant") {
  Random random(5);
  for (int i = 0; i < repetitions(60); ++i) {
    CAPTURE(i);
    const Problem problem = random_problem(random, {2, 1, 8, 1, true});
    const Rational a = random.rational(), b = random.rational(), c = random.rational(),
                   d = random.rational(), determinant = a * d - b * c;
    if (determinant == 0) continue;
    const Problem changed = substituted(
        problem, fresh_reals(2),
        {Polynomial(a) * real(0) + Polynomial(b) * real(1) + Polynomial(random.rational()),
         Polynomial(c) * real(0) + Polynomial(d) * real(1) + Polynomial(random.rational())});
    CHECK(wmi(changed) * abs(determinant) == wmi(problem));
  }
}

TEST_CASE("the integral is linear in the weight") {
  Random random(6);
  for (int i = 0; i < repetitions(60); ++i) {
    CAPTURE(i);
    Problem problem = random_problem(random, {random.integer(1, 3), 1, 8, 1, false});
    const Polynomial first = random_polynomial(random, problem, 3),
                     second = random_polynomial(random, problem, 3);
    const auto weighted = [&](const Polynomial& weight) {
      Problem copy = problem;
      copy.weights.push_back({truth, weight});
      return wmi(copy);
    };
    CHECK(weighted(first + Polynomial(3) * second) == weighted(first) + 3 * weighted(second));
  }
}

TEST_CASE("a free Boolean doubles the integral") {
  Random random(7);
  for (int i = 0; i < repetitions(30); ++i) {
    CAPTURE(i);
    Problem problem = random_problem(random, {2, 1, 8, 1, true});
    const Rational once = wmi(problem);
    problem.terms.declare_boolean("free");
    CHECK(wmi(problem) == 2 * once);
  }
}

TEST_CASE("a choice is the same defined by ite or derived by implications") {
  Random random(8);
  for (int i = 0; i < repetitions(100); ++i) {
    CAPTURE(i);
    Problem defined = random_problem(random, {random.integer(1, 2), 1, 4, 0, false});
    const Formula condition = random_formula(random, defined, 1);
    const Polynomial then = random_affine(random, defined), other = random_affine(random, defined);
    Problem derived = defined;
    const Polynomial z = defined.terms.choice(condition, then, other);
    const auto number = static_cast<Variable>(derived.integrated.size());
    if (derived.terms.real_count() != number) continue;
    derived.terms.declare_real("z");
    derived.integrated.push_back(false);
    derived.assertions.push_back(
        derived.terms.either(!condition, derived.terms.equal(real(number), then)));
    derived.assertions.push_back(
        derived.terms.either(condition, derived.terms.equal(real(number), other)));
    std::vector<Query> asked, asked_derived;
    for (const Comparison comparison :
         {Comparison::less, Comparison::less_equal, Comparison::equal}) {
      asked.push_back(wmi_of(defined.terms.compare(z - Polynomial(1), comparison)));
      asked_derived.push_back(
          wmi_of(derived.terms.compare(real(number) - Polynomial(1), comparison)));
    }
    defined.weights.push_back({truth, z * z});
    derived.weights.push_back({truth, real(number) * real(number)});
    CHECK(values(defined, asked) == values(derived, asked_derived));
  }
}

TEST_CASE("a density is the slice of the measure, divided by the slope") {
  Random random(9);
  for (int i = 0; i < repetitions(60); ++i) {
    CAPTURE(i);
    // u = a x + b y, so x = (u - b y) / a: the density of a x + b y at c is the slice u = c.
    Problem problem = random_problem(random, {2, 1, 4, 1, false});
    const Rational a = random.integer(1, 3), b = random.integer(-2, 2), at = random.rational();
    Query density;
    density.kind = Query::Kind::density;
    density.term = Polynomial(a) * real(0) + Polynomial(b) * real(1);
    density.at = at;
    if (wmi(problem) == 0) continue;
    const Rational found = values(problem, {density})[0];
    Problem changed =
        substituted(problem, fresh_reals(2),
                    {Polynomial(Rational(1 / a)) * (real(0) - Polynomial(b) * real(1)), real(1)});
    density.term = real(0);
    CHECK(values(changed, {density})[0] == found);
    // The derivative of the distribution function: exact where it is quadratic, from the right.
    const Rational h = ratio(1, 1'000'000'000);
    const auto within = [&](const Rational& width) -> Rational {
      return brute_force(changed,
                         changed.terms.both(changed.terms.less(Polynomial(at), real(0)),
                                            changed.terms.less(real(0), Polynomial(at + width)))) /
             brute_force(changed);
    };
    // A mass m(h) = p h + q h^2 on a piece of degree 1: p = (4 m(h/2) - m(h)) / h.
    const Rational slope = (4 * within(h / 2) - within(h)) / h;
    CHECK(abs(slope - found) < ratio(1, 1'000'000));
  }
}

}  // namespace
}  // namespace wmi::tests
