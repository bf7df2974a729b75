#include "solver/smooth/density_integral.h"

#include <doctest/doctest.h>

#include <vector>

#include "solver/smooth/convex_region.h"
#include "solver/smooth/smooth_integrator.h"
#include "solver/smooth/stop_scope.h"
#include "tests/solver/geometry/shapes.h"
#include "tests/solver/integrators/enclosed_regions.h"
#include "tests/solver/integrators/integrals.h"

namespace wmi::tests {
namespace {

Polynomial coordinate(Variable i) { return Polynomial::variable(i); }

EnclosedPolytope in_cube(const Polytope& region, double radius = 0, const Move& move = {}) {
  const std::vector<double> centre(region.dimension(), 0), half_width(region.dimension(), 1);
  return enclosed(region, centre, half_width, radius, move);
}

/// Independent standard normal laws, scaled: u is so many deviations.
ExponentialDensity normal(std::size_t n, const Rational& deviations) {
  ExponentialDensity result{{}, static_cast<unsigned>(n), 0, 0};
  for (std::size_t k = 0; k < n; ++k)
    result.exponents.push_back({-deviations * deviations / 2, 0, 0});
  return result;
}

std::vector<Interval> found(const ExponentialDensity& density, const EnclosedPolytope& region,
                            double share, const std::vector<Polynomial>& integrands = {1}) {
  std::vector<EnclosedPolynomial> enclosing(integrands.begin(), integrands.end());
  const auto result = integrate_under_density(enclosing, region, density, {share});
  REQUIRE(result.has_value());
  return *result;
}

/// u_1 <= u_2 <= ... in a cube: one of the n! parts that are equal by symmetry.
std::vector<Halfspace> ascending(std::size_t n) {
  std::vector<Halfspace> result = cube(n, -1, 1);
  for (std::size_t k = 0; k + 1 < n; ++k) {
    result.push_back({std::vector<Rational>(n), 0});
    result.back().normal[k] = 1;
    result.back().normal[k + 1] = -1;
  }
  return result;
}

TEST_CASE("parts of a cube that are equal by symmetry have equal masses under a normal law") {
  for (std::size_t n = 2; n <= 5; ++n)
    for (const double share : {0.3, 1e-2, 1e-4, 1e-6}) {
      if (n == 5 && share < 1e-2) continue;
      CAPTURE(n);
      CAPTURE(share);
      const ExponentialDensity density = normal(n, ratio(3, 2));
      const Interval whole = found(density, in_cube(Polytope(n, cube(n, -1, 1))), 1e-9)[0];
      CHECK(has_digits(whole, 13));  // closed form
      Interval part = found(density, in_cube(Polytope(n, ascending(n))), share)[0];
      for (std::size_t k = 2; k <= n; ++k)
        part = part * Interval(Rational(static_cast<unsigned long>(k)));
      CHECK(part.lower <= whole.upper);
      CHECK(whole.lower <= part.upper);
      if (share <= 1e-2) CHECK(part.upper - part.lower <= Rational(3 * share) * whole.upper);
    }
}

TEST_CASE("integrals are those of certified quadrature in exact numbers") {
  int regions = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    RandomRegion random(seed);
    const std::size_t n = 1 + seed % 2;
    const std::vector<Halfspace> shape = random.cell(n, 3, 5);
    const Polytope region(n, shape);
    if (region.flat()) continue;
    ExponentialDensity density;
    SmoothIntegrand integrand;
    integrand.dimension = n;
    for (Variable k = 0; k < n; ++k) {
      const Rational square = -abs(ratio(random.number(6), 2)), linear = ratio(random.number(4), 2),
                     constant = ratio(random.number(3), 3);
      density.exponents.push_back({square, linear, constant});
      integrand.exponent += square * coordinate(k) * coordinate(k) + linear * coordinate(k);
      integrand.exponent += Polynomial(constant);
    }
    CHECK(ExponentialDensity::of(integrand)->exponents.size() == n);
    const std::vector<Polynomial> integrands =
        seed % 2 == 0 ? std::vector<Polynomial>{1, ratio(-3, 7)}
                      : std::vector<Polynomial>{1, coordinate(0), random.dense(n, 2)};
    constexpr double radii[] = {0, 1e-15, 1e-6};
    constexpr double shares[] = {1e-1, 1e-4, 1e-7, 1e-9};
    const double radius = radii[seed % 3], share = shares[seed % 4];
    const Move move = [&](const Point&, std::size_t) { return ratio(random.number(16), 16); };
    const std::vector<Interval> got =
        found(density, in_cube(region, radius, move), share, integrands);
    std::vector<Polynomial> exact;
    const AppliedFunction exponential{static_cast<Variable>(n), Function::exp, integrand.exponent};
    for (const Polynomial& factor : integrands)
      exact.push_back(factor * coordinate(static_cast<Variable>(n)));
    const std::vector<Interval> expected =
        integrate_smooth(exact, std::span(&exponential, 1), n, shape, 9).integrals;
    for (std::size_t i = 0; i < got.size(); ++i) {
      CHECK(got[i].lower <= expected[i].upper);
      CHECK(expected[i].lower <= got[i].upper);
      if (radius < 1e-9)
        CHECK(got[i].upper - got[i].lower <= Rational(10 * share + 1e-9) * expected[0].upper * 9);
    }
    ++regions;
  }
  CHECK(regions > 25);
}

TEST_CASE("a region that takes too many bisections is left to others") {
  const ExponentialDensity steep = normal(3, 2000);
  const EnclosedPolytope region = in_cube(Polytope(3, ascending(3)));
  const EnclosedPolynomial one{Polynomial(1)};
  CHECK_FALSE(integrate_under_density(std::span(&one, 1), region, steep, {1e-12, 2'000}));
}

TEST_CASE("a law far from the origin, in coordinates that are not normalised, is one near it") {
  // Deviations of 1/100 around 1000 and -3: exponents of size 5e9, which cancel.
  ExponentialDensity far{{}, 2, 0, 0};
  const NormalisedBox box{{1000, -3}, {0.03125, 0.0625}};
  for (std::size_t k = 0; k < 2; ++k) {
    const Rational mean(box.centre[k]);
    far.exponents.push_back({-5000, 10'000 * mean, 0});
    far.constant -= 5000 * mean * mean;
  }
  const ExponentialDensity near = far.in(box);
  CHECK(near.constant == 0);
  const Interval half =
      found(near, in_cube(Polytope(2, {{{1, 1}, 0}, {{-1, 0}, 1}, {{0, -1}, 1}})), 1e-8)[0];
  const Interval whole = found(near, in_cube(Polytope(2, cube(2, -1, 1))), 1e-8)[0];
  CHECK((half + half - whole).contains(0));
  CHECK(has_digits(half, 7));
}

TEST_CASE("after a stop, what is left counts with bounds") {
  std::stop_source source;
  source.request_stop();
  const std::stop_token token = source.get_token();
  const ExponentialDensity density = normal(3, ratio(3, 2));
  const EnclosedPolytope region = in_cube(Polytope(3, ascending(3)));
  const Interval known = found(density, region, 1e-6)[0];
  const StopScope scope(token);
  const Interval wide = found(density, region, 1e-6)[0];
  CHECK(wide.lower <= known.lower);
  CHECK(known.upper <= wide.upper);
  CHECK(wide.upper - wide.lower > 10 * (known.upper - known.lower));
  CHECK(wide.upper < 8);
}

}  // namespace
}  // namespace wmi::tests
