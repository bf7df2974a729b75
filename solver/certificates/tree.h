#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <ostream>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "solver/certificates/scope.h"
#include "solver/enumerators/search_tree.h"
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

/// A part of such a tree: the search below one place, with some places left to others. A node comes
/// before its children and has nothing after them; so the bytes of the whole are those of its parts,
/// each put where the other left its place open.
struct TreePart {
  Summary summary;
  std::vector<SearchPath> open;     // from the root of the whole tree, from left to right
  std::vector<std::string> pieces;  // what is written before each open place, and after the last
};

/// Parts of one tree, which decide the same at the same place whatever was searched before. The
/// integrator of `summing` is used; there are no thresholds.
class TreeParts {
 public:
  /// All must outlive this.
  TreeParts(const Problem& problem, std::span<const CertifiedIntegral> integrals,
            const Integrator& integrator)
      : problem_(problem), integrals_(integrals), integrator_(integrator) {}

  /// The tree down to this many nodes with several children. A product is not divided.
  TreePart above(std::size_t depth, const std::stop_token& stop) const;
  /// The tree below a place, until `pause` says so between two leaves.
  /// Throws LostPlace if there is no such place.
  TreePart below(const SearchPath& place, const std::function<bool()>& pause) const;
  /// The tree below a place, of regions that are left open as soon as they can be. Throws Stopped if
  /// they cannot.
  TreePart left_open(const SearchPath& place) const;

 private:
  const Problem& problem_;
  std::span<const CertifiedIntegral> integrals_;
  const Integrator& integrator_;
};

}  // namespace wmi
