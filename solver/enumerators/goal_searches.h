#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "solver/enumerators/branch.h"
#include "solver/enumerators/goal.h"
#include "solver/enumerators/search_tree.h"

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

  /// The node of a search tree that the leaf is, if goals were queued there: its first branch is the
  /// cell of the determined goals, and the others are the queued goals.
  std::size_t branches() const { return queue_.size() + 1; }
  bool at_leaf() const { return !of_problem() && !queue_.empty(); }
  /// The branch of the current search.
  PathStep current() const {
    return {{SearchNode::Kind::goals},
            static_cast<std::uint32_t>(next_),
            static_cast<std::uint32_t>(branches())};
  }
  /// That leaf with the current search below it.
  SearchTree leaf_above(SearchTree current) const;
  /// Starts the search of the queued goal of this branch, at a path of this length, and no other.
  /// Throws Error if the branch is the shared cell.
  void select(std::size_t branch, std::size_t path);
  /// Gives the last queued goal to another search: its branch and its number.
  struct Given {
    std::size_t branch, goal;
  };
  std::optional<Given> give();

 private:
  static constexpr std::size_t the_problem = static_cast<std::size_t>(-1);

  std::size_t goal_ = the_problem;
  std::size_t bottom_ = 0;
  std::vector<std::size_t> queue_;  // the goals that are open at the leaf, ascending
  std::size_t next_ = 0;            // of the queue
  std::size_t end_ = 0;             // of the queue: those behind are given to others
};

}  // namespace wmi
