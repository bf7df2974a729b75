#include "frontends/check/monomials.h"

#include <numeric>

namespace wmi::check {

Monomials::Monomials(std::size_t coordinates, const std::set<Exponents>& needed) {
  std::set<std::pair<unsigned, Exponents>> order;
  std::vector<Exponents> open(needed.begin(), needed.end());
  open.emplace_back(coordinates);
  while (!open.empty()) {
    const Exponents monomial = std::move(open.back());
    open.pop_back();
    if (!order.emplace(std::accumulate(monomial.begin(), monomial.end(), 0U), monomial).second)
      continue;
    for (std::size_t j = 0; j < coordinates; ++j) {
      if (monomial[j] == 0) continue;
      open.push_back(monomial);
      --open.back()[j];
    }
  }
  for (const auto& [total, monomial] : order) {
    const std::size_t place = places_.size();
    places_.emplace(monomial, place);
    degrees_.push_back(total);
    Integer& product = factorials_.emplace_back(1);
    Exponents below = monomial;
    for (std::size_t j = 0; j < coordinates; ++j) {
      for (std::uint32_t k = 2; k <= monomial[j]; ++k) product *= k;
      if (monomial[j] == 0) continue;
      --below[j];
      steps_.push_back({place, places_.at(below), j});
      ++below[j];
    }
  }
}

void Monomials::divide(std::vector<Integer>& series, const std::vector<Integer>& point) const {
  for (const Step& step : steps_)
    mpz_addmul(series[step.target].get_mpz_t(), point[step.coordinate].get_mpz_t(),
               series[step.source].get_mpz_t());
}

Rational Monomials::factor(std::size_t place, std::size_t dimension) const {
  Integer denominator;
  mpz_fac_ui(denominator.get_mpz_t(), degrees_[place] + dimension);
  return ratio(factorials_[place], denominator);
}

}  // namespace wmi::check
