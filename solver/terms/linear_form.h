#pragma once

#include <span>
#include <utility>
#include <vector>

#include "solver/terms/polynomial.h"

namespace wmi {

/// constant + sum of coefficient * variable; by ascending variable, no coefficient 0.
struct LinearForm {
  std::vector<std::pair<Variable, Rational>> coefficients;
  Rational constant;

  LinearForm() = default;
  /// Requires degree 1 at most.
  explicit LinearForm(const Polynomial& polynomial);

  bool is_constant() const { return coefficients.empty(); }
  /// 0 where the variable does not occur.
  Rational coefficient(Variable variable) const;
  Rational at(std::span<const Rational> point) const;
  Polynomial polynomial() const;

  /// Multiplies by a positive number so that all numbers are integers without a common factor.
  void make_primitive();

  friend bool operator==(const LinearForm&, const LinearForm&) = default;
};

LinearForm operator-(LinearForm form);

}  // namespace wmi
