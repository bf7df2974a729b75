#pragma once

#include <span>
#include <utility>
#include <vector>

#include "solver/terms/polynomial.h"

namespace wmi {

/// constant + sum of coefficient * variable, by ascending variable, without zero coefficients.
struct LinearForm {
  std::vector<std::pair<Variable, Rational>> coefficients;
  Rational constant;

  LinearForm() = default;
  /// Requires a degree of at most 1.
  explicit LinearForm(const Polynomial& polynomial);

  bool is_constant() const { return coefficients.empty(); }
  /// 0 if the variable does not occur.
  Rational coefficient(Variable variable) const;
  Rational at(std::span<const Rational> point) const;
  Polynomial polynomial() const;

  /// Multiplies by a positive number, so that all numbers are coprime integers.
  void make_primitive();

  friend bool operator==(const LinearForm&, const LinearForm&) = default;
};

LinearForm operator-(LinearForm form);

}  // namespace wmi
