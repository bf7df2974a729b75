#include "solver/laws/vertex_cones.h"

#include <doctest/doctest.h>

#include <array>

#include "solver/integrator.h"
#include "solver/laws/law.h"
#include "tests/solver/random_problem.h"

namespace wmi::tests {
namespace {

using Knot = TruncatedPowers::Knot;

Polynomial x(Variable variable) { return Polynomial::variable(variable); }

std::optional<std::vector<TruncatedPowers>> images(const Polytope& region, const Polynomial& weight,
                                                   const Polynomial& form) {
  return images_by_cones(region, std::span(&weight, 1), LinearForm(form));
}

const Polytope triangle(2, {{{-1, 0}, 0}, {{0, -1}, 0}, {{1, 1}, 1}});

TEST_CASE("each vertex of a triangle is a knot of the law over it") {
  // x + 2y is 0, 1, 2 at the vertices, and along the edges there 1 and 2, -1 and 1, -2 and -1.
  const auto found = images(triangle, 1, x(0) + 2 * x(1));
  REQUIRE(found);
  CHECK((*found)[0].knots() ==
        std::vector<Knot>{{0, {0, 0, ratio(1, 2)}}, {1, {0, 0, -1}}, {2, {0, 0, ratio(1, 2)}}});
}

TEST_CASE("a weight of a higher degree has knots of several orders") {
  // y = s/2 on [0, 2]: s/2 ds/2, that is (s)_+/4 - (s - 2)_+/4 - (s - 2)_+^0/2.
  const auto found = images(Polytope(1, {{{-1}, 0}, {{1}, 1}}), x(0), 2 * x(0));
  REQUIRE(found);
  CHECK((*found)[0].knots() ==
        std::vector<Knot>{{0, {0, 0, ratio(1, 4)}}, {2, {0, ratio(-1, 2), ratio(-1, 4)}}});
}

TEST_CASE("in 0 dimensions all mass is at the constant") {
  const auto found = images(Polytope(0, {}), 3, 7);
  REQUIRE(found);
  CHECK((*found)[0].knots() == std::vector<Knot>{{7, {3}}});
}

TEST_CASE("a form that is constant along an edge has no law from cones") {
  CHECK_FALSE(images(triangle, 1, x(0)));
  CHECK_FALSE(images(triangle, 1, 5));
}

TEST_CASE("a vertex on too many facets has no law from cones") {
  const Polytope pyramid(
      3, {{{0, 0, -1}, 0}, {{1, 0, 1}, 1}, {{-1, 0, 1}, 1}, {{0, 1, 1}, 1}, {{0, -1, 1}, 1}});
  REQUIRE(pyramid.vertex_count() == 5);
  CHECK_FALSE(images(pyramid, 1, 3 * x(0) + 5 * x(1) + 7 * x(2)));
}

TEST_CASE("laws from cones have the moments of the form") {
  Random random(47);
  MESSAGE("seed " << random.seed());
  const std::unique_ptr<Integrator> reference = make_triangulation({});
  int found_ones = 0;
  for (int i = 0; i < 150; ++i) {
    CAPTURE(i);
    const auto n = static_cast<std::size_t>(random.integer(1, 4));
    std::vector<Halfspace> halfspaces;
    for (std::size_t j = 0; j < n; ++j)
      for (const int sign : {-1, 1}) {
        Halfspace side{std::vector<Rational>(n), ratio(random.integer(3, 9), 3)};
        side.normal[j] = sign;
        halfspaces.push_back(std::move(side));
      }
    for (int cuts = random.integer(0, 3); cuts > 0; --cuts) {
      Halfspace cut{std::vector<Rational>(n), random.integer(0, 3)};
      for (Rational& entry : cut.normal) entry = random.integer(-7, 7);
      halfspaces.push_back(std::move(cut));
    }
    const Polytope region(n, halfspaces);
    if (region.flat()) continue;
    std::array<Polynomial, 2> weights{ratio(random.integer(1, 5), 7), 1};
    Polynomial form(ratio(random.integer(-5, 5), 3));
    for (Variable v = 0; v < n; ++v) form += Polynomial(ratio(random.integer(-9, 9), 2)) * x(v);
    for (int factors = random.integer(0, 3); factors > 0; --factors)
      weights[1] = weights[1] * (x(0) * random.integer(-2, 2) + x(n - 1) + random.integer(-2, 2));
    const auto laws = images_by_cones(region, weights, LinearForm(form));
    if (!laws) continue;
    ++found_ones;
    for (std::size_t w = 0; w < weights.size(); ++w) {
      const Law law((*laws)[w]);
      CHECK(law.atoms().empty());
      Polynomial integrand = weights[w];
      for (unsigned order = 0; order < 7; ++order) {
        CHECK(law.moment(order) == reference->integrate(std::array{integrand}, region)[0].lower);
        integrand = integrand * form;
      }
    }
  }
  CHECK(found_ones > 50);
}

}  // namespace
}  // namespace wmi::tests
