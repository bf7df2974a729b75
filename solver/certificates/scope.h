#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "solver/certificates/certified_integral.h"
#include "solver/terms/accumulator.h"

namespace wmi {

/// What an integral comes to.
struct Tally {
  Accumulator sum, left, right;  // of a slice, the sum is that of a point mass
  std::size_t cells = 0;         // integrated for it
  bool open = false;             // the sum has what may be in places that are left open
  bool unbounded = false;        // of a slice: nothing is known of what is there
};

/// What a tree is about: the whole problem and all its aims, or a component and aims of its own.
struct Scope {
  std::vector<Formula> formulas;
  std::vector<std::uint32_t> weights;   // by number
  std::vector<std::uint32_t> booleans;  // by node
  std::vector<Variable> coordinates;    // ascending
  std::vector<CertifiedIntegral> aims;
  std::vector<Tally> tallies = {};       // of the aims, if they are summed up
  std::vector<std::size_t> active = {};  // those of the aims that the tree is for

  /// The tree is for all aims, and nothing is summed up.
  void start() {
    tallies.assign(aims.size(), {});
    active.resize(aims.size());
    std::iota(active.begin(), active.end(), std::size_t{0});
  }
};

}  // namespace wmi
