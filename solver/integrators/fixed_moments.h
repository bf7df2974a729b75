#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "solver/geometry/polytope.h"
#include "solver/integrators/fixed_point.h"
#include "solver/integrators/monomial_rows.h"

namespace wmi {

/// The moments of a polytope, rounded: with i-th coordinate u_i = x_i / 2^scales[i], the integral of
/// u^m dx is a number times 2^exponent `scale`, wrong by at most `error` in units of the last bit.
template <std::size_t width>
struct FixedMoments {
  MonomialRows monomials;
  std::vector<fixed_point::Number<width>> numbers;  // below 2^(64 width - 1)
  long exponent = 0;
  double error = 0;
  Integer scale;
};

/// Requires a polytope that is not flat, with all u_i in [-1, 1]. Throws PlanTooLarge.
template <std::size_t width>
FixedMoments<width> fixed_moments(const Polytope& polytope, std::span<const long> scales,
                                  MonomialRows monomials);

}  // namespace wmi
