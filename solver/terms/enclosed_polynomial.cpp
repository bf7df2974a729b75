#include "solver/terms/enclosed_polynomial.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wmi {

DoubleInterval round_outwards(const Rational& value) {
  // GMP rounds towards 0. Beyond the largest double it may give an infinity, or wrap.
  const Rational largest(std::numeric_limits<double>::max());
  if (value > largest) return {largest.get_d(), HUGE_VAL};
  if (value < -largest) return {-HUGE_VAL, -largest.get_d()};
  const double towards_zero = value.get_d();
  const int side = cmp(value, Rational(towards_zero));
  return {side < 0 ? std::nextafter(towards_zero, -HUGE_VAL) : towards_zero,
          side > 0 ? std::nextafter(towards_zero, HUGE_VAL) : towards_zero};
}

EnclosedPolynomial::EnclosedPolynomial(std::vector<Term> terms) : terms_(std::move(terms)) {}

EnclosedPolynomial::EnclosedPolynomial(const Polynomial& polynomial) {
  for (const Polynomial::Term& term : polynomial.terms()) {
    const DoubleInterval coefficient = round_outwards(term.coefficient);
    terms_.push_back({term.monomial, coefficient.lower, coefficient.upper});
  }
}

bool EnclosedPolynomial::constant() const {
  return std::ranges::all_of(terms_, [](const Term& term) { return term.monomial.empty(); });
}

}  // namespace wmi
