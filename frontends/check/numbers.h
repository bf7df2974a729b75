#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/rational.h"

namespace wmi::check {

/// Integers in a row, and the same as machine words where they fit: a vertex x as (q, q x) with
/// q > 0, or a linear form as its constant and its coefficients.
class Vector {
 public:
  explicit Vector(std::vector<Integer> entries);

  std::size_t size() const { return entries_.size(); }
  const Integer& operator[](std::size_t i) const { return entries_[i]; }
  /// Empty unless all of them are small.
  std::span<const std::int64_t> words() const { return words_; }

 private:
  std::vector<Integer> entries_;
  std::vector<std::int64_t> words_;
};

/// The sign of the scalar product.
int sign_of_product(const Vector& a, const Vector& b);

/// The determinant of the vectors, without their entry at `omitted` (if there is one).
Integer determinant(std::span<const Vector* const> rows, std::size_t omitted);
inline constexpr std::size_t none = ~std::size_t{0};

}  // namespace wmi::check
