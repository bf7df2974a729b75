#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "solver/terms/rational.h"

namespace wmi {

/// Integers of a fixed number of machine words, in two's complement, modulo 2^(64 width). If the
/// result is known to fit, intermediate results may overflow, and neither signs nor memory need
/// management.
namespace limbs {

using Limb = mp_limb_t;
static_assert(sizeof(Limb) == 8 && GMP_NAIL_BITS == 0);

inline bool negative(const Limb* number, std::size_t width) { return number[width - 1] >> 63 != 0; }

/// target -= other * 2^(64 shift), `other` unsigned.
inline void subtract(Limb* target, std::size_t width, const Limb* other, std::size_t size,
                     std::size_t shift) {
  if (shift >= width) return;
  const std::size_t length = std::min(size, width - shift);
  mpn_sub(target + shift, target + shift, static_cast<mp_size_t>(width - shift), other,
          static_cast<mp_size_t>(length));
}

/// target += number * factor, `factor` unsigned and of at least one word.
inline void add_product(Limb* target, std::size_t width, const Limb* number, std::size_t size,
                        const Limb* factor, std::size_t factor_size) {
  size = std::min(size, width);
  factor_size = std::min(factor_size, width);
  constexpr std::size_t large = 24;
  if (size >= large && factor_size >= large) {
    thread_local std::vector<Limb> product;
    product.resize(size + factor_size);
    if (size >= factor_size)
      mpn_mul(product.data(), number, static_cast<mp_size_t>(size), factor,
              static_cast<mp_size_t>(factor_size));
    else
      mpn_mul(product.data(), factor, static_cast<mp_size_t>(factor_size), number,
              static_cast<mp_size_t>(size));
    mpn_add(target, target, static_cast<mp_size_t>(width), product.data(),
            static_cast<mp_size_t>(std::min(width, product.size())));
  } else {
    for (std::size_t i = 0; i < factor_size; ++i) {
      const std::size_t length = std::min(size, width - i), end = i + length;
      const Limb carry =
          mpn_addmul_1(target + i, number, static_cast<mp_size_t>(length), factor[i]);
      if (end < width)
        mpn_add_1(target + end, target + end, static_cast<mp_size_t>(width - end), carry);
    }
  }
  if (negative(number, size)) subtract(target, width, factor, factor_size, size);
}

/// target += number * factor, both signed.
inline void add_signed_product(Limb* target, std::size_t width, const Limb* number,
                               std::size_t size, const Limb* factor, std::size_t factor_size) {
  add_product(target, width, number, size, factor, factor_size);
  if (!negative(factor, factor_size) || factor_size >= width) return;
  subtract(target, width, number, size, factor_size);
  if (!negative(number, size) || size + factor_size >= width) return;
  mpn_add_1(target + size + factor_size, target + size + factor_size,
            static_cast<mp_size_t>(width - size - factor_size), 1);
}

/// target += number * factor.
inline void add_product(Limb* target, std::size_t width, const Limb* number, std::size_t size,
                        std::int64_t factor) {
  size = std::min(size, width);
  const auto length = static_cast<mp_size_t>(size), rest = static_cast<mp_size_t>(width - size);
  const Limb magnitude = factor < 0 ? -static_cast<Limb>(factor) : static_cast<Limb>(factor);
  Limb* const end = target + size;
  // A negative number is extended by ones: it stands for its words minus 2^(64 size).
  const Limb ones = negative(number, size) ? magnitude : 0;
  if (factor >= 0) {
    const Limb carry = mpn_addmul_1(target, number, length, magnitude);
    if (rest == 0) return;
    if (carry >= ones)
      mpn_add_1(end, end, rest, carry - ones);
    else
      mpn_sub_1(end, end, rest, ones - carry);
  } else {
    const Limb borrow = mpn_submul_1(target, number, length, magnitude);
    if (rest == 0) return;
    if (borrow >= ones)
      mpn_sub_1(end, end, rest, borrow - ones);
    else
      mpn_add_1(end, end, rest, ones - borrow);
  }
}

/// The same with a constant width, also of `number`. There is no branch on the sign, which is
/// unpredictable: x - y = ~(~x + y).
template <std::size_t width>
inline void add_product(Limb* target, const Limb* number, std::int64_t factor) {
  __extension__ typedef unsigned __int128 Pair;
  if constexpr (width == 1) {
    target[0] += number[0] * static_cast<Limb>(factor);
  } else {
    const auto mask = static_cast<Limb>(factor >> 63);
    const Limb magnitude = (static_cast<Limb>(factor) ^ mask) - mask;
    Limb carry = 0;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < width; ++i) {
      const Pair sum = Pair{number[i]} * magnitude + (target[i] ^ mask) + carry;
      target[i] = static_cast<Limb>(sum) ^ mask;
      carry = static_cast<Limb>(sum >> 64);
    }
  }
}

/// Likewise, with an unsigned factor, and a `number` of any width.
template <std::size_t width>
inline void add_product(Limb* target, const Limb* number, std::size_t size, const Limb* factor,
                        std::size_t factor_size) {
  __extension__ typedef unsigned __int128 Pair;
  if constexpr (width == 1) {
    target[0] += number[0] * factor[0];
    return;
  }
  for (std::size_t k = 0; k < std::min(size, width); ++k) {
    Limb carry = 0;
    const std::size_t end = std::min(factor_size + k, width);
    std::size_t i = k;
    for (; i < end; ++i) {
      const Pair sum = Pair{number[k]} * factor[i - k] + target[i] + carry;
      target[i] = static_cast<Limb>(sum);
      carry = static_cast<Limb>(sum >> 64);
    }
    for (; carry != 0 && i < width; ++i) {
      target[i] += carry;
      carry = target[i] < carry;
    }
  }
  if (!negative(number, size)) return;
  Limb borrow = 0;
  for (std::size_t i = size; i < width; ++i) {
    const Limb other = i - size < factor_size ? factor[i - size] : 0;
    const Pair difference = Pair{target[i]} - other - borrow;
    target[i] = static_cast<Limb>(difference);
    borrow = static_cast<Limb>(difference >> 64) & 1;
  }
}

/// target += number * factor, for a number of at most as many words as the target and an unsigned
/// factor below 2^63.
inline void add_word_product(Limb* target, std::size_t width, const Limb* number, std::size_t size,
                             Limb factor) {
  __extension__ typedef unsigned __int128 Pair;
  Limb carry = 0;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < size; ++i) {
    const Pair sum = Pair{number[i]} * factor + target[i] + carry;
    target[i] = static_cast<Limb>(sum);
    carry = static_cast<Limb>(sum >> 64);
  }
  if (size == width) return;
  // A negative number is extended by ones: it stands for its words minus 2^(64 size).
  const Limb ones = negative(number, size) ? factor : 0;
  Limb more = carry - ones, sign = carry < ones ? ~Limb{0} : 0;
  for (std::size_t i = size; i < width; ++i) {
    const Limb sum = target[i] + more;
    more = sign + (sum < more);
    target[i] = sum;
    if (more == 0) return;
  }
}

