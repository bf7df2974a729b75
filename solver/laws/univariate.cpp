#include "solver/laws/univariate.h"

#include <array>

#include "solver/numeric/common_denominator.h"

namespace wmi {

Univariate::Univariate(std::vector<Rational> coefficients)
    : coefficients_(std::move(coefficients)) {
  trim();
}

void Univariate::trim() {
  while (!coefficients_.empty() && coefficients_.back() == 0) coefficients_.pop_back();
}

Rational Univariate::at(const Rational& x) const {
  Rational result;
  for (std::size_t i = coefficients_.size(); i-- > 0;) {
    result *= x;
    result += coefficients_[i];
  }
  return result;
}

Univariate Univariate::derivative() const {
  Univariate result;
  for (std::size_t i = 1; i < coefficients_.size(); ++i)
    result.coefficients_.emplace_back(coefficients_[i] * Rational(Integer(i)));
  return result;
}

Univariate Univariate::antiderivative() const {
  Univariate result;
  if (zero()) return result;
  result.coefficients_.emplace_back();
  for (std::size_t i = 0; i < coefficients_.size(); ++i)
    result.coefficients_.emplace_back(coefficients_[i] / Rational(Integer(i + 1)));
  return result;
}

/// With a = A/Q, b = B/Q, coefficients n_k/D, degree d and e = k + order + 1, the integral is the
/// sum of n_k/e (B^e - A^e) Q^(d-k) over D Q^(d+order+1), computed by Horner's rule in integers.
Rational Univariate::integral(const Rational& a, const Rational& b, unsigned order) const {
  if (zero()) return 0;
  thread_local const FlintCache cache;
  CommonDenominator whole(coefficients_);
  const CommonDenominator ends(std::array{&a, &b});
  Fmpz factors, value, power, summand;  // `factors` is a common multiple of the e
  fmpz_one(factors.get());
  for (std::size_t k = 0; k < whole.numerators.size(); ++k)
    if (fmpz_fdiv_ui(factors.get(), k + order + 1) != 0) {
      fmpz_set_ui(summand.get(), k + order + 1);
      fmpz_lcm(factors.get(), factors.get(), summand.get());
    }
  fmpz_one(power.get());  // of Q
  for (std::size_t k = whole.numerators.size(); k-- > 0;) {
    fmpz* const numerator = whole.numerators[k].get();
    fmpz_divexact_ui(summand.get(), factors.get(), k + order + 1);
    fmpz_mul(numerator, numerator, summand.get());
    if (k + 1 < whole.numerators.size()) fmpz_mul(numerator, numerator, power.get());
    fmpz_mul(power.get(), power.get(), ends.denominator.get());
  }
  Fmpz sum;
  for (std::size_t end = 0; end < 2; ++end) {
    const fmpz* const point = ends.numerators[end].get();
    fmpz_zero(value.get());
    for (std::size_t k = whole.numerators.size(); k-- > 0;) {
      fmpz_mul(value.get(), value.get(), point);
      fmpz_add(value.get(), value.get(), whole.numerators[k].get());
    }
    fmpz_pow_ui(summand.get(), point, order + 1);
    fmpz_mul(value.get(), value.get(), summand.get());
    if (end == 0) fmpz_neg(value.get(), value.get());
    fmpz_add(sum.get(), sum.get(), value.get());
  }
  if (order > 0) {
    fmpz_pow_ui(summand.get(), ends.denominator.get(), order);
    fmpz_mul(power.get(), power.get(), summand.get());
  }
  fmpz_mul(power.get(), power.get(), whole.denominator.get());
  fmpz_mul(power.get(), power.get(), factors.get());
  return quotient(sum, power);
}

Univariate Univariate::composed(const Rational& factor, const Rational& constant) const {
  thread_local const FlintCache cache;
  CommonDenominator whole(coefficients_);
  const CommonDenominator line(std::array{&factor, &constant});
  whole.compose(line.numerators[0].get(), line.numerators[1].get(), line.denominator.get());
  Univariate result;
  result.coefficients_.reserve(coefficients_.size());
  for (const Fmpz& entry : whole.numerators)
    result.coefficients_.push_back(quotient(entry, whole.denominator));
  result.trim();
  return result;
}

Univariate& Univariate::operator+=(const Univariate& other) {
  if (coefficients_.size() < other.coefficients_.size())
    coefficients_.resize(other.coefficients_.size());
  for (std::size_t i = 0; i < other.coefficients_.size(); ++i)
    coefficients_[i] += other.coefficients_[i];
  trim();
  return *this;
}

Univariate& Univariate::operator-=(const Univariate& other) {
  if (coefficients_.size() < other.coefficients_.size())
    coefficients_.resize(other.coefficients_.size());
  for (std::size_t i = 0; i < other.coefficients_.size(); ++i)
    coefficients_[i] -= other.coefficients_[i];
  trim();
  return *this;
}

Univariate& Univariate::operator*=(const Rational& factor) {
  for (Rational& coefficient : coefficients_) coefficient *= factor;
  trim();
  return *this;
}

Univariate operator+(Univariate a, const Univariate& b) { return a += b; }

Univariate operator-(Univariate a, const Univariate& b) { return a -= b; }

Univariate operator*(const Univariate& a, const Univariate& b) {
  if (a.zero() || b.zero()) return {};
  std::vector<Rational> result(a.degree() + b.degree() + 1);
  for (std::size_t i = 0; i <= a.degree(); ++i)
    for (std::size_t j = 0; j <= b.degree(); ++j)
      result[i + j] += a.coefficients()[i] * b.coefficients()[j];
  return Univariate(std::move(result));
}

Univariate operator*(const Rational& factor, Univariate a) { return a *= factor; }

}  // namespace wmi
