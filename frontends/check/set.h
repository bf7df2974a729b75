#pragma once

#include <bit>
#include <vector>

#include "solver/terms/rational.h"

namespace wmi::check {

/// A set of small numbers, as the bits of an integer: `a & b` is the intersection.
using Set = Integer;

inline bool contains(const Set& set, std::size_t number) {
  const auto limb = static_cast<mp_size_t>(number / GMP_NUMB_BITS);
  return (mpz_getlimbn(set.get_mpz_t(), limb) >> number % GMP_NUMB_BITS & 1) != 0;
}

/// The number of members that are not in the other.
inline std::size_t missing(const Set& set, const Set& other) {
  std::size_t result = 0;
  for (std::size_t i = mpz_size(set.get_mpz_t()); i-- > 0;) {
    const auto limb = static_cast<mp_size_t>(i);
    result += static_cast<unsigned>(std::popcount(mpz_getlimbn(set.get_mpz_t(), limb) &
                                                  ~mpz_getlimbn(other.get_mpz_t(), limb)));
  }
  return result;
}
inline std::size_t size(const Set& set) { return missing(set, 0); }
inline bool within(const Set& set, const Set& other) { return missing(set, other) == 0; }
inline bool meet(const Set& set, const Set& other) { return missing(set, other) < size(set); }

inline std::vector<std::size_t> members(const Set& set) {
  std::vector<std::size_t> result;
  mpz_srcptr bits = set.get_mpz_t();
  for (auto i = mpz_scan1(bits, 0); i != ~mp_bitcnt_t{0}; i = mpz_scan1(bits, i + 1))
    result.push_back(i);
  return result;
}

}  // namespace wmi::check
