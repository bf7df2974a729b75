#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "solver/enumerators/branch.h"
#include "solver/enumerators/cell.h"
#include "solver/enumerators/defined.h"
#include "solver/enumerators/goal_searches.h"
#include "solver/enumerators/weight_evaluator.h"
#include "solver/geometry/product_region.h"

namespace wmi {

/// Makes cells at a point of a geometric search: a branch and the region of its literals.
class CellBuilder {
 public:
  /// `defined` must outlive this.
  explicit CellBuilder(const Defined& defined) : defined_(defined), weights_(defined.problem) {}

  const WeightEvaluator& weights() const { return weights_; }

  /// Adds the cells of goals that are determined, as formula and weights are. Leaves the branch as
  /// it was.
  void add_determined(Branch& branch, const ProductRegion& region,
                      std::span<const std::size_t> goals, std::vector<Cell>& cells) const;

  /// A quick necessary condition: can the open part of the problem, with this outcome of its
  /// inspection, be a product of independent components, for all goals?
  bool may_decompose(Outcome outcome, const Branch& branch, const ProductRegion& region) const;
  /// Is it one?
  bool decomposes(const Branch& branch, const ProductRegion& region) const;
  /// Adds a product cell unless its weight is 0; false if the problem does not decompose.
  bool add_product(const Branch& branch, const ProductRegion& region,
                   std::vector<Cell>& cells) const;

  /// Adds open cells for these goals, which have no part in other cells of this region.
  void add_open(const Branch& branch, const ProductRegion& region,
                std::span<const std::size_t> goals, std::vector<Cell>& cells) const;
  /// All goals, by number.
  std::vector<std::size_t> all_goals() const;

 private:
  void add_nested(Branch& branch, const ProductRegion& region, std::span<const std::size_t> goals,
                  std::vector<Cell>& cells) const;
  std::size_t open_booleans(const Branch& branch) const;
  Cell open_cell(const Branch& branch, const ProductRegion& region,
                 std::span<const std::size_t> goals,
                 const std::optional<Rational>& most_weight) const;
  std::optional<Cell> open_slice(const Branch& branch, const ProductRegion& region,
                                 const Slice& slice,
                                 const std::optional<Rational>& most_weight) const;
  std::optional<Cell> slice(const ProductRegion& region, const Slice& slice, const LinearForm& term,
                            const Polynomial& weight,
                            std::vector<AppliedFunction> functions = {}) const;

  const Defined& defined_;
  const WeightEvaluator weights_;
};

}  // namespace wmi
