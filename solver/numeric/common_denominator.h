#pragma once

#include <span>
#include <vector>

#include "solver/numeric/flint.h"

namespace wmi {

/// Fractions as integers over their least common denominator, to reckon with; they may then be over
/// any other one. Private to the solver's sources, as `Fmpz` is.
struct CommonDenominator {
  std::vector<Fmpz> numerators;
  Fmpz denominator;

  explicit CommonDenominator(std::span<const Rational* const> numbers);
  explicit CommonDenominator(std::span<const Rational> numbers);

  /// Taken for the coefficients of a polynomial in x, ascending: those in y, with x = (f y + c)/q.
  void compose(const fmpz* f, const fmpz* c, const fmpz* q);
};

}  // namespace wmi
