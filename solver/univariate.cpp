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

Rational Univariate::integral(const Rational& a, const Rational& b) const {
  const Univariate whole = antiderivative();
  return whole.at(b) - whole.at(a);
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
