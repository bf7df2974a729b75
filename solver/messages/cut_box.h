#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "solver/enumerators/goal.h"
#include "solver/terms/interval.h"
#include "solver/terms/linear_form.h"
#include "solver/terms/problem.h"

namespace wmi {

/// A box that bounds of linear forms cut, with a weight that is a product of polynomials in one real
/// each:
///
///     0 <= x <= 1, 0 <= y <= 2, 1 <= 3 x + y, weight 5 x^2
///
/// Strict and other bounds are the same: their difference has no volume.
struct CutBox {
  struct Ends {
    std::optional<Rational> lower, upper;
  };
  struct Cut {
    LinearForm form;  // of at least two reals, without a constant; its first coefficient is 1
    Ends ends;
  };
  std::vector<std::pair<Rational, Rational>> sides;  // of each real
  std::vector<Cut> cuts;                             // of different directions
  Rational weight = 1;
  std::vector<Polynomial> weights;  // of each real, in itself

  /// The integral of the weight of a real over its side.
  Rational integral_over_side(Variable real) const;

  bool weighted() const {
    return !std::ranges::all_of(weights, [](const Polynomial& one) { return one.constant(); });
  }
};

/// The problem with the goal's condition, if it is of this kind, and the integral of its weight is
/// all that the goal wants. Otherwise nullopt.
std::optional<CutBox> cut_box(const Problem& problem, const Goal& goal);

/// The integral over a box with one cut, to so many significant digits: the probability that a sum of
/// independent uniforms is within bounds, whatever their number. nullopt if it is not known to be
/// positive.
std::optional<Interval> enclose(const CutBox& box, unsigned digits);

}  // namespace wmi
