#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "solver/terms/interval.h"
#include "solver/terms/polynomial.h"

namespace wmi {

/// Polynomials over a product of regions, each in coordinates of its own: the integral of a monomial
/// is the product of the integrals of its parts over the factors.
///
///     const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);
///     Factored square({{0}, {1}});
///     square.add(x * y + x);
///     square.monomials(0);  // x
///     square.monomials(1);  // y and 1, its coordinate numbered 0
class Factored {
 public:
  /// The coordinates of each factor, ascending.
  explicit Factored(std::vector<std::vector<Variable>> coordinates);

  /// A polynomial in all coordinates.
  void add(const Polynomial& polynomial);

  std::size_t factor_count() const { return factors_.size(); }
  const std::vector<Variable>& coordinates(std::size_t factor) const {
    return factors_[factor].coordinates;
  }
  /// The monomials to be integrated over a factor, its coordinates numbered 0, 1, ...
  const std::vector<Polynomial>& monomials(std::size_t factor) const {
    return factors_[factor].monomials;
  }

  /// The integral of each polynomial that was added, given those of the factors' monomials.
  std::vector<Interval> integrals(const std::vector<std::vector<Interval>>& of_factors) const;

 private:
  struct Factor {
    std::vector<Variable> coordinates;
    std::map<Monomial, std::size_t> numbers;
    std::vector<Polynomial> monomials;

    std::size_t index(const Monomial& monomial);
  };

  std::vector<Factor> factors_;
  std::vector<std::vector<Rational>> coefficients_;  // of the terms of each polynomial
  std::vector<std::size_t> indices_;                 // of monomials: for each term, each factor
};

}  // namespace wmi
