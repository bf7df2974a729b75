#include "solver/smooth/boundary_terms.h"

#include <doctest/doctest.h>

namespace wmi {
namespace {

const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);

BoundaryTerms terms(const Polynomial& factor, const Polynomial& exponent, std::size_t dimension,
                    const std::vector<Halfspace>& facets) {
  SmoothIntegrand integrand;
  integrand.dimension = dimension;
  integrand.factor = factor;
  integrand.exponent = exponent;
  return boundary_terms(integrand, *normal_law(exponent, dimension), facets);
}

TEST_CASE("the second moment beyond 1 is the mass, and a value at 1") {
  // The integral of x^2 e^(-x^2/2) from 1 on is that of e^(-x^2/2), plus 1 e^(-1/2).
  const auto found = terms(x * x, ratio(-1, 2) * (x * x), 1, {{{-1}, -1}});
  CHECK(found.constant == 1);
  REQUIRE(found.facets.size() == 1);
  CHECK(found.facets[0].scale == 1);
  CHECK(found.facets[0].integrand.dimension == 0);
  CHECK(found.facets[0].integrand.factor == 1);
  CHECK(found.facets[0].integrand.exponent == Polynomial(ratio(-1, 2)));
}

TEST_CASE("a mean is that of the law, and integrals along the facets") {
  // x e^(-(x-3)^2/2 - y^2/2) where 2x + y <= 4 and y >= 0: 3 times the mass, and on the slanted side
  // minus e^q with dx dy -> dy: the outward normal is (2, 1), its pivot x. On the other side C n has
  // no component of x.
  const Polynomial q = ratio(-1, 2) * ((x - 3) * (x - 3) + y * y);
  const auto found = terms(x, q, 2, {{{2, 1}, 4}, {{0, -1}, 0}});
  CHECK(found.constant == 3);
  REQUIRE(found.facets.size() == 1);
  const BoundaryTerms::Facet& facet = found.facets[0];
  CHECK(facet.scale * facet.integrand.factor.constant_term() == -1);
  const Polynomial z = x;                        // y, as the only coordinate there
  const Polynomial along = 2 - ratio(1, 2) * z;  // x
  CHECK(facet.integrand.exponent == ratio(-1, 2) * ((along - 3) * (along - 3) + z * z));
  CHECK(facet.halfspaces == std::vector<Halfspace>{{{-1}, 0}});
}

TEST_CASE("moments of the whole space have no facets") {
  // E[x^2 y^2] = 1 + 2 c^2 with variances 1 and covariance c = 1/2: precision (4/3, -2/3).
  const Polynomial q = ratio(-2, 3) * (x * x + y * y - x * y);
  const auto found = terms(x * x * y * y, q, 2, {});
  CHECK(found.constant == ratio(3, 2));
  CHECK(found.facets.empty());
}

}  // namespace
}  // namespace wmi
