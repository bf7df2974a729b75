#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "solver/terms/error.h"

/// A fuzz target: a reader, and what must hold of everything that it accepts. libFuzzer calls it
/// with inputs of its own, `replay.cpp` with files. An Error is a refusal, which is right; any other
/// exception is a finding.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace wmi::fuzz {

inline std::string_view text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Aborts, which is a finding, if this does not hold.
inline void require(bool holds, std::string_view what) {
  if (holds) return;
  std::cerr << "not true: " << what << "\n";
  std::abort();
}

}  // namespace wmi::fuzz
