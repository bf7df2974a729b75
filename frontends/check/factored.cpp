#include "frontends/check/factored.h"

#include <map>

#include "frontends/check/bytes.h"

namespace wmi::check {

Factored::Factored(std::span<const Polynomial> polynomials, const std::vector<std::size_t>& part_of,
                   std::size_t parts)
    : monomials(parts), integrands(polynomials.size()) {
  std::vector<std::map<Monomial, std::size_t>> numbers(parts);
  for (std::size_t i = 0; i < integrands; ++i)
    for (const auto& [monomial, coefficient] : polynomials[i].terms()) {
      std::vector<Monomial> own(parts);
      for (const Power& power : monomial) {
        if (part_of[power.variable] == nowhere)
          throw Rejected("an integrand has reals that are no coordinates");
        own[part_of[power.variable]].push_back(power);
      }
      Term& term = terms.emplace_back(Term{i, coefficient, {}});
      for (std::size_t p = 0; p < parts; ++p) {
        const auto [number, fresh] = numbers[p].try_emplace(own[p], monomials[p].size());
        if (fresh) monomials[p].push_back(own[p]);
        term.factors.push_back(number->second);
      }
    }
}

std::vector<Interval> Factored::sums(const std::vector<std::vector<Interval>>& integrals) const {
  std::vector<Interval> result(integrands);
  for (const auto& [integrand, coefficient, factors] : terms) {
    Interval product = coefficient;
    for (std::size_t p = 0; p < factors.size(); ++p) product = product * integrals[p][factors[p]];
    result[integrand] += product;
  }
  return result;
}

}  // namespace wmi::check
