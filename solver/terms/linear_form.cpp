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
  Integer denominator = constant.get_den();
  for (const auto& [variable, coefficient] : coefficients)
    if (mpz_divisible_p(denominator.get_mpz_t(), coefficient.get_den_mpz_t()) == 0)
      denominator = lcm(denominator, coefficient.get_den());
  // First integers, then coprime ones. A denominator is most often 1 or a power of 2.
  const bool power_of_2 = mpz_popcount(denominator.get_mpz_t()) == 1;
  const mp_bitcnt_t exponent = mpz_scan1(denominator.get_mpz_t(), 0);
  const auto to_integer = [&](Rational& number) {
    Integer& numerator = number.get_num();
    if (power_of_2)
      numerator <<= exponent - mpz_scan1(number.get_den_mpz_t(), 0);
    else if (number.get_den() != denominator)
      numerator *= denominator / number.get_den();
    number.get_den() = 1;
  };
  Integer divisor = 0;
  const auto divide_later = [&](const Rational& number) {
    if (divisor != 1) divisor = gcd(divisor, number.get_num());
  };
  to_integer(constant);
  divide_later(constant);
  for (auto& [variable, coefficient] : coefficients) {
    to_integer(coefficient);
    divide_later(coefficient);
  }
  if (divisor <= 1) return;
  const auto divide = [&](Rational& number) {
    mpz_divexact(number.get_num_mpz_t(), number.get_num_mpz_t(), divisor.get_mpz_t());
  };
  divide(constant);
  for (auto& [variable, coefficient] : coefficients) divide(coefficient);
}

LinearForm operator-(LinearForm form) {
  form.constant = -form.constant;
  for (auto& [variable, coefficient] : form.coefficients) coefficient = -coefficient;
  return form;
}

}  // namespace wmi
