#pragma once

#include <cstdint>
#include <vector>

#include "solver/rational.h"

namespace wmi::check {

/// Integers in a row, and the same as machine words where they fit: a point x as (q, q x) with
/// q > 0, or a linear form as its constant and its coefficients.
class Vector {
 public:
  explicit Vector(std::vector<Integer> entries);

  std::size_t size() const { return entries_.size(); }
  const Integer& operator[](std::size_t i) const { return entries_[i]; }

  /// The scalar product, and its sign.
  friend Integer product(const Vector& a, const Vector& b);
  friend int sign_of_product(const Vector& a, const Vector& b);

 private:
  std::vector<Integer> entries_;
  std::vector<std::int64_t> words_;  // empty unless all of them are small
};

}  // namespace wmi::check
