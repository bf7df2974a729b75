#pragma once

#include <flint/fmpq_poly.h>

#include <cstddef>

#include "solver/laws/univariate.h"
#include "solver/terms/polynomial.h"
#include "solver/terms/rational.h"

namespace wmi {

/// A polynomial in one variable: integers over one denominator, in FLINT's fast arithmetic. For
/// degrees of a hundred, where `Univariate` with its fractions is slow. Private to the solver's
/// sources, like `Fmpz`.
class DensePolynomial {
 public:
  DensePolynomial() { fmpq_poly_init(value_); }
  explicit DensePolynomial(const Rational& constant);
  explicit DensePolynomial(const Univariate& polynomial);
  DensePolynomial(const DensePolynomial& other) : DensePolynomial() {
    fmpq_poly_set(value_, other.value_);
  }
  DensePolynomial(DensePolynomial&& other) noexcept : DensePolynomial() {
    fmpq_poly_swap(value_, other.value_);
  }
  DensePolynomial& operator=(DensePolynomial other) noexcept {
    fmpq_poly_swap(value_, other.value_);
    return *this;
  }
  ~DensePolynomial() { fmpq_poly_clear(value_); }

  bool zero() const { return fmpq_poly_is_zero(value_); }
  /// 0 for the zero polynomial.
  std::size_t degree() const;
  void set_coefficient(std::size_t power, const Rational& coefficient);

  Rational at(const Rational& x) const;
  /// The antiderivative with value 0 at 0.
  DensePolynomial antiderivative() const;
  /// The polynomial in y after substituting x = factor * y + constant.
  DensePolynomial composed(const Rational& factor, const Rational& constant) const;
  /// Times a power of the variable.
  DensePolynomial shifted(std::size_t power) const;

  Univariate univariate() const;
  /// The same in a variable of a polynomial in several.
  Polynomial polynomial(Variable variable) const;

  DensePolynomial& operator+=(const DensePolynomial& other);
  DensePolynomial& operator-=(const DensePolynomial& other);
  friend DensePolynomial operator*(const DensePolynomial& a, const DensePolynomial& b);
  /// The integral of a b over an interval, without their product's antiderivative in lowest terms.
  friend Rational integral_of_product(const DensePolynomial& a, const DensePolynomial& b,
                                      const Rational& from, const Rational& to);
  friend bool operator==(const DensePolynomial& a, const DensePolynomial& b) {
    return fmpq_poly_equal(a.value_, b.value_);
  }

 private:
  fmpq_poly_t value_;
};

}  // namespace wmi
