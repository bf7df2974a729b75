#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/integrators/limbs.h"

namespace wmi {

/// The Taylor coefficients of a polynomial at a place that can be shifted, as integers: those of
/// `3 x^2` at 0 are 0, 0, 3, and after `shift(1)` they are 3, 6, 3.
class Taylor {
 public:
  /// So many coefficients, whose j-th is always below 2^(bits + step (count - 1 - j)).
  Taylor(std::size_t count, std::size_t bits, std::size_t step) {
    for (std::size_t j = 0; j < count; ++j) {
      widths_.push_back((bits + step * (count - 1 - j)) / 64 + 1);
      starts_.push_back(numbers_.size());
      numbers_.resize(numbers_.size() + widths_.back());
    }
  }

  std::size_t words() const { return numbers_.size(); }

  Integer at(std::size_t j) const {
    std::vector<limbs::Limb> copy(begin(j), begin(j) + static_cast<std::ptrdiff_t>(widths_[j]));
    Integer result;
    limbs::load(result, copy.data(), copy.size());
    return result;
  }

  void clear() { std::ranges::fill(numbers_, 0); }

  void add(std::size_t j, const Integer& number) {
    std::vector<limbs::Limb> other(widths_[j]);
    limbs::store(other.data(), other.size(), number);
    add(j, other.data());
  }

  /// A polynomial at the same place, of the same size.
  void add(const Taylor& other) {
    for (std::size_t j = 0; j < widths_.size(); ++j) add(j, &other.numbers_[starts_[j]]);
  }

  void shift(std::int64_t by) { shift(by, widths_.size()); }

  /// Only the first so many coefficients are right afterwards.
  void shift(std::int64_t by, std::size_t first) {
    const std::size_t count = widths_.size();
    for (std::size_t i = 0; i + 1 < count && i < first; ++i)
      for (std::size_t j = count - 1; j-- > i;)
        limbs::add_product(&numbers_[starts_[j]], widths_[j], &numbers_[starts_[j + 1]],
                           widths_[j + 1], by);
  }

 private:
  std::vector<limbs::Limb>::const_iterator begin(std::size_t j) const {
    return numbers_.begin() + static_cast<std::ptrdiff_t>(starts_[j]);
  }

  void add(std::size_t j, const limbs::Limb* number) {
    limbs::Limb* const target = &numbers_[starts_[j]];
    mpn_add_n(target, target, number, static_cast<mp_size_t>(widths_[j]));
  }

  std::vector<std::size_t> widths_, starts_;
  std::vector<limbs::Limb> numbers_;
};

}  // namespace wmi
