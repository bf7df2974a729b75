#pragma once

#include <vector>

#include "solver/geometry/halfspace.h"
#include "solver/smooth/normal_law.h"
#include "solver/smooth/smooth_integrand.h"

namespace wmi {

/// The integral of a polynomial times a normal density e^q over a region, as a number times that of e^q
/// and one integral for each facet, in one coordinate less. For x^2 e^(-x^2/2) where x >= 1 the number is
/// 1, and at the facet x = 1 there is e^(-1/2).
struct BoundaryTerms {
  struct Facet {
    Rational scale;
    SmoothIntegrand integrand;
    std::vector<Halfspace> halfspaces;
  };

  Rational constant;
  std::vector<Facet> facets;  // where there is something to integrate
};

/// Requires one halfspace for each facet, and the law of the integrand's exponent.
BoundaryTerms boundary_terms(const SmoothIntegrand& integrand, const NormalLaw& law,
                             const std::vector<Halfspace>& facets);

}  // namespace wmi
