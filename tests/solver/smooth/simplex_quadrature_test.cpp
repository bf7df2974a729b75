#include "solver/smooth/simplex_quadrature.h"

#include <doctest/doctest.h>

#include "solver/terms/error.h"
#include "tests/solver/integrators/integrals.h"

namespace wmi::tests {
namespace {

Polynomial coordinate(Variable i) { return Polynomial::variable(i); }

/// The Taylor polynomial of e^t, and a bound of its remainder for |t| <= 1.
Polynomial taylor(const Polynomial& t, unsigned degree) {
  Polynomial result(1), term(1);
  for (unsigned k = 1; k <= degree; ++k) {
    term = ratio(1, k) * (term * t);
    result += term;
  }
  return result;
}
Rational remainder(unsigned degree) {
  Rational factorial = 1;
  for (unsigned k = 2; k <= degree + 1; ++k) factorial *= Rational(static_cast<unsigned long>(k));
  return 3 / factorial;
}

TEST_CASE(
    "random integrals of e^t are those of its Taylor polynomial, give or take the remainder") {
  constexpr unsigned degree = 14;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    RandomRegion random(seed);
    const std::size_t n = 1 + seed % 3;
    const Polytope region(n, random.region(n, 2));
    if (region.flat()) continue;
    // A form that is at most 1 in size on the region.
    Polynomial form;
    for (Variable i = 0; i < n; ++i)
      form += ratio(static_cast<long>(seed * (i + 3) % 7) - 3, 2) * coordinate(i);
    Rational most = 1;
    for (const Point& vertex : region.vertices())
      most = std::max(most, Rational(abs(form.at(vertex))));
    form *= 1 / most;
    if (seed % 2 == 0 && n > 1) form = form * form;  // a quadratic exponent
    const SmoothIntegrand given = smooth_products(
        coordinate(static_cast<Variable>(n)),
        std::vector<AppliedFunction>{{static_cast<Variable>(n), Function::exp, -form}}, n)[0];
    const Ball found = integrate_over_simplices(given, region, 8);
    const Rational expected = exact(taylor(-form, degree), region);
    const Rational error = remainder(degree) * exact(Polynomial(1), region);
    const Interval enclosure = interval(found);
    CHECK(enclosure.lower <= expected + error);
    CHECK(expected - error <= enclosure.upper);
    CHECK(enclosure.upper - enclosure.lower <= expected / 100'000'000);
  }
}

TEST_CASE("an enclosure with more digits lies in one with fewer") {
  const Polynomial x = coordinate(0), y = coordinate(1);
  const Polytope triangle(2, {{{-1, 0}, 0}, {{0, -1}, 0}, {{1, 1}, 3}});
  for (const Function function :
       {Function::sigmoid, Function::tanh, Function::erf, Function::reciprocal, Function::log}) {
    CAPTURE(static_cast<int>(function));
    const SmoothIntegrand given = smooth_products(
        (x + 1) * coordinate(2),
        std::vector<AppliedFunction>{{2, function, 1 + x * x + ratio(1, 2) * y}}, 2)[0];
    const Interval rough = interval(integrate_over_simplices(given, triangle, 4)),
                   fine = interval(integrate_over_simplices(given, triangle, 14));
    CHECK(rough.lower <= fine.lower);
    CHECK(fine.upper <= rough.upper);
    CHECK(has_digits(fine, 13));
  }
}

TEST_CASE("an integrand with a pole in the region is refused") {
  const SmoothIntegrand given = smooth_products(
      coordinate(1), std::vector<AppliedFunction>{{1, Function::reciprocal, coordinate(0)}}, 1)[0];
  CHECK_THROWS_WITH_AS(integrate_over_simplices(given, Polytope(1, {{{-1}, 1}, {{1}, 2}}), 4),
                       doctest::Contains("cannot be shown to converge"), Error);
  const SmoothIntegrand root = smooth_products(
      coordinate(1), std::vector<AppliedFunction>{{1, Function::sqrt, coordinate(0)}}, 1)[0];
  CHECK_THROWS_AS(integrate_over_simplices(root, Polytope(1, {{{-1}, 1}, {{1}, 2}}), 4), Error);
}

}  // namespace
}  // namespace wmi::tests
