#pragma once

#include <cstddef>

#include "solver/integrators/face_plan.h"

namespace wmi {

/// Carries a functional on series from the region down to its vertices: the transpose of the
/// recurrence of FacePlan. The integral is the sum of its values at the vertices.
///
/// `Numbers` provides the arithmetic. With L the functional of a face, which starts as 0 for all
/// faces but the region, and (q, p) the face's apex, it has
///
///     pull(face)           L[m] += sum over j of p_j/q L[m + e_j], by descending degree of m
///     take(face)           takes the value L[0]/q at a vertex
///     hand_down(face, i)   adds weight/q L to the functional of the i-th part
template <class Numbers>
void walk_down(const FacePlan& plan, Numbers& numbers) {
  for (std::size_t f = plan.faces().size(); f-- > 0;) {
    const FacePlan::Face& face = plan.faces()[f];
    numbers.pull(f);
    if (face.first == face.last) numbers.take(f);
    for (std::size_t i = face.first; i < face.last; ++i) numbers.hand_down(f, i);
  }
}

}  // namespace wmi
