#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "solver/geometry/integers.h"
#include "solver/terms/rational.h"

namespace wmi {

/// Arithmetic of denominators: positive integers of GMP, most of which are 1, or equal, or of one
/// word, which GMP does not exploit.
///
///     Integer common = 4;
///     denominators::set_multiple(common, 6);       // 12
///     denominators::set_quotient(common, 12, 4);   // 3
namespace denominators {

using Limb = mp_limb_t;

inline const Limb* data(const Integer& value) { return mpz_limbs_read(value.get_mpz_t()); }
inline std::size_t size(const Integer& value) { return mpz_size(value.get_mpz_t()); }
/// The lowest word.
inline Limb limb(const Integer& value) { return mpz_getlimbn(value.get_mpz_t(), 0); }
/// Whether it is positive and less than 2^63.
inline bool is_word(const Integer& value) { return size(value) == 1 && limb(value) >> 63 == 0; }
inline bool is_one(const Integer& value) { return size(value) == 1 && limb(value) == 1; }
inline bool equal(const Integer& a, const Integer& b) {
  return size(a) == size(b) && limb(a) == limb(b) && (size(a) == 1 || a == b);
}

inline Limb remainder(const Integer& value, Limb word) {
  return size(value) == 1 ? limb(value) % word : mpz_fdiv_ui(value.get_mpz_t(), word);
}

/// The greatest common divisor of a positive number and any other (binary, without a branch on
/// which of the two is larger).
inline Limb divisor(Limb a, Limb b) {
  if (b == 0) return a;
  const int twos = std::countr_zero(a | b);
  a >>= std::countr_zero(a);
  do {
    b >>= std::countr_zero(b);
    const Limb less = std::min(a, b);
    b = a > b ? a - b : b - a;
    a = less;
  } while (b != 0);
  return a << twos;
}

/// lcm(word, number) / number, given the remainder of the number modulo the word.
inline Limb missing(Limb word, Limb remainder) {
  const Limb common = divisor(word, remainder);
  return common == 1 ? word : word / common;
}

/// result = a / b, which must be exact.
inline void set_quotient(Integer& result, const Integer& a, const Integer& b) {
  if (is_one(b))
    result = a;
  else if (equal(a, b))
    result = 1;
  else if (size(a) == 1)
    result = limb(a) / limb(b);
  else
    mpz_divexact(result.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
}

/// result = lcm(result, other).
inline void set_multiple(Integer& result, const Integer& other) {
  if (is_one(other) || equal(result, other)) return;
  if (is_one(result)) {
    result = other;
  } else if (size(other) == 1) {
    const Limb word = limb(other), rest = remainder(result, word);
    if (rest != 0) mpz_mul_ui(result.get_mpz_t(), result.get_mpz_t(), missing(word, rest));
  } else if (size(result) == 1) {
    const Limb word = limb(result), rest = remainder(other, word);
    mpz_mul_ui(result.get_mpz_t(), other.get_mpz_t(), missing(word, rest));
  } else {
    mpz_lcm(result.get_mpz_t(), result.get_mpz_t(), other.get_mpz_t());
  }
}

/// A positive factor of many numbers: a machine word as long as it fits, since GMP is slow to
/// multiply two words.
class Factor {
 public:
  /// `value` is overwritten when a word is no longer enough.
  explicit Factor(Integer& value) : word_(is_word(value) ? limb(value) : 0), large_(value) {}

  /// Less than 2^63; 0 if the factor does not fit.
  Limb word() const { return word_; }
  const Limb* data() const { return word_ != 0 ? &word_ : mpz_limbs_read(large_.get_mpz_t()); }
  std::size_t size() const { return word_ != 0 ? 1 : mpz_size(large_.get_mpz_t()); }

  void multiply(const Integer& other) {
    if (!is_word(other))
      grow() *= other;
    else
      multiply(limb(other));
  }
  void multiply(const Integers& numbers, std::size_t i) {
    if (numbers.small())
      multiply(static_cast<Limb>(numbers.words()[i]));
    else
      multiply(numbers.large()[i]);
  }

 private:
  void multiply(Limb other) {
    Limb product = 0;
    if (word_ != 0 && !__builtin_mul_overflow(word_, other, &product) && product >> 63 == 0)
      word_ = product;
    else
      grow() *= other;
  }

  Integer& grow() {
    if (word_ != 0) large_ = word_;
    word_ = 0;
    return large_;
  }

  Limb word_;
  Integer& large_;
};

}  // namespace denominators
}  // namespace wmi
