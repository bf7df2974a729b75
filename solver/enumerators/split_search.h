#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "solver/enumerator.h"
#include "solver/enumerators/branch.h"
#include "solver/enumerators/cell_builder.h"
#include "solver/enumerators/defined.h"
#include "solver/enumerators/goal_searches.h"
#include "solver/enumerators/handed_over.h"
#include "solver/enumerators/path_side.h"
#include "solver/enumerators/replay.h"
#include "solver/enumerators/threshold.h"
#include "solver/geometry/product_region.h"

namespace wmi {

/// The choices of a search that do not change the answers.
struct SearchRules {
  Branching branching = Branching::most_used;
  std::optional<LeaveOpen> leave_open = {};  // nullopt: every region is searched
};

/// The depth-first search of `split`: the cells of a problem without derived reals.
class SplitSearch final : public Cells {
 public:
  SplitSearch(std::shared_ptr<const Defined> defined, std::stop_token stop, SearchRules rules);

  /// The part below a place, to which it searches again.
  SplitSearch(std::shared_ptr<const Defined> defined, std::stop_token stop, SearchRules rules,
              const SearchPath& path);

  /// A place in the tree of a search, enough to go on from it elsewhere in the same way.
  struct Place {
    std::vector<PathDecision> decisions;
    ProductRegion region;
    SearchPath path;
    std::optional<std::size_t> goal = {};  // the only one that is searched for, below a leaf
  };
  /// The subtree below a place.
  SplitSearch(std::shared_ptr<const Defined> defined, std::stop_token stop, SearchRules rules,
              Place place);

  /// After unit propagation alone, and before any cell: is the problem a product of independent
  /// components?
  bool decomposes();

  std::optional<Cell> next() override;
  std::unique_ptr<Cells> fork() override;
  std::optional<std::vector<Cell>> rest() override;
  std::optional<Cell> found() override;
  std::unique_ptr<Cells> divide() override;
  std::optional<SearchTree> tree() const override;

 private:
  struct Step {                          // for each decision of the branch
    std::optional<ProductRegion> other;  // the region of the opposite decision, if still open
    std::uint32_t settled;               // before the decision
    PathSide side;
  };

  void advance();
  void search();
  bool take_units();
  bool require(Decision decision);
  void split(Decision decision);
  Inspection inspect();
  bool take_implied(Formula formula, const std::vector<std::uint32_t>& open);
  Decision choose(const std::vector<std::uint32_t>& open) const;
  Rational evenness(const LinearForm& form) const;
  void enter(Decision decision, PathSide side = PathSide::forced,
             std::optional<ProductRegion> other = std::nullopt);
  std::optional<Place> split_off();
  SearchPath path_to(std::size_t steps) const;
  void backtrack();
  void reach_leaf();
  bool small() const;
  void leave_open();
  void hand_over();

  const std::shared_ptr<const Defined> defined_;
  const Problem& problem_;
  const std::stop_token stop_;
  const SearchRules rules_;
  const std::vector<Goal>& goals_;
  const CellBuilder builder_;
  Branch branch_;
  ProductRegion region_;       // of the literals on the path
  std::uint32_t settled_ = 0;  // number of leading settled weights
  std::vector<Step> path_;     // for each decision
  GoalSearches searches_;
  std::optional<ProductRegion> at_leaf_;  // where those of goals start
  std::vector<Cell> ready_;
  std::size_t given_ = 0;  // of those
  std::optional<HandedOver> handed_over_;
  SearchPath above_;                 // the path to where this search began
  Replay replay_;                    // on the way there
  std::vector<SearchPath> divided_;  // the places that are split off
  bool done_ = false;
};

}  // namespace wmi
