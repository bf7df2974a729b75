#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>

#include "solver/enumerators/branch.h"
#include "solver/geometry/product_region.h"
#include "solver/terms/interval.h"

namespace wmi {

/// Bounds of sums of products of a number in `a` and one in `b`, in which any product may be missing
/// (as of weights where a formula may not hold): positive and negative products are added up
/// separately.
///
///     signed_product_bounds({-1, 1}, {-1, 1});  // [-2, 2]: 1 * 1 and -1 * -1 may both occur
Interval signed_product_bounds(const Interval& a, const Interval& b);

/// Bounds of terms and of the weight over an unsearched region, wherever the formula holds there.
///
/// A term that is affine on the branch has the range of its values at the vertices; any other is
/// bounded by interval arithmetic. Ranges do not grow when the region shrinks or more is decided.
class RegionBounds {
 public:
  /// A form in the declared reals, in the coordinates of the region; nullopt if it is not (yet) a
  /// form in them.
  using ToCoordinates = std::function<std::optional<LinearForm>(const LinearForm&)>;

  /// All must outlive this. Without `to_coordinates`, the declared reals are the coordinates.
  RegionBounds(const Problem& problem, const Branch& branch, const ProductRegion& region,
               ToCoordinates to_coordinates = {})
      : problem_(problem),
        branch_(branch),
        region_(region),
        to_coordinates_(std::move(to_coordinates)) {}

  /// The range of a polynomial; nullopt if it is unbounded.
  std::optional<Interval> range(const Polynomial& polynomial);

  /// The range of the product of these weights (by number), summed over those of these Booleans (by
  /// node) that are not decided, or 0 where the formula does not hold; nullopt if it is unbounded.
  std::optional<Interval> weight(std::span<const std::uint32_t> weights,
                                 std::span<const std::uint32_t> booleans) {
    return weight(weights, booleans, false);
  }
  /// An upper bound of that for all weights and Booleans, if no weight is negative where its
  /// condition holds.
  std::optional<Rational> most_weight();

 private:
  std::optional<Interval> weight(std::span<const std::uint32_t> weights,
                                 std::span<const std::uint32_t> booleans, bool positive);
  std::optional<Interval> of_form(const LinearForm& form) const;
  std::optional<Interval> of_variable(Variable variable);
  /// Does the value of a real on the branch depend on smooth functions?
  bool has_functions(const Polynomial& value) const;
  std::optional<Interval> of_terms(const Polynomial& polynomial);

  const Problem& problem_;
  const Branch& branch_;
  const ProductRegion& region_;
  const ToCoordinates to_coordinates_;
  std::map<Variable, std::optional<Interval>> known_;
};

}  // namespace wmi
