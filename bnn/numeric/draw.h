#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <random>

namespace wmi::bnn {

/// A uniform draw below `count`. A seed gives the same draws on every platform, which the
/// distributions of the standard library do not promise.
inline std::size_t draw_below(std::mt19937_64& random, std::size_t count) {
  assert(count > 0);
  const std::uint64_t limit = UINT64_MAX - UINT64_MAX % count;
  std::uint64_t draw = random();
  while (draw >= limit) draw = random();
  return static_cast<std::size_t>(draw % count);
}

}  // namespace wmi::bnn
