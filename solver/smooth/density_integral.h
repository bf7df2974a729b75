#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/geometry/enclosed_polytope.h"
#include "solver/smooth/exponential_density.h"
#include "solver/terms/enclosed_polynomial.h"
#include "solver/terms/interval.h"

namespace wmi {

/// How well integrals under a density are to be known.
struct DensityAim {
  /// The density may be off by this share of its value, or of its average, whatever is more.
  double share = 1e-10;
  std::size_t most_pieces = 1'000'000;
};

/// The integrals of polynomials times a density over a polytope whose vertices are enclosed; both in
/// its normalised coordinates (centre 0, half-widths 1). The region is bisected until polynomials of
/// low degree are as near to the density as asked. Enclosures may be wider than that where vertices
/// are not known well.
///
/// nullopt as for `enclose_integrals`, or if it takes too many bisections. After a stop
/// (stop_scope.h), what is left counts with bounds of the density.
std::optional<std::vector<Interval>> integrate_under_density(
    std::span<const EnclosedPolynomial> integrands, const EnclosedPolytope& region,
    const ExponentialDensity& density, const DensityAim& aim);

}  // namespace wmi
