#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "solver/rational.h"

namespace wmi::check {

__extension__ using Wide = __int128;

/// Integers in a row, and the same as machine words where they fit: a point x as (q, q x) with
/// q > 0, or a linear form as its constant and its coefficients.
class Vector {
 public:
  explicit Vector(std::vector<Integer> entries) : entries_(std::move(entries)) {
    const auto small = [](const Integer& entry) {
      return mpz_sizeinbase(entry.get_mpz_t(), 2) <= small_bits;
    };
    if (size() <= most_words && std::ranges::all_of(entries_, small))
      for (const Integer& entry : entries_) words_.push_back(entry.get_si());
  }

  std::size_t size() const { return entries_.size(); }
  const Integer& operator[](std::size_t i) const { return entries_[i]; }

  /// The scalar product, and its sign.
  friend Integer product(const Vector& a, const Vector& b) {
    Integer sum;
    for (std::size_t j = 0; j < a.size(); ++j)
      mpz_addmul(sum.get_mpz_t(), a[j].get_mpz_t(), b[j].get_mpz_t());
    return sum;
  }
  friend int sign_of_product(const Vector& a, const Vector& b) {
    if (a.words_.empty() || b.words_.empty()) return sgn(product(a, b));
    Wide sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j) sum += static_cast<Wide>(a.words_[j]) * b.words_[j];
    return sum > 0 ? 1 : sum < 0 ? -1 : 0;
  }

 private:
  static constexpr std::size_t small_bits = 60, most_words = 32;  // so many products fit `Wide`

  std::vector<Integer> entries_;
  std::vector<std::int64_t> words_;  // empty unless all of them are small
};

}  // namespace wmi::check
