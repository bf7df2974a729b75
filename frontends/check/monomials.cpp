#include "frontends/check/monomials.h"

#include <algorithm>
#include <numeric>

namespace wmi::check {

/// In their lexicographic order, what divides a monomial comes before it.
Monomials::Monomials(std::set<Exponents> needed) {
  const auto each_below = [](const Exponents& monomial, const auto& action) {
    Exponents below = monomial;
    for (std::size_t j = 0; j < monomial.size(); ++j) {
      if (monomial[j] == 0) continue;
      --below[j];
      action(below, j);
      ++below[j];
    }
  };
  for (auto last = needed.end(); last != needed.begin();) {
    --last;
    each_below(*last, [&](const Exponents& below, std::size_t) { needed.insert(below); });
  }
  for (const Exponents& monomial : needed) {
    const std::size_t place = places_.emplace(monomial, places_.size()).first->second;
    degrees_.push_back(std::accumulate(monomial.begin(), monomial.end(), 0U));
    most_ = std::max(most_, degrees_.back());
    Integer& product = factorials_.emplace_back(1);
    for (const std::uint32_t exponent : monomial) product *= factorial(Integer(exponent));
    each_below(monomial, [&](const Exponents& below, std::size_t j) {
      steps_.push_back({place, places_.at(below), j});
    });
  }
}

void Monomials::divide(std::vector<Integer>& series, const std::vector<Integer>& point,
                       const Integer& scale) const {
  std::vector<Integer> scaled;
  for (const Integer& coordinate : point) scaled.emplace_back(scale * coordinate);
  for (const Step& step : steps_)
    mpz_addmul(series[step.target].get_mpz_t(), scaled[step.coordinate].get_mpz_t(),
               series[step.source].get_mpz_t());
}

Rational Monomials::factor(std::size_t place, std::size_t dimension) const {
  return ratio(factorials_[place], factorial(Integer(degrees_[place] + dimension)));
}

}  // namespace wmi::check
