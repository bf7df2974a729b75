#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace wmi {

/// The monomials of at most some degree in each variable and in all together, in lexicographic
/// order. Those that differ in the exponent of the last variable only are a row.
///
///     const MonomialRows rows({1, 2}, 2);  // 1 y y^2 | x xy
///     rows.size();                         // 5
class MonomialRows {
 public:
  /// One degree at least.
  MonomialRows(std::vector<unsigned> degrees, unsigned total)
      : degrees_(std::move(degrees)), total_(total) {
    std::size_t places = 1;
    for (std::size_t i = degrees_.size() - 1; i-- > 0; places *= degrees_[i] + 1)
      strides_.insert(strides_.begin(), places);
    starts_.resize(places);
    std::vector<unsigned> exponents(degrees_.size() - 1);
    for (std::size_t place = 0; place < places; ++place) {
      unsigned degree = 0;
      for (std::size_t i = 0; i < strides_.size(); ++i) {
        exponents[i] = static_cast<unsigned>(place / strides_[i]) % (degrees_[i] + 1);
        degree += exponents[i];
      }
      starts_[place] = size_;
      if (degree > total_) continue;
      const std::size_t length = std::min(degrees_.back(), total_ - degree) + std::size_t{1};
      rows_.push_back({place, size_, length, degree, exponents});
      size_ += length;
    }
  }

  struct Row {
    std::size_t place, start, length;
    unsigned degree;                  // of its first monomial
    std::vector<unsigned> exponents;  // of all variables but the last
  };

  std::size_t size() const { return size_; }
  const std::vector<unsigned>& degrees() const { return degrees_; }
  unsigned total() const { return total_; }
  std::span<const Row> rows() const { return rows_; }
  /// The place of a row with these exponents. It is linear in them.
  std::size_t place(std::span<const unsigned> exponents) const {
    std::size_t result = 0;
    for (std::size_t i = 0; i < strides_.size(); ++i) result += strides_[i] * exponents[i];
    return result;
  }
  std::size_t stride(std::size_t variable) const { return strides_[variable]; }
  /// Where the row at this place starts.
  std::size_t start(std::size_t place) const { return starts_[place]; }
  std::size_t index(std::span<const unsigned> exponents) const {
    return starts_[place(exponents)] + exponents.back();
  }

 private:
  std::vector<unsigned> degrees_;
  unsigned total_;
  std::vector<std::size_t> strides_;  // of all variables but the last
  std::vector<std::size_t> starts_;   // by place
  std::vector<Row> rows_;
  std::size_t size_ = 0;
};

}  // namespace wmi
