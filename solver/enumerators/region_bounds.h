#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>

#include "solver/enumerators/branch.h"
#include "solver/geometry/product_region.h"
#include "solver/terms/interval.h"

namespace wmi {

/// Of sums of products of a number in `a` and one in `b`, in which any product may be missing, as
/// of weights where a formula may not hold: what is above 0 and what is below are added up apart.
///
///     signed_product_bounds({-1, 1}, {-1, 1})  // [-2, 2]: 1 * 1 and -1 * -1 may both be there
Interval signed_product_bounds(const Interval& a, const Interval& b);

/// What may come of a place of a search that is not searched any further: the ranges of terms and
/// of the weight over its region, wherever the formula holds there.
///
/// A term that is affine by now has the range that its vertices give it; any other, what interval
/// arithmetic makes of its parts. A part of a region has no larger ranges than the whole, and
/// neither has the same region when more is decided.
class RegionBounds {
 public:
  /// Puts a form in the declared reals into the coordinates of the region; nothing as long as it
  /// has no place there.
  using Place = std::function<std::optional<LinearForm>(const LinearForm&)>;

  /// All must outlive this. Without `place`, the declared reals are the coordinates.
  RegionBounds(const Problem& problem, const Branch& branch, const ProductRegion& region,
               Place place = {})
      : problem_(problem), branch_(branch), region_(region), place_(std::move(place)) {}

  /// Nothing where it is not bounded.
  std::optional<Interval> range(const Polynomial& polynomial);

  /// Of these weights (by number), summed over those of these Booleans (by node) that are not
  /// decided, or 0 where the formula does not hold. Nothing where it is not bounded.
  std::optional<Interval> weight(std::span<const std::uint32_t> weights,
                                 std::span<const std::uint32_t> booleans) {
    return weight(weights, booleans, false);
  }
  /// The most that it can be of all weights and Booleans, if no weight is negative where its
  /// condition holds.
  std::optional<Rational> most_weight();

 private:
  std::optional<Interval> weight(std::span<const std::uint32_t> weights,
                                 std::span<const std::uint32_t> booleans, bool positive);
  std::optional<Interval> of_form(const LinearForm& form) const;
  std::optional<Interval> of_variable(Variable variable);
  std::optional<Interval> of_terms(const Polynomial& polynomial);

  const Problem& problem_;
  const Branch& branch_;
  const ProductRegion& region_;
  const Place place_;
  std::map<Variable, std::optional<Interval>> known_;
};

}  // namespace wmi
