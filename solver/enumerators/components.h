#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/enumerators/branch.h"
#include "solver/enumerators/weight_evaluator.h"
#include "solver/geometry/product_region.h"

namespace wmi {

/// Open formulas and weights of a branch that are connected: directly or indirectly they share a
/// Boolean, a coordinate, or a block of coordinates of the region.
struct Component {
  std::vector<Formula> formulas;        // unknown conjuncts of the assertions
  std::vector<std::uint32_t> weights;   // by number, likewise
  std::vector<std::uint32_t> booleans;  // by node, ascending
  std::vector<Variable> coordinates;    // ascending
};

/// The connected components of the open formulas and weights. With `all_weights`, settled weights
/// that are not constant count as open too.
std::vector<Component> components(const Problem& problem, const Branch& branch,
                                  const WeightEvaluator& evaluator, const ProductRegion& region,
                                  bool all_weights);

/// The same for some formulas and weights (by number) of the problem.
std::vector<Component> components(const Problem& problem, const Branch& branch,
                                  const WeightEvaluator& evaluator, const ProductRegion& region,
                                  bool all_weights, std::span<const Formula> formulas,
                                  std::span<const std::uint32_t> weights);

/// The coordinates, of these, that belong to no component.
std::vector<Variable> in_none(const std::vector<Component>& components,
                              std::vector<Variable> coordinates);

}  // namespace wmi
