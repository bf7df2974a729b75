#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace wmi {

/// The rows that generators lie on, as bits: generator g has `words` words from g * words on.
struct Incidences {
  const std::uint64_t* bits;
  std::size_t generators, words;

  const std::uint64_t* of(std::size_t generator) const { return bits + generator * words; }

  /// The number of rows that both lie on.
  std::size_t common(std::size_t a, std::size_t b) const {
    std::size_t count = 0;
    for (std::size_t w = 0; w < words; ++w)
      count += static_cast<std::size_t>(std::popcount(of(a)[w] & of(b)[w]));
    return count;
  }

  /// Whether no third generator lies on all rows that both lie on: then they span a face.
  bool alone(std::size_t a, std::size_t b) const {
    for (std::size_t other = 0; other < generators; ++other) {
      if (other == a || other == b) continue;
      bool contains = true;
      for (std::size_t w = 0; contains && w < words; ++w)
        contains = (of(a)[w] & of(b)[w] & ~of(other)[w]) == 0;
      if (contains) return false;
    }
    return true;
  }
};

}  // namespace wmi
