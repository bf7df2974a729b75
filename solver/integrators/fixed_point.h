#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "solver/integrators/limbs.h"
#include "solver/terms/rational.h"

namespace wmi::fixed_point {

using limbs::Limb;

/// A signed number of so many words, in two's complement: an integer times a power of two that the
/// numbers of a table share. Of products the upper half is kept.
template <std::size_t width>
using Number = std::array<Limb, width>;

template <std::size_t width>
inline bool negative(const Number<width>& number) {
  return number[width - 1] >> 63 != 0;
}

template <std::size_t width>
inline bool zero(const Number<width>& number) {
  return std::ranges::all_of(number, [](Limb limb) { return limb == 0; });
}

template <std::size_t width>
inline void add(Number<width>& target, const Number<width>& other) {
  mpn_add_n(target.data(), target.data(), other.data(), width);
}

template <std::size_t width>
inline void subtract(Number<width>& target, const Number<width>& other) {
  mpn_sub_n(target.data(), target.data(), other.data(), width);
}

template <std::size_t width>
inline Number<width> magnitude(Number<width> number) {
  if (negative(number)) mpn_neg(number.data(), number.data(), width);
  return number;
}

/// Rounds downwards if `by` is negative.
template <std::size_t width>
inline void shift_left(Number<width>& number, long by) {
  const Limb sign = negative(number) ? ~Limb{0} : 0;
  const Number<width> old = number;
  const long words = by >= 0 ? by / 64 : -((-by + 63) / 64);
  const auto bits = static_cast<unsigned>(by - 64 * words);
  const auto word = [&](long i) {
    return i < 0 ? Limb{0} : i < static_cast<long>(width) ? old[static_cast<std::size_t>(i)] : sign;
  };
  for (long i = 0; i < static_cast<long>(width); ++i) {
    const Limb high = word(i - words), low = word(i - words - 1);
    number[static_cast<std::size_t>(i)] = bits == 0 ? high : high << bits | low >> (64 - bits);
  }
}

/// target +- number * factor / 2^(64 width), rounded: the factor is unsigned. Partial products below
/// the upper half are left out but for the highest.
template <bool minus, std::size_t width>
inline void add_high_product(Number<width>& target, const Number<width>& number,
                             const Number<width>& factor) {
  __extension__ typedef unsigned __int128 Pair;
  std::array<Limb, width + 1> high = {};
#pragma GCC unroll 8
  for (std::size_t i = 0; i < width; ++i) {
    Limb carry = 0;
#pragma GCC unroll 8
    for (std::size_t j = width - 1 - i; j < width; ++j) {
      Limb& entry = high[i + j + 1 - width];
      const Pair sum = Pair{factor[i]} * number[j] + entry + carry;
      entry = static_cast<Limb>(sum);
      carry = static_cast<Limb>(sum >> 64);
    }
    high[i + 1] = carry;
  }
  // A negative number is its words minus 2^(64 width).
  const Limb mask = negative(number) ? ~Limb{0} : 0;
  Limb borrow = 0, carry = 0;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < width; ++i) {
    const Pair product = Pair{high[i + 1]} - (factor[i] & mask) - borrow;
    borrow = static_cast<Limb>(product >> 64) & 1;
    const auto word = static_cast<Limb>(product);
    const Pair sum = minus ? Pair{target[i]} - word - carry : Pair{target[i]} + word + carry;
    carry = static_cast<Limb>(sum >> 64) & 1;
    target[i] = static_cast<Limb>(sum);
  }
}

/// The errors of a product, in units of the last bit.
template <std::size_t width>
constexpr double product_error = static_cast<double>(width) + 2;

/// floor(value 2^shift), which must fit; at most the largest unsigned number.
template <std::size_t width>
inline Number<width> rounded(const Rational& value, long shift) {
  Integer scaled = value.get_num(), quotient;
  Integer denominator = value.get_den();
  if (shift >= 0)
    mpz_mul_2exp(scaled.get_mpz_t(), scaled.get_mpz_t(), static_cast<mp_bitcnt_t>(shift));
  else
    mpz_mul_2exp(denominator.get_mpz_t(), denominator.get_mpz_t(),
                 static_cast<mp_bitcnt_t>(-shift));
  mpz_fdiv_q(quotient.get_mpz_t(), scaled.get_mpz_t(), denominator.get_mpz_t());
  Number<width> result;
  if (mpz_sizeinbase(quotient.get_mpz_t(), 2) > 64 * width)
    result.fill(~Limb{0});
  else
    limbs::store(result.data(), width, quotient);
  return result;
}

template <std::size_t width>
inline Integer integer(Number<width> number) {
  Integer result;
  limbs::load(result, number.data(), width);
  return result;
}

/// number * numerator / denominator, rounded downwards, of an unsigned number; at most the largest.
template <std::size_t width>
inline Number<width> scaled(const Number<width>& number, Limb numerator, Limb denominator) {
  std::array<Limb, width + 1> product;
  product[width] = mpn_mul_1(product.data(), number.data(), width, numerator);
  mpn_divrem_1(product.data(), 0, product.data(), width + 1, denominator);
  Number<width> result;
  std::copy_n(product.begin(), width, result.begin());
  if (product[width] != 0) result.fill(~Limb{0});
  return result;
}

}  // namespace wmi::fixed_point
