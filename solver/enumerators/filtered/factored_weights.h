#pragma once

#include <optional>
#include <vector>

#include "solver/smooth/exponential_density.h"
#include "solver/terms/problem.h"

namespace wmi {

/// The weights of a problem as polynomials and a density: those with smooth functions are a product
/// of normal densities and exponentials of single reals, everywhere.
struct FactoredWeights {
  std::vector<Weight> polynomials;
  std::optional<ExponentialDensity> density;  // of the reals; nullopt: 1

  /// nullopt if weights with smooth functions are of any other kind. Requires that all declared reals
  /// are integrated.
  static std::optional<FactoredWeights> of(const Problem& problem);
};

}  // namespace wmi
