#include "solver/numeric/dense_polynomial.h"

#include <flint/fmpz_poly.h>

#include <utility>
#include <vector>

#include "solver/numeric/flint.h"

namespace wmi {

DensePolynomial::DensePolynomial(const Rational& constant) : DensePolynomial() {
  set_coefficient(0, constant);
}

DensePolynomial::DensePolynomial(const Univariate& polynomial) : DensePolynomial() {
  for (std::size_t i = polynomial.coefficients().size(); i-- > 0;)
    set_coefficient(i, polynomial.coefficients()[i]);
}

std::size_t DensePolynomial::degree() const {
  return zero() ? 0 : static_cast<std::size_t>(fmpq_poly_degree(value_));
}

void DensePolynomial::set_coefficient(std::size_t power, const Rational& coefficient) {
  fmpq_poly_set_coeff_fmpq(value_, static_cast<slong>(power), Fmpq(coefficient).get());
}

Rational DensePolynomial::at(const Rational& x) const {
  Fmpq result;
  fmpq_poly_evaluate_fmpq(result.get(), value_, Fmpq(x).get());
  return result.rational();
}

DensePolynomial DensePolynomial::antiderivative() const {
  DensePolynomial result;
  fmpq_poly_integral(result.value_, value_);
  return result;
}

/// With x = (f y + c)/q and coefficients n_i/D, the sum of n_i q^(d-i) z^i over D q^d, shifted by
/// z = f y + c: integers until the end.
DensePolynomial DensePolynomial::composed(const Rational& factor, const Rational& constant) const {
  const slong length = fmpq_poly_length(value_);
  if (length <= 1) return *this;
  Fmpz common, f, c, power;
  fmpz_lcm(common.get(), Fmpz(factor.get_den()).get(), Fmpz(constant.get_den()).get());
  const auto over_common = [&](Fmpz& result, const Rational& number) {
    fmpz_divexact(result.get(), common.get(), Fmpz(number.get_den()).get());
    fmpz_mul(result.get(), result.get(), Fmpz(number.get_num()).get());
  };
  over_common(f, factor);
  over_common(c, constant);

  DensePolynomial result(*this);
  fmpz* const numbers = fmpq_poly_numref(result.value_);
  fmpz_one(power.get());
  for (slong i = length - 1; i-- > 0;) {
    fmpz_mul(power.get(), power.get(), common.get());
    fmpz_mul(numbers + i, numbers + i, power.get());
  }
  fmpz_mul(fmpq_poly_denref(result.value_), fmpq_poly_denref(result.value_), power.get());
  _fmpz_poly_taylor_shift(numbers, c.get(), length);
  if (!fmpz_is_one(f.get())) {
    fmpz_one(power.get());
    for (slong i = 1; i < length; ++i) {
      fmpz_mul(power.get(), power.get(), f.get());
      fmpz_mul(numbers + i, numbers + i, power.get());
    }
  }
  fmpq_poly_canonicalise(result.value_);
  return result;
}

DensePolynomial DensePolynomial::shifted(std::size_t power) const {
  DensePolynomial result;
  fmpq_poly_shift_left(result.value_, value_, static_cast<slong>(power));
  return result;
}

Univariate DensePolynomial::univariate() const {
  std::vector<Rational> coefficients;
  Fmpq coefficient;
  for (slong i = 0; i < fmpq_poly_length(value_); ++i) {
    fmpq_poly_get_coeff_fmpq(coefficient.get(), value_, i);
    coefficients.push_back(coefficient.rational());
  }
  return Univariate(std::move(coefficients));
}

Polynomial DensePolynomial::polynomial(Variable variable) const {
  const Univariate same = univariate();
  std::vector<Polynomial::Term> terms;
  for (std::uint32_t i = 0; i < same.coefficients().size(); ++i)
    terms.push_back({i == 0 ? Monomial() : Monomial{{variable, i}}, same.coefficients()[i]});
  return Polynomial(std::move(terms));
}

DensePolynomial& DensePolynomial::operator+=(const DensePolynomial& other) {
  fmpq_poly_add(value_, value_, other.value_);
  return *this;
}

DensePolynomial& DensePolynomial::operator-=(const DensePolynomial& other) {
  fmpq_poly_sub(value_, value_, other.value_);
  return *this;
}

DensePolynomial operator*(const DensePolynomial& a, const DensePolynomial& b) {
  DensePolynomial result;
  fmpq_poly_mul(result.value_, a.value_, b.value_);
  return result;
}

}  // namespace wmi
