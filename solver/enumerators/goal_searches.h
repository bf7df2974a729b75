#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "solver/enumerators/branch.h"
#include "solver/enumerators/goal.h"

namespace wmi {

/// The state of a problem or a goal under a partial assignment: it has no cell here, something it
/// depends on is open, or everything is known.
enum class Outcome : std::uint8_t { closed, open, determined };

struct Inspection {
  Outcome outcome;
  std::optional<Formula> formula = {};    // what is open, if it is a formula
  std::optional<Decision> decision = {};  // what decides it, if it is a term
};

Inspection inspect(const Goal& goal, const Branch& branch);
/// The outcome of each.
std::vector<Outcome> outcomes(std::span<const Goal> goals, const Branch& branch);

/// Which search is running: that for the leaves of the problem, or that of a goal below a leaf. At a
/// leaf goals that are determined share a cell, and each of the others has a search of its own: the
/// atoms of one query never multiply with those of another.
class GoalSearches {
 public:
  /// Is it the search of the problem?
  bool of_problem() const { return goal_ == the_problem; }
  /// The goal whose search it is.
  std::size_t goal() const { return goal_; }
  std::span<const std::size_t> as_list() const { return std::span(&goal_, 1); }
  /// The length of the path at which this search began.
  std::size_t bottom() const { return bottom_; }

  /// At a leaf of the problem, given the outcome of each goal there: those that are determined,
  /// ascending. Open goals are queued.
  std::vector<std::size_t> reach_leaf(std::span<const Outcome> outcomes);
  /// Makes it the search of one goal alone, from the start of a path.
  void begin(std::size_t goal) { goal_ = goal; }
  /// Starts the search of the next queued goal, at a path of this length. If there is none, goes back
  /// to the search of the problem and returns false.
  bool next(std::size_t path);

 private:
  static constexpr std::size_t the_problem = static_cast<std::size_t>(-1);

  std::size_t goal_ = the_problem;
  std::size_t bottom_ = 0;
  std::vector<std::size_t> waiting_;
};

}  // namespace wmi
