#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "solver/enumerator.h"
#include "solver/enumerators/branch.h"
#include "solver/enumerators/derived.h"
#include "solver/enumerators/goal_searches.h"
#include "solver/enumerators/leaf.h"
#include "solver/enumerators/path_side.h"
#include "solver/enumerators/replay.h"
#include "solver/enumerators/smt.h"

namespace wmi {

/// What to do with a cell on which no equation determines a derived real.
enum class Undetermined : std::uint8_t { refuse, skip };

/// The depth-first search of `z3`.
class Z3Search final : public Cells {
 public:
  /// The problem must outlive this.
  Z3Search(const Problem& problem, std::span<const Goal> goals, const std::stop_token& stop,
           Undetermined undetermined = Undetermined::refuse);
  /// The part below a place, to which it searches again.
  Z3Search(const Problem& problem, std::span<const Goal> goals, const std::stop_token& stop,
           const SearchPath& path);

  std::optional<Cell> next() override;
  std::optional<Cell> found() override;
  std::optional<SearchTree> tree() const override;

  /// A point of the leaf that was reached last.
  const Smt::Model& at_leaf() const { return *at_leaf_; }

 private:
  struct Step {
    std::optional<Smt::Model> other;  // of the opposite decision, if still open
    bool assumed;                     // its literal is on Z3's stack
    PathSide side = PathSide::forced;
  };

  void keep_off_faces();
  void advance();
  Inspection inspect() const;
  bool take_units();
  void split(Decision decision);
  void require(Decision decision);
  std::optional<bool> model_says(const Decision& decision) const;
  bool settled() const;
  void assume(const Decision& decision);
  std::optional<Smt::Model> ask(const Decision& decision);
  void enter(Decision decision, Smt::Model model, PathSide side = PathSide::forced,
             std::optional<Smt::Model> other = std::nullopt);
  void backtrack();
  void reach_leaf();
  std::optional<Leaf> leaf();
  Elimination elimination();
  void emit(const Leaf& leaf, std::span<const std::size_t> goals);
  bool reaches(const LinearForm& form, bool above);

  const Problem& problem_;
  const Undetermined undetermined_;
  const std::vector<Goal> goals_;
  Branch branch_;
  Smt smt_;
  std::optional<Smt::Model> model_;  // of the literals on the path
  std::vector<Step> path_;           // for each decision of the branch
  GoalSearches searches_;
  std::optional<Smt::Model> at_leaf_;  // a model of it, to start those from
  std::deque<Cell> ready_;
  SearchPath above_;  // the path to where this search began
  Replay replay_;     // on the way there
  bool done_ = false;
};

}  // namespace wmi
