#pragma once

#include <cstddef>
#include <vector>

#include "solver/terms/rational.h"

namespace wmi {

/// A polynomial in one variable with rational coefficients.
///
///     const Univariate p({1, 0, 3});  // 1 + 3 x^2
///     p.at(2);                        // 13
class Univariate {
 public:
  Univariate() = default;
  /// Ascending in the power of the variable.
  explicit Univariate(std::vector<Rational> coefficients);

  static Univariate constant(const Rational& value) { return Univariate(std::vector{value}); }

  /// Ascending; the last is not 0, and the zero polynomial has none.
  const std::vector<Rational>& coefficients() const { return coefficients_; }
  bool zero() const { return coefficients_.empty(); }
  /// 0 for the zero polynomial.
  std::size_t degree() const { return coefficients_.empty() ? 0 : coefficients_.size() - 1; }

  Rational at(const Rational& x) const;
  Univariate derivative() const;
  /// The antiderivative with value 0 at 0.
  Univariate antiderivative() const;
  /// The integral of x^order times the polynomial from a to b.
  Rational integral(const Rational& a, const Rational& b, unsigned order = 0) const;
  /// The polynomial in y after substituting x = factor * y + constant.
  Univariate composed(const Rational& factor, const Rational& constant) const;

  Univariate& operator+=(const Univariate& other);
  Univariate& operator-=(const Univariate& other);
  Univariate& operator*=(const Rational& factor);

  friend bool operator==(const Univariate&, const Univariate&) = default;

 private:
  void trim();

  std::vector<Rational> coefficients_;
};

Univariate operator+(Univariate a, const Univariate& b);
Univariate operator-(Univariate a, const Univariate& b);
Univariate operator*(const Univariate& a, const Univariate& b);
Univariate operator*(const Rational& factor, Univariate a);

}  // namespace wmi
