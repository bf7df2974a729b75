#include "solver/terms/linear_form.h"

#include <algorithm>
#include <cassert>

namespace wmi {

LinearForm::LinearForm(const Polynomial& polynomial) {
  for (const Polynomial::Term& term : polynomial.terms()) {
    assert(degree(term.monomial) <= 1);
    if (term.monomial.empty())
      constant = term.coefficient;
    else
      coefficients.emplace_back(term.monomial[0].variable, term.coefficient);
  }
}

Rational LinearForm::coefficient(Variable variable) const {
  const auto found =
      std::lower_bound(coefficients.begin(), coefficients.end(), variable,
                       [](const auto& entry, Variable wanted) { return entry.first < wanted; });
  return found != coefficients.end() && found->first == variable ? found->second : Rational(0);
}

Rational LinearForm::at(std::span<const Rational> point) const {
  Rational result = constant;
  for (const auto& [variable, coefficient] : coefficients) result += coefficient * point[variable];
  return result;
}

Polynomial LinearForm::polynomial() const {
  std::vector<Polynomial::Term> terms = {{{}, constant}};
  for (const auto& [variable, coefficient] : coefficients)
    terms.push_back({{{variable, 1}}, coefficient});
  return Polynomial(std::move(terms));
}

void LinearForm::make_primitive() {
  Integer denominator = constant.get_den(), divisor = 0;
  for (const auto& [variable, coefficient] : coefficients)
    denominator = lcm(denominator, coefficient.get_den());
  const auto scaled = [&](const Rational& number) {
    return Integer(number.get_num() * (denominator / number.get_den()));
  };
  divisor = gcd(divisor, scaled(constant));
  for (const auto& [variable, coefficient] : coefficients)
    divisor = gcd(divisor, scaled(coefficient));
  if (divisor == 0) return;
  const Rational factor = ratio(denominator, divisor);
  constant *= factor;
  for (auto& [variable, coefficient] : coefficients) coefficient *= factor;
}

LinearForm operator-(LinearForm form) {
  form.constant = -form.constant;
  for (auto& [variable, coefficient] : form.coefficients) coefficient = -coefficient;
  return form;
}

}  // namespace wmi
