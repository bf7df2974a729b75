#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stop_token>

#include "solver/enumerator.h"
#include "solver/enumerators/branch.h"
#include "solver/enumerators/defined.h"

namespace wmi {

/// The subtree below a path whose region has too many vertices: it is left to the reference
/// enumerator, which needs none.
class HandedOver {
 public:
  /// The problem must outlive this. `goals` are those of `defined` that are still searched for. With
  /// a path `below`, only what is there.
  template <class Decisions>
  HandedOver(const Defined& defined, const Decisions& path, std::span<const Goal> goals,
             const std::stop_token& stop, const SearchPath& below = {})
      : defined_(defined), problem_(std::make_unique<Problem>(defined.problem)) {
    for (const auto& decision : path)
      problem_->assertions.emplace_back(decision.node, !decision.holds);
    cells_ = make_z3()->start_at(below, *problem_, goals, stop);
  }

  /// The next cell, in the variables of the problem as it was; nullopt after the last.
  std::optional<Cell> next() {
    std::optional<Cell> cell = cells_->next();
    if (cell)
      for (Variable& variable : cell->variables) variable = defined_.variables[variable];
    return cell;
  }

  /// That of the reference enumerator, below the node that hands over.
  SearchTree tree() const {
    return SearchTree::inner({SearchNode::Kind::reference}, {*cells_->tree()});
  }

 private:
  const Defined& defined_;
  std::unique_ptr<Problem> problem_;
  std::unique_ptr<Cells> cells_;
};

}  // namespace wmi
