#include "solver/smooth/triangulated.h"

#include <doctest/doctest.h>

#include "solver/integrator.h"
#include "tests/solver/integrators/integrals.h"

namespace wmi::tests {
namespace {

/// The sum of the volumes, each as that of a polytope of its own.
Rational volume(const Polytope& polytope) {
  const std::vector<Point> vertices = polytope.vertices();
  const std::size_t n = polytope.dimension();
  Rational sum = 0;
  for (const std::vector<std::size_t>& simplex : triangulated(polytope)) {
    REQUIRE(simplex.size() == n + 1);
    std::vector<Point> rows;
    for (std::size_t i = 1; i <= n; ++i) {
      rows.push_back(vertices[simplex[i]]);
      for (std::size_t j = 0; j < n; ++j) rows.back()[j] -= vertices[simplex[0]][j];
    }
    Rational product = 1;  // the determinant, by elimination
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t pivot = i;
      while (pivot < n && rows[pivot][i] == 0) ++pivot;
      REQUIRE(pivot < n);
      std::swap(rows[pivot], rows[i]);
      product *= rows[i][i] / Rational(static_cast<unsigned long>(i + 1));
      for (std::size_t k = i + 1; k < n; ++k) {
        const Rational factor = rows[k][i] / rows[i][i];
        for (std::size_t j = i; j < n; ++j) rows[k][j] -= factor * rows[i][j];
      }
    }
    sum += abs(product);
  }
  return sum;
}

TEST_CASE("simplices have the volume of the polytope, also of degenerate ones") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    RandomRegion random(seed);
    const std::size_t n = 1 + seed % 4;
    const Polytope polytope(n, random.region(n, 3));
    if (!polytope.flat()) CHECK(volume(polytope) == exact(Polynomial(1), polytope));
  }
  for (const std::size_t n : {2, 3, 4}) {
    const Polytope cross(n, cross_polytope(n));
    CHECK(volume(cross) == exact(Polynomial(1), cross));
  }
  CHECK(triangulated(Polytope(3, cube(3, 0, 1))).size() == 6);
}

}  // namespace
}  // namespace wmi::tests
