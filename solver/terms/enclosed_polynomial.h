#pragma once

#include <vector>

#include "solver/terms/polynomial.h"

namespace wmi {

/// An interval with ends in doubles.
struct DoubleInterval {
  double lower = 0;
  double upper = 0;

  friend bool operator==(const DoubleInterval&, const DoubleInterval&) = default;
};

/// The smallest such interval that contains the number; its ends are infinite beyond all doubles.
DoubleInterval round_outwards(const Rational& value);

/// All polynomials whose coefficients lie in given intervals.
///
///     const EnclosedPolynomial third(Polynomial(ratio(1, 3)));
///     third.constant();             // true
///     third.terms()[0].lower < third.terms()[0].upper;
class EnclosedPolynomial {
 public:
  struct Term {
    Monomial monomial;
    double lower;
    double upper;
  };

  /// Several terms may have the same monomial.
  explicit EnclosedPolynomial(std::vector<Term> terms);
  explicit EnclosedPolynomial(const Polynomial& polynomial);

  const std::vector<Term>& terms() const { return terms_; }
  bool constant() const;

 private:
  std::vector<Term> terms_;
};

}  // namespace wmi
