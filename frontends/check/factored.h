#pragma once

#include <span>
#include <vector>

#include "solver/interval.h"
#include "solver/polynomial.h"

namespace wmi::check {

inline constexpr std::size_t nowhere = ~std::size_t{0};

/// Integrands over a product of parts: sums of products of monomials, one of each part. So their
/// integrals are sums of products.
///
///     Factored both({x * y + x * y * y}, {0, 1}, 2);  // x is of part 0, y of part 1
///     both.monomials;                                 // {x}; {y, y^2}
struct Factored {
  struct Term {
    std::size_t integrand;
    Rational coefficient;
    std::vector<std::size_t> factors;  // which monomial, by part
  };

  /// Throws Rejected where a variable is nowhere.
  Factored(std::span<const Polynomial> integrands, const std::vector<std::size_t>& part_of,
           std::size_t parts);

  /// The integrals, given those of the monomials.
  std::vector<Interval> sums(const std::vector<std::vector<Interval>>& integrals) const;

  std::vector<std::vector<Monomial>> monomials;  // by part, each once
  std::vector<Term> terms;
  std::size_t integrands;
};

}  // namespace wmi::check
