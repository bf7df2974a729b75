#include "solver/terms/nested_polynomial.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace wmi {

Polynomial expanded(const NestedPolynomial& polynomial) {
  std::vector<Polynomial> values;
  for (const Polynomial& step : polynomial.steps)
    values.push_back(step.replace([&](Variable variable) {
      return variable < polynomial.coordinates ? nullptr
                                               : &values[variable - polynomial.coordinates];
    }));
  return values.empty() ? Polynomial() : std::move(values.back());
}

Degrees degrees(const NestedPolynomial& polynomial) {
  const std::size_t n = polynomial.coordinates;
  std::vector<Degrees> found;
  for (const Polynomial& step : polynomial.steps) {
    Degrees degrees{std::vector<unsigned>(n), 0};
    const auto add = [](unsigned& degree, std::uint64_t exponent, std::uint64_t more) {
      degree =
          static_cast<unsigned>(std::min(degree + exponent * more, std::uint64_t{Degrees::most}));
    };
    for (const Polynomial::Term& term : step.terms()) {
      Degrees of_term{std::vector<unsigned>(n), 0};
      for (const Power& power : term.monomial) {
        if (power.variable < n) {
          add(of_term.each[power.variable], power.exponent, 1);
          add(of_term.total, power.exponent, 1);
          continue;
        }
        const Degrees& factor = found[power.variable - n];
        for (std::size_t i = 0; i < n; ++i) add(of_term.each[i], power.exponent, factor.each[i]);
        add(of_term.total, power.exponent, factor.total);
      }
      for (std::size_t i = 0; i < n; ++i)
        degrees.each[i] = std::max(degrees.each[i], of_term.each[i]);
      degrees.total = std::max(degrees.total, of_term.total);
    }
    found.push_back(std::move(degrees));
  }
  return found.empty() ? Degrees{std::vector<unsigned>(n), 0} : std::move(found.back());
}

}  // namespace wmi
