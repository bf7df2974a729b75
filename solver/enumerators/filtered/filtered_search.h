#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "solver/enumerator.h"
#include "solver/enumerators/cell_builder.h"
#include "solver/enumerators/filtered/enclosed_branch.h"
#include "solver/enumerators/filtered/exact_shadow.h"
#include "solver/enumerators/filtered/filtered_problem.h"
#include "solver/enumerators/filtered/linear_bounds.h"
#include "solver/enumerators/goal_searches.h"
#include "solver/enumerators/handed_over.h"
#include "solver/enumerators/path_side.h"
#include "solver/enumerators/replay.h"
#include "solver/geometry/filtered_polytope.h"

namespace wmi {

/// The counts of many searches, which they add when they end; from any thread.
class SearchTotals {
 public:
  void add(const SearchCounts& counts) {
    const std::lock_guard lock(mutex_);
    counts_ += counts;
  }
  SearchCounts counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
  }

 private:
  mutable std::mutex mutex_;
  SearchCounts counts_;
};

/// The choices of a search in doubles that do not change its answers, and where it counts.
struct FilteredSearchOptions {
  std::stop_token stop = {};
  std::optional<LeaveOpen> leave_open = {};
  std::shared_ptr<SearchTotals> totals = {};  // null: nowhere
};

/// The depth-first search of `split` in doubles with proven errors, for problems whose exact numbers
/// are long: real networks.
class FilteredSearch final : public Cells {
 public:
  FilteredSearch(const std::shared_ptr<const FilteredProblem>& problem,
                 FilteredSearchOptions options);
  /// A place in the tree of a search, enough to go on from it elsewhere in the same way.
  struct Place {
    std::vector<PathDecision> decisions;
    FilteredPolytope region;
    std::size_t splits = 0;   // on the path to it
    std::size_t bounded = 0;  // the number of splits at which bounds are worked out next
    std::optional<std::size_t> goal = {};  // the only one that is searched for, below a leaf
    SearchPath path = {};
  };
  /// The subtree below a place.
  FilteredSearch(std::shared_ptr<const FilteredProblem> problem, FilteredSearchOptions options,
                 Place place);
  /// The part below a place, to which it searches again.
  FilteredSearch(const std::shared_ptr<const FilteredProblem>& problem,
                 FilteredSearchOptions options, const SearchPath& path);
  FilteredSearch(const FilteredSearch&) = delete;
  FilteredSearch& operator=(const FilteredSearch&) = delete;
  ~FilteredSearch() override;

  std::optional<Cell> next() override;
  std::unique_ptr<Cells> fork() override;
  std::optional<std::vector<Cell>> rest() override;
  std::optional<Cell> found() override;
  std::unique_ptr<Cells> divide() override;
  std::optional<SearchTree> tree() const override;

 private:
  /// A decision between two regions.
  struct Split {
    std::size_t decision;                   // its place on the path
    std::optional<FilteredPolytope> other;  // the region of the opposite, if still open
    std::size_t scanned, bounded;           // before it
    PathSide side = PathSide::first;
  };
  struct State {
    Outcome outcome;
    std::optional<std::uint32_t> atom = {};  // to decide next, if something is open
  };

  void advance();
  void search();
  void scan();
  bool decide_early();
  State inspect();
  State inspect(const Goal& goal) const;
  void split(std::uint32_t atom);
  void backtrack();
  void reach_leaf();
  std::optional<Place> split_off();
  SearchPath path_to(std::size_t splits) const;
  void emit(std::span<const std::size_t> goals);
  const FilteredProblem::WholeBox& whole_box();
  /// Of the region, in each coordinate.
  struct Ends {
    std::vector<double> lower, upper;
  };
  Ends ends() const;
  std::optional<Rational> most_weight(const Ends& ends);
  bool small();
  void leave_open();
  void hand_over();
  std::optional<Interval> range(std::size_t goal, std::size_t summand);
  Hyperplane hyperplane(std::uint32_t atom) const {
    return {branch_.form_of_atom(atom), atom, branch_.sign_of_atom(atom)};
  }
  EnclosedPolytope enclosed(const FilteredPolytope& region) const;

  const std::shared_ptr<const FilteredProblem> problem_;
  const FilteredSearchOptions options_;
  const std::vector<Goal>& goals_;
  EnclosedBranch branch_;
  std::shared_ptr<ExactShadow> shadow_;
  FilteredPolytope region_;
  std::size_t scanned_ = 0;  // of the ready atoms: those before are decided
  std::vector<Split> splits_;
  LinearBounds bounds_;
  const std::size_t splits_above_;  // before this search began
  std::size_t bounded_;             // the number of all splits at which bounds are worked out next
  std::shared_ptr<const FilteredProblem::WholeBox> whole_box_;  // on first use
  GoalSearches searches_;                                       // paths are of splits
  std::size_t leaf_decisions_ = 0, leaf_scanned_ = 0, leaf_bounded_ = 0;
  std::optional<FilteredPolytope> at_leaf_;  // where the searches of goals start
  std::vector<Cell> ready_;
  std::size_t given_ = 0;
  FilterCounts counts_;
  std::size_t early_decisions_ = 0;
  std::optional<HandedOver> handed_over_;
  SearchPath above_;                 // the path to where this search began
  Replay replay_;                    // on the way there
  std::vector<SearchPath> divided_;  // the places that are split off
  bool done_ = false;
};

}  // namespace wmi
