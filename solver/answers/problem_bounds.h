#pragma once

#include <optional>
#include <vector>

#include "solver/terms/interval.h"
#include "solver/terms/problem.h"

namespace wmi {

/// What can be said of a problem's weights and terms without enumerating its cells: intervals over
/// a box around the models. Coarse, cheap, and certain.
class ProblemBounds {
 public:
  explicit ProblemBounds(const Problem& problem);

  /// True when the weight is certainly nowhere negative.
  bool non_negative() const { return non_negative_; }

  /// An upper bound of the WMI, where the box is bounded and the weight not negative.
  const std::optional<Rational>& most() const { return most_; }

  /// All values that the polynomial takes on models, where the box bounds them.
  std::optional<Interval> range(const Polynomial& polynomial) const;

 private:
  void bound_reals();
  void bound_definitions();
  void bound_weight();

  const Problem& problem_;
  std::vector<std::optional<Rational>> lower_, upper_;  // of the declared reals
  std::vector<std::optional<Interval>> defined_;        // of all reals
  bool non_negative_ = true;
  std::optional<Rational> most_;
};

}  // namespace wmi
