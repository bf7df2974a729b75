#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "solver/enumerators/branch.h"
#include "solver/enumerators/goal.h"

namespace wmi {

/// What a partial assignment says of a problem or of a goal: nothing is left, something is open, or
/// all that it depends on is known.
enum class Outcome : std::uint8_t { closed, open, determined };

struct Inspection {
  Outcome outcome;
  std::optional<Formula> formula = {};    // what is open, if it is a formula
  std::optional<Decision> decision = {};  // what decides it, if it is a term
};

Inspection inspect(const Goal& goal, const Branch& branch);

/// Which search is on. The first is that for the leaves of the problem. At a leaf goals that are
/// determined share a cell, and each of the others has a search of its own below the leaf: the
/// atoms of one query never multiply with those of another.
class GoalSearches {
 public:
  /// Not one of a goal.
  bool of_problem() const { return goal_ == the_problem; }
  /// Whose it is, if it is one of a goal.
  std::size_t goal() const { return goal_; }
  std::span<const std::size_t> as_list() const { return std::span(&goal_, 1); }
  /// Of the path: what is below belongs to this search.
  std::size_t bottom() const { return bottom_; }

  /// At a leaf of the problem: the goals that are determined, ascending. Those that are open wait.
  std::vector<std::size_t> reach_leaf(std::span<const Goal> goals, const Branch& branch);
  /// Starts that of the next goal that waits at this leaf, with a path of this length; if none
  /// does, goes back to that of the problem, and says no.
  bool next(std::size_t path);

 private:
  static constexpr std::size_t the_problem = static_cast<std::size_t>(-1);

  std::size_t goal_ = the_problem;
  std::size_t bottom_ = 0;
  std::vector<std::size_t> waiting_;
};

}  // namespace wmi
