#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "frontends/formats/format.h"
#include "solver/terms/formula.h"

namespace wmi::frontends {

/// A node of a property: an atom, or a conjunction or disjunction of earlier nodes.
struct PropertyNode {
  enum class Kind : std::uint8_t { atom, all, any };

  Kind kind;
  Atom atom = {};                            // of an atom: form <= 0 or form < 0
  std::vector<std::uint32_t> children = {};  // of the others: numbers of nodes

  friend bool operator==(const PropertyNode&, const PropertyNode&) = default;
};

/// A property of a network: a formula without negations over its inputs X_0, X_1, ... and its
/// outputs Y_0, Y_1, ..., which holds where the network is *unsafe*.
///
/// In atoms, the inputs are the variables 0 ... inputs - 1, and the outputs follow. Children have
/// smaller numbers than their parents, so that loops visit the formula bottom up.
struct Property {
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::vector<PropertyNode> nodes;
  std::vector<std::uint32_t> asserts;  // nodes; the formula is their conjunction

  Variable output(std::size_t i) const { return static_cast<Variable>(inputs + i); }

  friend bool operator==(const Property&, const Property&) = default;
};

/// Reads VNN-LIB 1.0, the properties of the verification competitions:
///
///     (declare-const X_0 Real)
///     (declare-const Y_0 Real)
///     (assert (>= X_0 0.5))
///     (assert (or (and (<= X_0 1.0) (>= Y_0 3.2)) (and (<= X_0 0.7) (<= (* 2 Y_0) X_0))))
///
/// Numbers are the decimals that they spell. Throws Error, with the location in the text.
Property read_vnnlib(const Source& source);

}  // namespace wmi::frontends
