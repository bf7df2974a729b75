#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <stop_token>
#include <vector>

#include "solver/certificates/scope.h"
#include "solver/enumerators/threshold.h"
#include "solver/solve.h"

namespace wmi {

/// What the leaves of a tree come to, where they are summed up.
struct Summary {
  std::vector<Tally> tallies;  // of the aims
  std::size_t cells = 0;       // that were integrated
  Rational left_open = 0;      // the integrals of the weight, at most, over what is left open
  bool stopped = false;
};

/// How leaves are summed up as they are written.
struct Summing {
  const Integrator& integrator;
  ProgressObserver* observer = nullptr;
  std::optional<Threshold> threshold = {};  // what is below it is left open
};

/// Searches for a proof of what the integrals over a problem are, and writes it as the tree of a
/// certificate.
///
/// With `summing` it also finds out what they are; and when it has to stop, it leaves open what it
/// has not come to. Throws GaveUp where it finds no proof; Stopped, where nothing can be left open.
Summary write_tree(const Problem& problem, std::vector<CertifiedIntegral> aims, std::ostream& out,
                   const std::stop_token& stop, const Summing* summing = nullptr);

}  // namespace wmi
