#include "solver/smooth/normal_law.h"

namespace wmi {

/// By Gauss's elimination of the precision beside a unit matrix; the pivots of a positive definite
/// matrix are positive.
std::optional<NormalLaw> normal_law(const Polynomial& exponent, std::size_t dimension) {
  const std::size_t n = dimension;
  std::vector<Rational> slope(n);
  std::vector<std::vector<Rational>> rest(n, std::vector<Rational>(n)), inverse = rest;
  for (const auto& [monomial, coefficient] : exponent.terms()) {
    for (const Power& power : monomial)
      if (power.variable >= n) return std::nullopt;
    if (degree(monomial) > 2) return std::nullopt;
    if (monomial.empty()) continue;
    const Variable i = monomial.front().variable, j = monomial.back().variable;
    if (degree(monomial) == 1) {
      slope[i] = coefficient;
    } else {
      rest[i][j] -= coefficient;
      rest[j][i] -= coefficient;
    }
  }
  NormalLaw result{std::vector<Rational>(n), rest, {}, 1, exponent.constant_term()};
  for (std::size_t i = 0; i < n; ++i) inverse[i][i] = 1;
  for (std::size_t k = 0; k < n; ++k) {
    const Rational pivot = rest[k][k];
    if (pivot <= 0) return std::nullopt;
    result.determinant /= pivot;
    for (std::size_t j = 0; j < n; ++j) {
      rest[k][j] /= pivot;
      inverse[k][j] /= pivot;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const Rational factor = rest[i][k];
      for (std::size_t j = 0; j < n; ++j) {
        rest[i][j] -= factor * rest[k][j];
        inverse[i][j] -= factor * inverse[k][j];
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) result.mean[i] += inverse[i][j] * slope[j];
  for (std::size_t i = 0; i < n; ++i) result.greatest += slope[i] * result.mean[i] / 2;
  result.covariance = std::move(inverse);
  return result;
}

}  // namespace wmi
