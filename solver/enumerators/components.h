#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/enumerators/branch.h"
#include "solver/enumerators/cell.h"
#include "solver/enumerators/weight_evaluator.h"
#include "solver/geometry/product_region.h"

namespace wmi {

/// What is still open on a branch and hangs together: it shares a Boolean, a coordinate, or a block
/// of coordinates that the region ties together.
struct Component {
  std::vector<Formula> formulas;        // parts of the assertions that are not known yet
  std::vector<std::uint32_t> weights;   // by number, likewise
  std::vector<std::uint32_t> booleans;  // by node, ascending
  std::vector<Variable> coordinates;    // ascending
};

/// The open components, each with something open in it. With `all_weights` those that are settled,
/// but no numbers, count as open too.
std::vector<Component> components(const Problem& problem, const Branch& branch,
                                  const WeightEvaluator& weighing, const ProductRegion& region,
                                  bool all_weights);

/// Those of these formulas and weights (by number) of the problem.
std::vector<Component> components(const Problem& problem, const Branch& branch,
                                  const WeightEvaluator& weighing, const ProductRegion& region,
                                  bool all_weights, std::span<const Formula> formulas,
                                  std::span<const std::uint32_t> weights);

/// Those of these coordinates that no component has.
std::vector<Variable> in_none(const std::vector<Component>& components,
                              std::vector<Variable> coordinates);

/// A component as a problem of its own. Its reals and Booleans are numbered as they come, so that
/// the same rest of a problem, met on another path, is the same problem.
Part part(const Problem& problem, const Branch& branch, const ProductRegion& region,
          const Component& component);

}  // namespace wmi
