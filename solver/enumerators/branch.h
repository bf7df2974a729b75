#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solver/problem.h"

namespace wmi {

enum class Truth : std::int8_t { no = -1, unknown = 0, yes = 1 };

inline Truth operator!(Truth value) { return static_cast<Truth>(-static_cast<int>(value)); }

/// A decision on a path of the search: of a Boolean, or of an atom whose form is then known in the
/// declared reals.
struct Decision {
  std::uint32_t node;
  bool holds;
  std::optional<Atom> atom;  // none for a Boolean
  bool implied = false;      // by the decisions before it: it bounds nothing that they do not
};

/// Truth values for some atoms and Booleans of a problem, and what follows from them.
///
/// A stack of decisions. Under them a formula is true, false or unknown (three-valued, so that a
/// part which no longer matters is never asked for), and a defined real is one polynomial in the
/// declared reals as soon as the conditions on its way are known: layer by layer, never flattened.
class Branch {
 public:
  /// Knows the nodes in `cone` (children first).
  Branch(const Problem& problem, std::vector<std::uint32_t> cone);

  /// The decisions made.
  const std::vector<Decision>& decisions() const { return decisions_; }
  void decide(Decision decision);
  /// Takes the last decision back.
  void undo();
  /// Draws the conclusions; needed after decisions and before the questions below.
  void propagate();

  Truth truth(Formula formula) const {
    const Truth positive = truth_[formula.node()];
    return formula.negated() ? !positive : positive;
  }

  /// A decision that brings the truth of `formula` (which is unknown) nearer: a Boolean, or an
  /// atom that is linear in the declared reals by now. `holds` is left unset.
  Decision open_in(Formula formula) const;
  /// Decisions without which the formula cannot hold: those that it is a conjunction of.
  std::vector<Decision> units_of(Formula formula) const;
  /// Likewise for a polynomial; nothing when all its definitions are resolved.
  std::optional<Decision> open_in(const Polynomial& polynomial) const;

  /// True when the polynomial is certainly 0: each of its terms has a factor that is.
  bool vanishes(const Polynomial& polynomial) const;

  /// The polynomial in the declared reals. Requires that nothing is open in it.
  Polynomial resolved(const Polynomial& polynomial) const;

 private:
  Truth evaluate(std::uint32_t node);
  Decision descend(std::uint32_t node) const;

  const Problem& problem_;
  const std::vector<std::uint32_t> cone_;
  std::vector<Decision> decisions_;
  std::vector<Truth> decided_;                     // by node
  std::vector<Truth> truth_;                       // by node
  std::vector<std::optional<Polynomial>> values_;  // of the defined reals, by variable
  std::vector<std::optional<LinearForm>> forms_;   // of the atoms with definitions, by atom
  std::vector<std::pair<std::size_t, Variable>> value_trail_;  // number of decisions, variable
  std::vector<std::pair<std::size_t, std::uint32_t>> form_trail_;
};

}  // namespace wmi
