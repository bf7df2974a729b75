#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/geometry/integers.h"
#include "solver/geometry/polytope.h"
#include "solver/terms/error.h"

namespace wmi {

/// The faces of a polytope, or their moments, would take more memory than the cap `plan`.
class PlanTooLarge : public GaveUp {
 public:
  using GaveUp::GaveUp;
};

/// Throws PlanTooLarge if the cap `plan` is below this.
void check_plan_memory(std::size_t bytes);

/// The recurrence that computes the integral over a polytope from its faces: their order, apexes
/// and weights, without any moments. Exact and rounded integrators share it.
///
/// With (q_i, p_i) the homogeneous vertices, the integral of x^m over a polytope triangulated into
/// simplices s is m!/(|m|+n)! [t^m] of
///
///     sum over s of  det(s) prod over i in s of  1/(q_i - <t,p_i>)
///
/// Pulling triangulations make this sum a recurrence over faces: a face F is the union of the
/// pyramids with apex v, one of its vertices, over those of its facets G that v is not on, so
///
///     I(F) = 1/(q_v - <t,p_v>) * sum over G of weight(F,G) I(G)
///
/// and a face that belongs to several others is computed once. Weights are positive integers
/// without a common divisor in each face; the product of the divisors taken out is `scale`.
class FacePlan {
 public:
  /// A face with its apex and its parts, `first` to `last`. A vertex has none: 1/(q_v - <t,p_v>).
  struct Face {
    std::uint32_t dimension;
    std::uint32_t apex;
    std::uint32_t slot;  // of its series, reused by other faces after its last use
    std::uint32_t first;
    std::uint32_t last;
  };

  /// Requires a region that is not flat. Throws PlanTooLarge.
  explicit FacePlan(const Polytope& region);

  /// Each face after all of its parts; the last one is the region.
  std::span<const Face> faces() const { return faces_; }
  /// The face of the i-th part, as an index into `faces`.
  std::size_t part(std::size_t i) const { return parts_[i]; }
  /// The weights of the parts.
  const Integers& weights() const { return weights_; }
  const Integer& scale() const { return scale_; }
  std::size_t slots() const { return slots_; }

 private:
  template <class Whole>
  class Builder;

  void assign_slots();

  std::vector<Face> faces_;
  std::vector<std::uint32_t> parts_;
  Integers weights_;
  Integer scale_;
  std::size_t slots_ = 0;
};

}  // namespace wmi
