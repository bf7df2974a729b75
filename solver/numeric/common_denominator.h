#pragma once

#include <span>
#include <vector>

#include "solver/numeric/flint.h"

namespace wmi {

/// Fractions as integers over a common denominator: the least one, until arithmetic changes it.
/// Private to the solver's sources, like `Fmpz`.
struct CommonDenominator {
  std::vector<Fmpz> numerators;
  Fmpz denominator;

  explicit CommonDenominator(std::span<const Rational* const> numbers);
  explicit CommonDenominator(std::span<const Rational> numbers);

  /// Treats the numbers as coefficients of a polynomial in x, ascending, and substitutes
  /// x = (f y + c)/q.
  void compose(const fmpz* f, const fmpz* c, const fmpz* q);
};

}  // namespace wmi
