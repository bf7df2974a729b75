#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/geometry/halfspace.h"
#include "solver/laws/univariate.h"
#include "solver/smooth/smooth_integrand.h"

namespace wmi {

/// The least value of b.x on the region (normal . x <= bound). nullopt unless b.x grows in all
/// directions in which the region is unbounded.
std::optional<Rational> least_on(const Point& b, std::span<const Halfspace> region);

/// Bounds of terms with functions on a region that may be unbounded, from the ranges of the functions
/// alone. Private to the solver's sources.
class TermBounds {
 public:
  /// Both must outlive this.
  TermBounds(const SmoothIntegrand& integrand, std::span<const Halfspace> region)
      : integrand_(integrand), region_(region) {}

  /// The term is at least, and at most, this; nullopt where no bound is known.
  std::optional<Rational> least(const Polynomial& term) const;
  std::optional<Rational> most(const Polynomial& term) const;

  /// An upper bound of the term's size where each coordinate's size is at most a polynomial in s.
  /// Throws Error that names a function without one.
  Univariate size(const Polynomial& term, const std::vector<Univariate>& coordinates) const;
  /// Of a power of a function.
  Univariate size(const Power& power, const std::vector<Univariate>& coordinates) const;

 private:
  struct Range {
    std::optional<Rational> least, most;
  };

  Range range(const AppliedFunction& applied) const;
  /// Of a product of functions.
  Range range(const Monomial& monomial) const;
  const AppliedFunction& function(Variable variable) const;

  const SmoothIntegrand& integrand_;
  std::span<const Halfspace> region_;
};

}  // namespace wmi
