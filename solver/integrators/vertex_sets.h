#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace wmi {

/// Faces as the sets of their vertices.
///
///     const std::vector<std::uint64_t> edge{0b101}, face{0b111};
///     vertex_sets::count(edge);         // 2
///     vertex_sets::within(edge, face);  // true
namespace vertex_sets {

/// A set of vertices, as bits.
using Bits = std::span<const std::uint64_t>;

inline std::size_t count(Bits bits) {
  std::size_t result = 0;
  for (const std::uint64_t word : bits) result += static_cast<std::size_t>(std::popcount(word));
  return result;
}

inline bool within(Bits inner, Bits outer) {
  for (std::size_t w = 0; w < inner.size(); ++w)
    if (inner[w] & ~outer[w]) return false;
  return true;
}

inline bool contains(Bits bits, std::size_t v) { return bits[v / 64] >> v % 64 & 1; }

template <class Visit>
inline void for_each(Bits bits, Visit&& visit) {
  for (std::size_t w = 0; w < bits.size(); ++w)
    for (std::uint64_t rest = bits[w]; rest != 0; rest &= rest - 1)
      visit(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
}

/// A hash table from sets of vertices to numbers.
class VertexSetTable {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// Removes all sets; new ones have this many words.
  void clear(std::size_t words) {
    words_ = words;
    table_.assign(256, none);
    numbers_.clear();
    bits_.clear();
  }

  std::size_t bytes() const {
    return bits_.capacity() * sizeof(bits_[0]) + starts_.capacity() * sizeof(starts_[0]) +
           (table_.capacity() + numbers_.capacity()) * sizeof(table_[0]);
  }

  std::uint32_t find(Bits bits) const { return table_[index(bits)]; }

  void insert(Bits bits, std::uint32_t number) {
    if (2 * (numbers_.size() + 1) > table_.size()) {
      std::fill(table_.begin(), table_.end(), none);
      table_.resize(4 * table_.size(), none);
      for (const std::uint32_t old : numbers_) table_[index(stored(old))] = old;
    }
    if (starts_.size() <= number) starts_.resize(number + 1);
    starts_[number] = bits_.size();
    bits_.insert(bits_.end(), bits.begin(), bits.end());
    numbers_.push_back(number);
    table_[index(bits)] = number;
  }

 private:
  Bits stored(std::uint32_t number) const { return Bits(bits_).subspan(starts_[number], words_); }

  /// The index of the set in the table, or of the free entry for it.
  std::size_t index(Bits bits) const {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : bits) hash = (hash ^ word ^ word >> 29) * 0x9e3779b97f4a7c15u;
    for (std::size_t at = hash >> 20;; ++at) {
      at &= table_.size() - 1;
      if (table_[at] == none || std::ranges::equal(stored(table_[at]), bits)) return at;
    }
  }

  std::size_t words_ = 0;
  std::vector<std::uint32_t> table_;  // a power of two, at most half full
  std::vector<std::uint32_t> numbers_;
  std::vector<std::size_t> starts_;  // by number
  std::vector<std::uint64_t> bits_;
};

}  // namespace vertex_sets
}  // namespace wmi
