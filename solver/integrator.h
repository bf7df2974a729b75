#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "solver/geometry/enclosed_polytope.h"
#include "solver/geometry/polytope.h"
#include "solver/geometry/region.h"
#include "solver/terms/enclosed_polynomial.h"
#include "solver/terms/interval.h"
#include "solver/terms/nested_polynomial.h"
#include "solver/terms/polynomial.h"

namespace wmi {

/// Integrates polynomials over a polytope; the variables of an integrand are its coordinates.
class Integrator {
 public:
  virtual ~Integrator() = default;

  /// All integrands at once: they share the region's moments. The true integral always lies
  /// in its interval; exact backends return points. Safe to call from several threads.
  virtual std::vector<Interval> integrate(std::span<const Polynomial> integrands,
                                          const Polytope& region) const = 0;

  /// The same over a region in doubles; nullopt if that is not good enough.
  virtual std::optional<std::vector<Interval>> enclose(
      std::span<const EnclosedPolynomial> /*integrands*/,
      const EnclosedPolytope& /*region*/) const {
    return std::nullopt;
  }

  /// The integrals of a weight that is not multiplied out, times each factor, over a region that is
  /// not flat; nullopt if it should be multiplied out.
  virtual std::optional<std::vector<Interval>> enclose(const NestedPolynomial& /*weight*/,
                                                       std::span<const Polynomial> /*factors*/,
                                                       const Region& /*region*/) const {
    return std::nullopt;
  }
};

struct IntegratorOptions {
  unsigned precision = 128;  // bits of a rounded integrator's mantissa
  unsigned digits = 0;       // of each integral over each region that suffice; 0: exact
  bool wide_cells = false;   // over a region in doubles, any enclosure suffices
};

struct IntegratorEntry {
  std::string_view name;
  std::string_view description;
  std::unique_ptr<Integrator> (*make)(const IntegratorOptions& options);
};

/// The table of backends; the first is the default.
std::span<const IntegratorEntry> integrators();

std::unique_ptr<Integrator> make_triangulation(const IntegratorOptions& options);
std::unique_ptr<Integrator> make_face_lattice(const IntegratorOptions& options);
std::unique_ptr<Integrator> make_auto(const IntegratorOptions& options);
std::unique_ptr<Integrator> make_mpfr(const IntegratorOptions& options);

}  // namespace wmi
