#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "solver/messages/cut_box.h"

namespace wmi {

/// Two cuts of a box with the same reals, in coordinates of the unit box, with integers:
///
///     lower < a.u < upper and lower < b.u < upper, 0 <= u <= 1, a > 0
///
/// Bounds that are missing are those that the forms have on the box.
struct UnitCuts {
  using Numbers = std::vector<Integer>;
  struct Form {
    Numbers coefficients;
    Integer lower, upper;
  };
  Form a, b;
  std::vector<Variable> reals;
  std::vector<bool> flipped;  // u = 0 is the upper end of the real

  /// nullopt if the cuts have different reals, if there is nothing in between, or if
  /// two reals have proportional coefficients.
  static std::optional<UnitCuts> of(const CutBox& box);

  /// a_i b_j - a_j b_i
  Integer minor(std::size_t i, std::size_t j) const {
    return a.coefficients[i] * b.coefficients[j] - a.coefficients[j] * b.coefficients[i];
  }

  /// Between both bounds of both, from what there is of a.u <= s and b.u <= t.
  Rational between(const std::function<Rational(const Integer& s, const Integer& t)>& below) const;
};

/// The indices of numbers in ascending order of these.
std::vector<std::size_t> order_of(const UnitCuts::Numbers& numbers);

}  // namespace wmi
