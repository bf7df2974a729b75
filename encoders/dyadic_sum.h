#pragma once

#include <algorithm>

#include "solver/terms/rational.h"

namespace wmi::encoders {

/// An exact sum of products. Where both factors have powers of 2 for denominators, as floats do,
/// integers are added, and common divisors are not looked for.
class DyadicSum {
 public:
  void add(const Rational& a, const Rational& b) {
    if (sgn(a) == 0 || sgn(b) == 0) return;
    if (!power_of_2(a.get_den()) || !power_of_2(b.get_den())) {
      rest_ += a * b;
      return;
    }
    const mp_bitcnt_t exponent = log_2(a.get_den()) + log_2(b.get_den());
    if (exponent == exponent_) {
      mpz_addmul(sum_.get_mpz_t(), a.get_num_mpz_t(), b.get_num_mpz_t());
      return;
    }
    product_ = a.get_num() * b.get_num();
    if (exponent < exponent_) {
      product_ <<= exponent_ - exponent;
    } else {
      sum_ <<= exponent - exponent_;
      exponent_ = exponent;
    }
    sum_ += product_;
  }

  Rational value() const {
    Rational result;
    const mp_bitcnt_t common =
        sum_ == 0 ? exponent_ : std::min(mpz_scan1(sum_.get_mpz_t(), 0), exponent_);
    mpz_fdiv_q_2exp(result.get_num_mpz_t(), sum_.get_mpz_t(), common);
    mpz_mul_2exp(result.get_den_mpz_t(), result.get_den_mpz_t(), exponent_ - common);
    if (rest_ != 0) result += rest_;
    return result;
  }

 private:
  static mp_bitcnt_t log_2(const Integer& power) {
    return mpz_sizeinbase(power.get_mpz_t(), 2) - 1;
  }
  static bool power_of_2(const Integer& number) {
    return mpz_scan1(number.get_mpz_t(), 0) == log_2(number);
  }

  Integer sum_;  // over 2^exponent_
  mp_bitcnt_t exponent_ = 0;
  Rational rest_;
  Integer product_;  // kept for its memory
};

}  // namespace wmi::encoders
