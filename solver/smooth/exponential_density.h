#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solver/geometry/normalised_box.h"
#include "solver/numeric/ball.h"
#include "solver/smooth/smooth_integrand.h"

namespace wmi {

/// A product of functions e^(a y^2 + b y + c), a <= 0, of single coordinates y, times e^constant and
/// (2 pi)^(-normals/2): independent normal laws and exponentials.
struct ExponentialDensity {
  struct Exponent {
    Rational square, linear, constant;
  };

  std::vector<Exponent> exponents;  // of each coordinate
  unsigned normals = 0;
  double average = 0;  // of the product in the box [-1, 1]^n; after `in` alone
  Rational constant = 0;

  /// nullopt if it is no such product. The polynomial factor of the integrand is left out.
  static std::optional<ExponentialDensity> of(const SmoothIntegrand& integrand);

  std::size_t dimension() const { return exponents.size(); }
  /// The same function of the coordinates u of the box, y = centre + half_width * u; each function
  /// is at most 1 there, and 1 somewhere.
  ExponentialDensity in(const NormalisedBox& box) const;

  /// Without factors of their own: e^constant (2 pi)^(-normals/2).
  Ball factor() const;
  /// The integral over a box with these ends.
  Ball mass(std::span<const Rational> lower, std::span<const Rational> upper) const;
  /// The same where ends may be missing; nullopt if it is infinite.
  std::optional<Ball> mass(std::span<const std::optional<Rational>> lower,
                           std::span<const std::optional<Rational>> upper) const;
  /// An upper bound of its values in the box.
  Rational most(std::span<const double> lower, std::span<const double> upper) const;
};

}  // namespace wmi
