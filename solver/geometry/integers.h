#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "solver/terms/rational.h"

namespace wmi {

static_assert(sizeof(long) == sizeof(std::int64_t), "GMP takes a long for a machine word");

/// A vector of integers: machine words if all of them and their negatives fit, GMP's otherwise.
class Integers {
 public:
  Integers() = default;
  explicit Integers(std::vector<std::int64_t> words) : words_(std::move(words)) {}
  explicit Integers(std::vector<Integer> large) {
    for (const Integer& entry : large) {
      if (entry.fits_slong_p() && entry.get_si() != std::numeric_limits<long>::min()) continue;
      large_ = std::move(large);
      return;
    }
    words_.reserve(large.size());
    for (const Integer& entry : large) words_.push_back(entry.get_si());
  }

  std::size_t size() const { return words_.size() + large_.size(); }
  bool small() const { return large_.empty(); }
  /// Requires that they are small.
  std::span<const std::int64_t> words() const {
    assert(small());
    return words_;
  }
  /// Requires that they are not.
  std::span<const Integer> large() const {
    assert(!small());
    return large_;
  }

  /// The vector of words, whose memory can be reused.
  std::vector<std::int64_t> release() && { return std::move(words_); }

  Integer operator[](std::size_t i) const {
    return small() ? Integer(static_cast<long>(words_[i])) : large_[i];
  }

  friend bool operator==(const Integers&, const Integers&) = default;

 private:
  std::vector<std::int64_t> words_;  // one of the two is empty
  std::vector<Integer> large_;
};

}  // namespace wmi
