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

/// The sums over the leaves of a tree.
struct Summary {
  std::vector<IntegralSum> sums;  // of the integrals
  std::size_t cells = 0;          // that were integrated
  Rational left_open = 0;         // a bound on the integral of |weight| over open regions
  bool stopped = false;
};

/// How integrals are summed up while the tree is written.
struct Summing {
  const Integrator& integrator;
  std::optional<Threshold> threshold = {};  // regions below it are left open
};

/// Searches for a proof of the values of the integrals, and writes it as the tree of a certificate.
///
/// With `summing` it also computes the values, and leaves the rest of the search open when it has
/// to stop. Throws GaveUp if it finds no proof, and Stopped if the rest cannot be left open.
Summary write_tree(const Problem& problem, std::vector<CertifiedIntegral> integrals,
                   std::ostream& out, const std::stop_token& stop,
                   ProgressObserver* observer = nullptr, const Summing* summing = nullptr);

}  // namespace wmi