/// sum += number * factor, with a sum of two words.
inline void add_pair(Limb* sum, Limb number, std::int64_t factor) {
  __extension__ typedef __int128 Signed;
  __extension__ typedef unsigned __int128 Pair;
  Pair value = Pair{sum[1]} << 64 | sum[0];
  value += static_cast<Pair>(Signed{static_cast<std::int64_t>(number)} * factor);
  sum[0] = static_cast<Limb>(value);
  sum[1] = static_cast<Limb>(value >> 64);
}

/// Copies a number into another width.
inline void extend(Limb* target, std::size_t width, const Limb* number, std::size_t size) {
  const std::size_t common = std::min(size, width);
  for (std::size_t i = 0; i < common; ++i) target[i] = number[i];
  const Limb sign = negative(number, size) ? ~Limb{0} : 0;
  for (std::size_t i = common; i < width; ++i) target[i] = sign;
}

/// Calls `visit` with the width as a compile-time constant if it is small, and with 0 otherwise.
template <class Visit>
inline void with_width(std::size_t width, Visit&& visit) {
  switch (width) {
    case 1:
      return visit(std::integral_constant<std::size_t, 1>());
    case 2:
      return visit(std::integral_constant<std::size_t, 2>());
    case 3:
      return visit(std::integral_constant<std::size_t, 3>());
    case 4:
      return visit(std::integral_constant<std::size_t, 4>());
    case 5:
      return visit(std::integral_constant<std::size_t, 5>());
    case 6:
      return visit(std::integral_constant<std::size_t, 6>());
    case 7:
      return visit(std::integral_constant<std::size_t, 7>());
    case 8:
      return visit(std::integral_constant<std::size_t, 8>());
    default:
      return visit(std::integral_constant<std::size_t, 0>());
  }
}

inline void store(Limb* target, std::size_t width, const Integer& value) {
  const std::size_t size = std::min(width, mpz_size(value.get_mpz_t()));
  std::copy_n(mpz_limbs_read(value.get_mpz_t()), size, target);
  std::fill(target + size, target + width, 0);
  if (value < 0) mpn_neg(target, target, static_cast<mp_size_t>(width));
}

/// Overwrites `number`.
inline void load(Integer& result, Limb* number, std::size_t width) {
  const bool below = negative(number, width);
  const auto size = static_cast<mp_size_t>(width);
  if (below) mpn_neg(number, number, size);
  std::copy_n(number, width, mpz_limbs_write(result.get_mpz_t(), size));
  mpz_limbs_finish(result.get_mpz_t(), below ? -size : size);
}

}  // namespace limbs
}  // namespace wmi
