// With y = x - mean and q = -y'Ay/2, the divergence theorem says for every polynomial g and coordinate i
//
//     integral of g (A y)_i e^q = integral of (dg/dy_i) e^q - sum over facets of g n_i/|n| e^q
//
// where n.y <= b is the facet. A monomial y_j g is the sum of C_ji g (A y)_i, C the covariance: so its
// degree falls by two, and what remains in the end is a number. On a facet, y_p = (b - the other terms)/n_p
// for one coordinate p, and its area is |n|/|n_p| times that of the other coordinates.

#include "solver/smooth/boundary_terms.h"

#include <cstddef>
#include <utility>

namespace wmi {
namespace {

Polynomial derivative(const Monomial& monomial, Variable variable) {
  Monomial result;
  Rational factor = 0;
  for (const Power& power : monomial) {
    if (power.variable == variable) factor = Rational(power.exponent);
    if (power.variable != variable) result.push_back(power);
    if (power.variable == variable && power.exponent > 1)
      result.push_back({variable, power.exponent - 1});
  }
  return factor == 0 ? Polynomial() : Polynomial({{std::move(result), factor}});
}

Polynomial shifted(const Polynomial& polynomial, const std::vector<Rational>& mean) {
  return polynomial.substitute(
      [&](Variable k) { return Polynomial::variable(k) + Polynomial(mean[k]); });
}

}  // namespace

BoundaryTerms boundary_terms(const SmoothIntegrand& integrand, const NormalLaw& law,
                             const std::vector<Halfspace>& facets) {
  const std::size_t n = integrand.dimension;
  const auto coordinate = [](std::size_t i) { return static_cast<Variable>(i); };
  std::vector<Polynomial> on_facets(facets.size());  // the sums of g, times (C n)_j
  Polynomial rest = shifted(integrand.factor, law.mean);
  while (rest.degree() > 0) {
    Polynomial next;
    for (const auto& [monomial, coefficient] : rest.terms()) {
      if (monomial.empty()) {
        next += Polynomial(coefficient);
        continue;
      }
      Monomial others = monomial;
      const Variable j = others.front().variable;
      if (--others.front().exponent == 0) others.erase(others.begin());
      for (std::size_t i = 0; i < n; ++i)
        next += Rational(coefficient * law.covariance[j][i]) * derivative(others, coordinate(i));
      const Polynomial g({{others, coefficient}});
      for (std::size_t f = 0; f < facets.size(); ++f) {
        Rational along = 0;
        for (std::size_t i = 0; i < n; ++i) along += law.covariance[j][i] * facets[f].normal[i];
        on_facets[f] -= along * g;
      }
    }
    rest = std::move(next);
  }

  BoundaryTerms result{rest.constant_term(), {}};
  for (std::size_t f = 0; f < facets.size(); ++f) {
    if (on_facets[f].zero()) continue;
    const std::vector<Rational>& normal = facets[f].normal;
    std::size_t pivot = 0;
    while (normal[pivot] == 0) ++pivot;
    std::vector<Polynomial> place(n);  // x on the facet
    for (std::size_t i = 0; i < n; ++i) {
      if (i == pivot) continue;
      place[i] = Polynomial::variable(coordinate(i < pivot ? i : i - 1));
      place[pivot] -= Rational(normal[i] / normal[pivot]) * place[i];
    }
    place[pivot] += Polynomial(Rational(facets[f].bound / normal[pivot]));
    BoundaryTerms::Facet& facet = result.facets.emplace_back();
    facet.scale = abs(Rational(1 / normal[pivot]));
    facet.integrand.dimension = n - 1;
    facet.integrand.factor =
        on_facets[f].substitute([&](Variable k) { return place[k] - Polynomial(law.mean[k]); });
    facet.integrand.exponent = integrand.exponent.substitute([&](Variable k) { return place[k]; });
    for (std::size_t other = 0; other < facets.size(); ++other) {
      if (other == f) continue;
      Halfspace side{{}, facets[other].bound};
      const Rational factor = facets[other].normal[pivot] / normal[pivot];
      side.bound -= factor * facets[f].bound;
      for (std::size_t i = 0; i < n; ++i)
        if (i != pivot) side.normal.push_back(facets[other].normal[i] - factor * normal[i]);
      facet.halfspaces.push_back(std::move(side));
    }
  }
  return result;
}

}  // namespace wmi
