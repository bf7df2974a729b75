#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "solver/geometry/integers.h"
#include "solver/terms/rational.h"

namespace wmi {

/// The same arithmetic on machine words, on pairs of them, and on GMP's integers. On words it throws
/// Overflow if a result needs more than 62 bits, on pairs if it needs more than 126, so that a
/// computation can start with the fastest type and be repeated with a larger one.
///
///     using Word = std::int64_t;
///     checked_integers::product(Word{3}, Word{4});  // 12
///     checked_integers::product(Word{1} << 40, Word{1} << 40);  // throws Overflow
namespace checked_integers {

__extension__ typedef __int128 DoubleWord;

struct Overflow {};

inline std::int64_t narrow(DoubleWord value) {
  constexpr std::int64_t limit = std::int64_t{1} << 62;
  if (value >= limit || value <= -limit) throw Overflow();
  return static_cast<std::int64_t>(value);
}

/// Throws Overflow unless the value is so small that sums of two, and negatives, fit.
inline DoubleWord limited(DoubleWord value) {
  constexpr DoubleWord limit = DoubleWord{1} << 126;
  if (value >= limit || value <= -limit) throw Overflow();
  return value;
}

inline std::int64_t product(std::int64_t a, std::int64_t b) { return narrow(DoubleWord{a} * b); }
inline DoubleWord product(DoubleWord a, DoubleWord b) {
  DoubleWord result;
  if (__builtin_mul_overflow(a, b, &result)) throw Overflow();
  return limited(result);
}
inline Integer product(const Integer& a, const Integer& b) { return a * b; }

inline DoubleWord sum(DoubleWord a, DoubleWord b) {
  DoubleWord result;
  if (__builtin_add_overflow(a, b, &result)) throw Overflow();
  return limited(result);
}
inline Integer sum(const Integer& a, const Integer& b) { return a + b; }

/// a d - b c; of words, without overflow.
inline DoubleWord minor(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
  return DoubleWord{a} * d - DoubleWord{b} * c;
}
inline DoubleWord minor(DoubleWord a, DoubleWord b, DoubleWord c, DoubleWord d) {
  return sum(product(a, d), product(-b, c));
}
inline Integer minor(const Integer& a, const Integer& b, const Integer& c, const Integer& d) {
  return a * d - b * c;
}

/// Requires an exact quotient.
inline DoubleWord quotient(DoubleWord a, DoubleWord b) {
  assert(b != 0);
  constexpr DoubleWord limit = std::numeric_limits<std::int64_t>::max();
  if (a <= limit && a >= -limit && b <= limit && b >= -limit)
    return static_cast<std::int64_t>(a) / static_cast<std::int64_t>(b);
  return a / b;
}
inline Integer quotient(const Integer& a, const Integer& b) {
  Integer result;
  mpz_divexact(result.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
  return result;
}

inline void assign(std::int64_t& target, DoubleWord value) { target = narrow(value); }
inline void assign(DoubleWord& target, DoubleWord value) { target = value; }
inline void assign(Integer& target, Integer&& value) { target = std::move(value); }

inline std::int64_t divisor(std::int64_t a, std::int64_t b) { return std::gcd(a, b); }
inline DoubleWord divisor(DoubleWord a, DoubleWord b) {
  constexpr DoubleWord limit = std::numeric_limits<std::int64_t>::max();
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b > limit || (b != 0 && a > limit)) a = std::exchange(b, a % b);
  if (b == 0) return a;
  return std::gcd(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b));
}
inline Integer divisor(const Integer& a, const Integer& b) { return gcd(a, b); }

template <class Whole>
Whole magnitude(Whole value) {
  return value < 0 ? Whole(-value) : value;
}

inline void read(const Integers& numbers, std::vector<std::int64_t>& result) {
  if (!numbers.small()) throw Overflow();
  for (const std::int64_t number : numbers.words()) narrow(number);
  result.assign(numbers.words().begin(), numbers.words().end());
}
inline void read(const Integers& numbers, std::vector<DoubleWord>& result) {
  if (!numbers.small()) throw Overflow();
  result.assign(numbers.words().begin(), numbers.words().end());
}
inline void read(const Integers& numbers, std::vector<Integer>& result) {
  result.clear();
  result.reserve(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) result.push_back(numbers[i]);
}

inline Integer to_integer(std::int64_t value) { return static_cast<long>(value); }
inline Integer to_integer(DoubleWord value) {
  Integer result = static_cast<long>(value >> 64);
  result <<= 64;
  result += static_cast<unsigned long>(value);
  return result;
}
inline Integer to_integer(const Integer& value) { return value; }

inline Integers write(const std::vector<std::int64_t>& numbers) { return Integers(numbers); }
inline Integers write(const std::vector<DoubleWord>& numbers) {
  std::vector<Integer> result;
  result.reserve(numbers.size());
  for (const DoubleWord number : numbers) result.push_back(to_integer(number));
  return Integers(std::move(result));
}
inline Integers write(const std::vector<Integer>& numbers) { return Integers(numbers); }

}  // namespace checked_integers
}  // namespace wmi
