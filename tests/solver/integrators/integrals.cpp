#include "tests/solver/integrators/integrals.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <utility>

#include "solver/integrator.h"

namespace wmi::tests {

Rational factorial(unsigned n) { return n == 0 ? Rational(1) : n * factorial(n - 1); }

Polynomial monomial(const std::vector<unsigned>& exponents) {
  Monomial result;
  for (Variable j = 0; j < exponents.size(); ++j)
    if (exponents[j] > 0) result.push_back({j, exponents[j]});
  return Polynomial({{result, 1}});
}

Rational exact(const Polynomial& integrand, const Polytope& region) {
  const Interval found = make_triangulation({})->integrate(std::array{integrand}, region)[0];
  CHECK(found.exact());
  return found.lower;
}

void check_integral(const Polynomial& integrand, const Polytope& region, const Rational& expected) {
  CHECK(exact(integrand, region) == expected);
  for (const IntegratorEntry& entry : integrators()) {
    CAPTURE(entry.name);
    CHECK(entry.make({})->integrate(std::array{integrand}, region)[0].contains(expected));
  }
}

void check_agreement(const std::vector<Polynomial>& integrands, const Polytope& region) {
  const std::vector<Interval> expected = make_triangulation({})->integrate(integrands, region);
  for (const IntegratorEntry& entry : integrators()) {
    CAPTURE(entry.name);
    const std::vector<Interval> found = entry.make({})->integrate(integrands, region);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i].contains(expected[i].lower));
      if (entry.name != "mpfr") CHECK(found[i] == expected[i]);
    }
  }
  for (const unsigned digits : {4u, 10u, 25u}) {
    CAPTURE(digits);
    const std::vector<Interval> found =
        make_auto({.digits = digits})->integrate(integrands, region);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i].contains(expected[i].lower));
      CHECK((found[i].upper - found[i].lower) * power(Rational(10), digits) <=
            abs(expected[i].lower));
    }
  }
}

Polynomial affine(const std::vector<Rational>& coefficients, const Rational& constant) {
  Polynomial result = constant;
  for (Variable j = 0; j < coefficients.size(); ++j)
    result += coefficients[j] * Polynomial::variable(j);
  return result;
}

Rational iterated(const Polynomial& integrand, std::size_t dimension,
                  const std::vector<Halfspace>& halfspaces) {
  using Bound = std::pair<std::vector<Rational>, Rational>;  // sum of first . x, plus second
  if (dimension == 0) {
    for (const Halfspace& halfspace : halfspaces)
      if (halfspace.bound < 0) return 0;
    return integrand.constant_term();
  }
  const std::size_t last = dimension - 1;
  std::vector<Halfspace> others;
  std::vector<Bound> lower, upper;
  for (const Halfspace& halfspace : halfspaces) {
    const Rational& head = halfspace.normal[last];
    const std::vector<Rational> rest(halfspace.normal.begin(), halfspace.normal.end() - 1);
    if (head == 0) {
      others.push_back({rest, halfspace.bound});
      if (std::count(rest.begin(), rest.end(), 0) == static_cast<std::ptrdiff_t>(last) &&
          halfspace.bound < 0)
        return 0;
      continue;
    }
    Bound bound{rest, halfspace.bound / head};
    for (Rational& entry : bound.first) entry = -entry / head;
    std::vector<Bound>& side = head > 0 ? upper : lower;
    if (std::find(side.begin(), side.end(), bound) == side.end()) side.push_back(bound);
  }
  Polynomial antiderivative;
  for (const Polynomial::Term& term : integrand.terms()) {
    Monomial raised = term.monomial;
    if (raised.empty() || raised.back().variable != last)
      raised.push_back({static_cast<Variable>(last), 0});
    const Rational coefficient = term.coefficient / ++raised.back().exponent;
    antiderivative += Polynomial({{raised, coefficient}});
  }
  const auto at = [&](const Bound& bound) {
    return antiderivative.substitute([&](Variable variable) {
      return variable == last ? affine(bound.first, bound.second) : Polynomial::variable(variable);
    });
  };
  const auto at_most = [&](const Bound& a, const Bound& b) {
    Halfspace result{a.first, b.second - a.second};
    for (std::size_t j = 0; j < last; ++j) result.normal[j] -= b.first[j];
    return result;
  };
  Rational sum;
  for (const Bound& from : lower)
    for (const Bound& to : upper) {
      std::vector<Halfspace> piece = others;
      piece.push_back(at_most(from, to));
      for (const Bound& other : lower)
        if (other != from) piece.push_back(at_most(other, from));
      for (const Bound& other : upper)
        if (other != to) piece.push_back(at_most(to, other));
      sum += iterated(at(to) - at(from), last, piece);
    }
  return sum;
}

Polynomial RandomRegion::polynomial(std::size_t dimension, unsigned degree, int terms) {
  Polynomial result;
  for (int i = 0; i < terms; ++i) {
    Polynomial term = numbers(1, 9)[0];
    for (unsigned d = engine_() % (degree + 1); d > 0; --d)
      term = term * Polynomial::variable(static_cast<Variable>(engine_() % dimension));
    result += term;
  }
  return result;
}

}  // namespace wmi::tests
