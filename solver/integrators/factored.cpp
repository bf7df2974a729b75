#include "solver/integrators/factored.h"

#include <algorithm>
#include <utility>

#include "solver/terms/accumulator.h"

namespace wmi {

Factored::Factored(std::vector<std::vector<Variable>> coordinates) {
  factors_.reserve(coordinates.size());
  for (std::vector<Variable>& of_factor : coordinates)
    factors_.push_back({std::move(of_factor), {}, {}});
}

/// The number of the monomial's part among the monomials of the factor.
std::size_t Factored::Factor::index(const Monomial& monomial) {
  Monomial part;
  for (const Power& power : monomial) {
    const auto found = std::lower_bound(coordinates.begin(), coordinates.end(), power.variable);
    if (found != coordinates.end() && *found == power.variable)
      part.push_back({static_cast<Variable>(found - coordinates.begin()), power.exponent});
  }
  const auto [entry, fresh] = numbers.try_emplace(part, monomials.size());
  if (fresh) monomials.push_back(Polynomial({{part, Rational(1)}}));
  return entry->second;
}

void Factored::add(const Polynomial& polynomial) {
  std::vector<Rational>& coefficients = coefficients_.emplace_back();
  for (const Polynomial::Term& term : polynomial.terms()) {
    coefficients.push_back(term.coefficient);
    for (Factor& factor : factors_) indices_.push_back(factor.index(term.monomial));
  }
}

std::vector<Interval> Factored::integrals(
    const std::vector<std::vector<Interval>>& of_factors) const {
  std::vector<Interval> result;
  std::size_t next = 0;
  for (const std::vector<Rational>& coefficients : coefficients_) {
    Accumulator sum;
    for (const Rational& coefficient : coefficients) {
      Interval product(coefficient);
      for (const std::vector<Interval>& of_factor : of_factors)
        product = product * of_factor[indices_[next++]];
      sum.add(std::move(product));
    }
    result.push_back(sum.total());
  }
  return result;
}

}  // namespace wmi
