#include "solver/univariate.h"

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
    result.coefficients_.push_back(coefficients_[i] * Rational(Integer(i)));
  return result;
}

Univariate Univariate::antiderivative() const {
  Univariate result;
  if (zero()) return result;
  result.coefficients_.emplace_back();
  for (std::size_t i = 0; i < coefficients_.size(); ++i)
    result.coefficients_.push_back(coefficients_[i] / Rational(Integer(i + 1)));
  return result;
}

/// With a = A/Q, b = B/Q and coefficients n_k/D: the sum of n_k/(k+1) (B^(k+1) - A^(k+1)) Q^(d-k)
/// over D Q^(d+1), in integers but for the last step.
Rational Univariate::integral(const Rational& a, const Rational& b) const {
  if (zero()) return 0;
  const Integer common = lcm(a.get_den(), b.get_den());
  const Integer from = a.get_num() * (common / a.get_den());
  const Integer to = b.get_num() * (common / b.get_den());
  const unsigned long terms = coefficients_.size();
  Integer denominator = 1, factors = 1;  // D, and a common multiple of the k + 1
  for (unsigned long k = 1; k <= terms; ++k) {
    const Integer& own = coefficients_[k - 1].get_den();
    if (!mpz_divisible_p(denominator.get_mpz_t(), own.get_mpz_t()))
      denominator = lcm(denominator, own);
    factors = lcm(factors, Integer(k));
  }
  // From the highest power down, what lies above multiplied by Q.
  std::vector<Integer> differences;  // B^(k+1) - A^(k+1)
  Integer upper = 1, lower = 1;
  for (unsigned long k = 0; k < terms; ++k) {
    upper *= to;
    lower *= from;
    differences.push_back(upper - lower);
  }
  Integer sum = 0, scale = 1;
  for (unsigned long k = terms; k-- > 0;) {
    const Rational& coefficient = coefficients_[k];
    if (coefficient != 0)
      sum += coefficient.get_num() * (denominator / coefficient.get_den()) * (factors / (k + 1)) *
             differences[k] * scale;
    scale *= common;
  }
  return ratio(sum, denominator * factors * scale);
}

/// By Horner's rule, in place: multiplied by y factor + constant, a coefficient added.
Univariate Univariate::composed(const Rational& factor, const Rational& constant) const {
  Univariate result;
  std::vector<Rational>& row = result.coefficients_;
  row.reserve(coefficients_.size());
  for (std::size_t i = coefficients_.size(); i-- > 0;) {
    if (!row.empty()) {
      row.push_back(row.back() * factor);
      for (std::size_t j = row.size() - 2; j > 0; --j)
        row[j] = row[j] * constant + row[j - 1] * factor;
      row[0] *= constant;
      row[0] += coefficients_[i];
    } else {
      row.push_back(coefficients_[i]);
    }
  }
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
