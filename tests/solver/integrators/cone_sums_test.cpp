#include "solver/integrators/cone_sums.h"

#include <doctest/doctest.h>

#include "solver/integrator.h"
#include "tests/solver/random_problem.h"

namespace wmi::tests {
namespace {

/// A cube [0, 1]^n cut by random halfspaces.
Polytope random_polytope(Random& random, std::size_t n, int cuts) {
  std::vector<Halfspace> sides;
  for (std::size_t i = 0; i < n; ++i) {
    Point axis(n);
    axis[i] = 1;
    sides.push_back({axis, 1});
    axis[i] = -1;
    sides.push_back({axis, 0});
  }
  for (int cut = 0; cut < cuts; ++cut) {
    Point normal(n);
    for (Rational& entry : normal) entry = random.integer(-9, 9);
    sides.push_back({normal, ratio(random.integer(3, 19), 3)});
  }
  return Polytope(n, sides);
}

TEST_CASE("the cones at the vertices give the integrals of the face lattice") {
  Random random(59);
  CAPTURE(random.seed());
  const std::unique_ptr<Integrator> reference = make_face_lattice({});
  int answered = 0;
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const auto n = static_cast<std::size_t>(random.integer(1, 5));
    const Polytope region = random_polytope(random, n, random.integer(0, 3));
    if (region.flat()) continue;
    const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(Variable(n - 1));
    const std::vector<Polynomial> integrands = {1, x * y * y - 2 * x + ratio(1, 3), Polynomial(),
                                                power(x + y, 4)};
    const auto found = integrate_by_cones(integrands, region);
    if (!found) continue;  // not simple
    ++answered;
    const std::vector<Interval> expected = reference->integrate(integrands, region);
    CHECK(*found == expected);
    const auto enclosed = integrate_by_cones(integrands, region, 12);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CHECK((*enclosed)[i].contains(expected[i].lower));
      CHECK(has_digits((*enclosed)[i], 12));
    }
  }
  CHECK(answered > 30);
}

TEST_CASE("a vertex on more than n facets is left to others") {
  // A pyramid: |x| + z <= 1, |y| + z <= 1, z >= 0, whose apex is on four facets.
  const Polytope pyramid(
      3, {{{1, 0, 1}, 1}, {{-1, 0, 1}, 1}, {{0, 1, 1}, 1}, {{0, -1, 1}, 1}, {{0, 0, -1}, 0}});
  const Polynomial one(1);
  CHECK(!integrate_by_cones(std::span(&one, 1), pyramid));
}

TEST_CASE("cones are preferred in high dimensions with many vertices, at low degrees") {
  std::vector<Halfspace> sides;
  constexpr std::size_t n = 11;
  for (std::size_t i = 0; i < n; ++i)
    for (const int sign : {1, -1}) {
      Point axis(n);
      axis[i] = sign;
      sides.push_back({axis, 1});
    }
  const Polytope cube(n, sides);
  CHECK(prefers_cones(cube, 2));
  CHECK(!prefers_cones(cube, 40));
  CHECK(!prefers_cones(Polytope(1, {{{1}, 1}, {{-1}, 0}}), 0));
}

}  // namespace
}  // namespace wmi::tests
