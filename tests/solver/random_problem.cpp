#include "tests/solver/random_problem.h"

#include <cstdlib>

namespace wmi::tests {

Random::Random(unsigned offset) {
  const char* given = std::getenv("WMI_SEED");
  seed_ = (given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : 20231u);
  engine_.seed(seed_ + offset);
}

int Random::integer(int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(engine_);
}

Rational Random::rational() {
  if (chance(2)) return ratio(integer(-9, 9), 1'000'000'007);
  if (chance(2)) return Rational(integer(-9, 9)) * 1'000'000'007;
  return ratio(integer(-6, 6), chance(60) ? 1 : integer(1, 5));
}

Polynomial random_affine(Random& random, const Problem& problem) {
  Polynomial result(Rational(random.integer(-2, 2)));
  for (Variable variable = 0; variable < problem.terms.real_count(); ++variable)
    if (random.chance(60))
      result += Polynomial(Rational(random.integer(-2, 2))) * Polynomial::variable(variable);
  return result;
}

Polynomial random_polynomial(Random& random, const Problem& problem, int degree) {
  Polynomial result(random.rational());
  for (int term = 0; term < 2; ++term) {
    Polynomial product(random.rational());
    const int factors = random.integer(0, degree);
    for (int factor = 0; factor < factors; ++factor)
      product = product * Polynomial::variable(static_cast<Variable>(
                              random.integer(0, static_cast<int>(problem.terms.real_count()) - 1)));
    result += product;
  }
  return result;
}

Formula random_formula(Random& random, Problem& problem, int depth) {
  const int booleans = static_cast<int>(problem.terms.boolean_count());
  if (depth == 0 || random.chance(20)) {
    if (booleans > 0 && random.chance(30)) {
      const Formula boolean =
          problem.terms.boolean(static_cast<std::uint32_t>(random.integer(0, booleans - 1)));
      return random.chance(50) ? boolean : !boolean;
    }
    const Formula atom = problem.terms.compare(random_affine(random, problem),
                                               random.chance(10)   ? Comparison::equal
                                               : random.chance(50) ? Comparison::less
                                                                   : Comparison::less_equal);
    return random.chance(50) ? atom : !atom;
  }
  const Formula a = random_formula(random, problem, depth - 1);
  const Formula b = random_formula(random, problem, depth - 1);
  switch (random.integer(0, 3)) {
    case 0:
      return problem.terms.both(a, b);
    case 1:
      return problem.terms.either(a, b);
    case 2:
      return problem.terms.choice(a, b, !b);
    default:
      return problem.terms.choice(a, b, random_formula(random, problem, depth - 1));
  }
}

Problem random_problem(Random& random, const Shape& shape) {
  Problem problem;
  for (int i = 0; i < shape.reals; ++i) {
    problem.terms.declare_real("x" + std::to_string(i));
    problem.integrated.push_back(true);
  }
  for (int i = 0; i < shape.booleans; ++i) problem.terms.declare_boolean("b" + std::to_string(i));
  for (int i = 0; i < shape.reals; ++i) {
    const Polynomial x = Polynomial::variable(static_cast<Variable>(i));
    const int low = random.integer(-2, 0);
    problem.assertions.push_back(problem.terms.less_equal(low, x));
    problem.assertions.push_back(problem.terms.less_equal(x, low + random.integer(1, 3)));
  }
  for (int i = 0; i < shape.definitions; ++i) {
    const Formula condition = random_formula(random, problem, 1);
    problem.terms.choice(condition, random_affine(random, problem), random_affine(random, problem));
  }
  for (int i = 0; i < shape.atoms / 4; ++i)
    problem.assertions.push_back(problem.terms.either(random_formula(random, problem, 2),
                                                      random_formula(random, problem, 1)));
  if (shape.weights) {
    problem.weights.push_back({truth, random_polynomial(random, problem, 2)});
    problem.weights.push_back(
        {random_formula(random, problem, 1), random_polynomial(random, problem, 1)});
  }
  return problem;
}

Query wmi_of(Formula event) {
  Query query;
  query.kind = Query::Kind::wmi;
  query.event = event;
  return query;
}

/// Of the reference enumerator and integrator, with which the others must agree: the enumerators
/// each time, the integrators in turn; enclosures must hold the value.

}  // namespace wmi::tests
