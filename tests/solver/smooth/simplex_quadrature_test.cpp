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

const Polytope square(2, {{{-1, 0}, 1}, {{1, 0}, 1}, {{0, -1}, 1}, {{0, 1}, 1}});

TEST_CASE("a sigmoid as steep as a step is integrated") {
  // s(t) + s(-t) = 1: half of the volume, by symmetry.
  const Polytope interval_around_0(1, {{{-1}, 1}, {{1}, 1}});
  for (const long slope : {100L, 100'000'000L}) {
    CAPTURE(slope);
    const SmoothIntegrand one = smooth_products(
        coordinate(1),
        std::vector<AppliedFunction>{{1, Function::sigmoid, Rational(slope) * coordinate(0)}},
        1)[0];
    const Interval on_line = interval(integrate_over_simplices(one, interval_around_0, 8));
    CHECK(on_line.contains(1));
    CHECK(has_digits(on_line, 8));
    const Polynomial form = Rational(slope) * (coordinate(0) + ratio(1, 3) * coordinate(1));
    const SmoothIntegrand two = smooth_products(
        coordinate(2), std::vector<AppliedFunction>{{2, Function::sigmoid, form}}, 2)[0];
    const Interval in_plane = interval(integrate_over_simplices(two, square, 6));
    CHECK(in_plane.contains(2));
    CHECK(has_digits(in_plane, 6));
  }
}

TEST_CASE("a narrow peak that no corner sees is found") {
  // e^(-x^2 / 2 d^2) / (d sqrt(2 pi)) s(xy + x) over the square: the mean of s is 1/2, by symmetry.
  for (const long inverse : {10L, 1'000L, 100'000L}) {
    CAPTURE(inverse);
    const Polynomial x = coordinate(0), y = coordinate(1);
    const std::vector<AppliedFunction> functions{{2, Function::normal, Rational(inverse) * x},
                                                 {3, Function::sigmoid, x * y + x}};
    const SmoothIntegrand given =
        smooth_products(Rational(inverse) * (coordinate(2) * coordinate(3)), functions, 2)[0];
    // Without the constant 1 / sqrt(2 pi) of the normal density.
    const Interval found = interval(integrate_over_simplices(given, square, 6));
    CHECK(found.lower > ratio(2'506'628, 1'000'000));
    CHECK(found.upper < ratio(2'506'629, 1'000'000));
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
