#pragma once

#include <map>

#include "solver/geometry/enclosed_form.h"
#include "solver/terms/enclosed_polynomial.h"
#include "solver/terms/polynomial.h"

namespace wmi {

/// A polynomial whose coefficients are known as midpoints with radii, in doubles: every operation
/// adds its own rounding to the radii.
///
///     const BallPolynomial third(ratio(1, 3));
///     (third * third).enclosed();  // contains 1/9
class BallPolynomial {
 public:
  BallPolynomial() = default;  // 0
  explicit BallPolynomial(const Rational& constant);
  /// In so many coordinates. A form that is at most `error` off anywhere in the box [-1, 1]^n has
  /// coefficients that are at most `error` off.
  BallPolynomial(const EnclosedForm& form, std::size_t coordinates);

  BallPolynomial& operator+=(const BallPolynomial& other);
  friend BallPolynomial operator*(const BallPolynomial& a, const BallPolynomial& b);

  EnclosedPolynomial enclosed() const;

 private:
  struct Ball {
    double midpoint = 0, radius = 0;

    Ball& operator+=(const Ball& other);
    Ball operator*(const Ball& other) const;
  };

  std::map<Monomial, Ball> coefficients_;
};

BallPolynomial power(const BallPolynomial& base, unsigned exponent);

}  // namespace wmi
