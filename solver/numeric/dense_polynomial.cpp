#include "solver/numeric/dense_polynomial.h"

#include <flint/fmpz_poly.h>
#include <flint/fmpz_vec.h>

#include <utility>
#include <vector>

#include "solver/numeric/flint.h"

namespace wmi {
namespace {

class FmpzVector {
 public:
  explicit FmpzVector(slong length) : length_(length), numbers_(_fmpz_vec_init(length)) {}
  FmpzVector(const FmpzVector&) = delete;
  FmpzVector& operator=(const FmpzVector&) = delete;
  ~FmpzVector() { _fmpz_vec_clear(numbers_, length_); }

  fmpz* get() { return numbers_; }

 private:
  slong length_;
  fmpz* numbers_;
};

/// The numerators of a product of polynomials that are not 0, the first of which is not the shorter
/// one. For numbers of some hundred bits FLINT takes a Fourier transform too early.
void multiply(fmpz* result, const fmpq_poly_t longer, const fmpq_poly_t shorter) {
  constexpr slong most = 64;
  const slong m = fmpq_poly_length(longer), n = fmpq_poly_length(shorter);
  (m <= most ? _fmpz_poly_mul_classical : _fmpz_poly_mul)(result, fmpq_poly_numref(longer), m,
                                                          fmpq_poly_numref(shorter), n);
}

/// The value at x = p/q of a polynomial with integer coefficients: a number over q^(length - 1).
void horner(Fmpz& number, Fmpz& denominator, const fmpz* coefficients, slong length,
            const Rational& x) {
  const Fmpz p(x.get_num()), q(x.get_den());
  const bool whole = fmpz_is_one(q.get());
  Fmpz term;
  fmpz_one(denominator.get());
  fmpz_set(number.get(), coefficients + length - 1);
  for (slong i = length - 1; i-- > 0;) {
    fmpz_mul(number.get(), number.get(), p.get());
    if (whole) {
      fmpz_add(number.get(), number.get(), coefficients + i);
      continue;
    }
    fmpz_mul(denominator.get(), denominator.get(), q.get());
    fmpz_addmul(number.get(), coefficients + i, denominator.get());
  }
}

}  // namespace

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
  const slong length = fmpq_poly_length(value_);
  if (length == 0) return 0;
  Fmpz number, denominator;
  horner(number, denominator, fmpq_poly_numref(value_), length, x);
  fmpz_mul(denominator.get(), denominator.get(), fmpq_poly_denref(value_));
  return quotient(number, denominator);
}

/// With coefficients n_i/D, the antiderivative has integer coefficients over D lcm(1, ..., d + 1).
Rational integral_of_product(const DensePolynomial& a, const DensePolynomial& b,
                             const Rational& from, const Rational& to) {
  if (a.zero() || b.zero()) return 0;
  const DensePolynomial &longer = a.degree() < b.degree() ? b : a,
                        &shorter = a.degree() < b.degree() ? a : b;
  const slong length = fmpq_poly_length(longer.value_) + fmpq_poly_length(shorter.value_) - 1;
  FmpzVector product(length + 1);  // the constant of the antiderivative is 0
  multiply(product.get() + 1, longer.value_, shorter.value_);
  Fmpz multiple, number, denominator, power;
  fmpz_one(multiple.get());
  for (slong i = 2; i <= length; ++i) {
    fmpz_set_si(number.get(), i);
    fmpz_lcm(multiple.get(), multiple.get(), number.get());
  }
  for (slong i = 1; i <= length; ++i) {
    fmpz_divexact_si(power.get(), multiple.get(), i);
    fmpz_mul(product.get() + i, product.get() + i, power.get());
  }
  const auto primitive = [&](const Rational& x) {
    horner(number, denominator, product.get(), length + 1, x);
    return quotient(number, denominator);
  };
  fmpz_mul(multiple.get(), multiple.get(), fmpq_poly_denref(longer.value_));
  fmpz_mul(multiple.get(), multiple.get(), fmpq_poly_denref(shorter.value_));
  Integer divisor;
  fmpz_get_mpz(divisor.get_mpz_t(), multiple.get());
  return (primitive(to) - primitive(from)) / divisor;
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
  if (a.zero() || b.zero()) return {};
  if (a.degree() < b.degree()) return b * a;
  DensePolynomial result;
  const slong length = fmpq_poly_length(a.value_) + fmpq_poly_length(b.value_) - 1;
  fmpq_poly_fit_length(result.value_, length);
  multiply(fmpq_poly_numref(result.value_), a.value_, b.value_);
  _fmpq_poly_set_length(result.value_, length);
  fmpz_mul(fmpq_poly_denref(result.value_), fmpq_poly_denref(a.value_), fmpq_poly_denref(b.value_));
  fmpq_poly_canonicalise(result.value_);
  return result;
}

}  // namespace wmi
