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

  /// The subtree below these choices, whose region is given.
  SplitSearch(std::shared_ptr<const Defined> defined, std::stop_token stop, SearchRules rules,
              std::span<const PathDecision> choices, ProductRegion region);

  /// After unit propagation alone, and before any cell: is the problem a product of independent
  /// components?
  bool decomposes();

  std::optional<Cell> next() override;
  std::unique_ptr<Cells> fork() override;
  std::optional<std::vector<Cell>> rest() override;

 private:
  struct Step {                          // for each decision of the branch
    std::optional<ProductRegion> other;  // the region of the opposite decision, if still open
    std::uint32_t settled;               // before the decision
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
  void enter(Decision decision, std::optional<ProductRegion> other);
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
  bool done_ = false;
};

}  // namespace wmi
