#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace wmi::bnn {

/// A number below `count`, each alike: the same everywhere for a seed, which the distributions of
/// the standard library are not.
inline std::size_t draw_below(std::mt19937_64& random, std::size_t count) {
  const std::uint64_t limit = UINT64_MAX - UINT64_MAX % count;
  std::uint64_t draw = random();
  while (draw >= limit) draw = random();
  return static_cast<std::size_t>(draw % count);
}

}  // namespace wmi::bnn
