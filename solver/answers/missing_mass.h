#pragma once

#include <optional>

#include "solver/terms/interval.h"

namespace wmi {

/// The contribution of open regions that are missing from a sum, for nonnegative weights:
/// the integral over them of the weight times some term.
struct MissingMass {
  std::optional<Rational> weight = Rational(0);  // an upper bound of the integral of the weight
  std::optional<Interval> value = Interval();    // bounds of the whole contribution
  std::optional<Interval> range = {};            // of the term, on all open regions
  bool any = false;                              // is there an open region?

  /// One more region: an upper bound of the weight's integral over it, and the range of the term;
  /// nullopt if unbounded.
  void add(const std::optional<Rational>& most_weight, const std::optional<Interval>& of_term);
  void add(const MissingMass& other);
};

}  // namespace wmi
