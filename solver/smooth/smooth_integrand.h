#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "solver/terms/applied_function.h"
#include "solver/terms/polynomial.h"

namespace wmi {

/// One product of smooth functions:
///
///     factor(x) * e^exponent(x) * (2 pi)^(-normals/2) * the product of powers of functions
///
/// The coordinates have the numbers 0 ... dimension-1, the functions those that follow. All
/// exponentials and normal densities are in the exponent; where functions are nested, it depends on
/// functions as well.
struct SmoothIntegrand {
  std::size_t dimension = 0;
  Polynomial factor;
  Polynomial exponent;
  unsigned normals = 0;
  std::vector<AppliedFunction> functions;  // arguments before functions of them
  std::vector<Power> powers;               // of functions
  bool roots_defined = false;              // known: nothing under a root is negative in the region

  /// Is it the factor alone?
  bool polynomial() const { return exponent.zero() && normals == 0 && powers.empty(); }
  /// Is it a polynomial times e to another one?
  bool exponential() const { return functions.empty(); }

  friend bool operator==(const SmoothIntegrand&, const SmoothIntegrand&) = default;
};

/// The products that a polynomial in coordinates and functions is the sum of. Of functions with equal
/// arguments there is one.
std::vector<SmoothIntegrand> smooth_products(const Polynomial& integrand,
                                             std::span<const AppliedFunction> functions,
                                             std::size_t dimension);

/// The sets of coordinates, ascending, that the functions of the product connect, or one of
/// `blocks`: the product is one of integrands in disjoint sets of coordinates.
std::vector<std::vector<Variable>> independent_coordinates(
    const SmoothIntegrand& integrand, std::span<const std::vector<Variable>> blocks);

/// The part of the product in some coordinates, numbered 0, 1, ..., with this monomial as a factor;
/// they are one of the independent sets, and constants are in the first of them.
SmoothIntegrand restricted(const SmoothIntegrand& integrand,
                           const std::vector<Variable>& coordinates, const Monomial& monomial,
                           bool first);

}  // namespace wmi
