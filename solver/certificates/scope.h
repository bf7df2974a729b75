#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "solver/certificates/certified_integral.h"
#include "solver/terms/accumulator.h"

namespace wmi {

/// The value of a certified integral, summed over leaves.
struct IntegralSum {
  Accumulator value, left, right;  // of a slice, the sum is that of a point mass
  std::size_t cells = 0;           // integrated for it
  bool open = false;               // the value includes bounds on open regions
  bool unbounded = false;          // of a slice: an open region may contribute anything
};

/// The subject of a tree: the whole problem with all its integrals, or a component with its own.
struct Scope {
  std::vector<Formula> formulas;
  std::vector<std::uint32_t> weights;   // by number
  std::vector<std::uint32_t> booleans;  // by node
  std::vector<Variable> coordinates;    // ascending
  std::vector<CertifiedIntegral> integrals;
  std::vector<IntegralSum> sums = {};    // of the integrals, if they are summed up
  std::vector<std::size_t> active = {};  // the integrals that the tree is for

  /// Makes all integrals active, with sums of 0.
  void start() {
    sums.assign(integrals.size(), {});
    active.resize(integrals.size());
    std::iota(active.begin(), active.end(), std::size_t{0});
  }
};

}  // namespace wmi
