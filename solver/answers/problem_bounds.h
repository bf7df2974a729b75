#pragma once

#include <optional>
#include <vector>

#include "solver/terms/interval.h"
#include "solver/terms/problem.h"

namespace wmi {

/// Bounds of a problem's weights and terms without enumerating its cells: interval arithmetic over a
/// bounding box of the models. Coarse, cheap, and certified.
class ProblemBounds {
 public:
  explicit ProblemBounds(const Problem& problem);

  /// True when the weight is certainly nowhere negative.
  bool non_negative() const { return non_negative_; }

  /// An upper bound of the WMI, if the box is bounded and the weight not negative.
  const std::optional<Rational>& most() const { return most_; }

  /// A range of the polynomial's values on models, if the box is bounded.
  std::optional<Interval> range(const Polynomial& polynomial) const;

 private:
  void bound_reals();
  void bound_definitions();
  void bound_weight();
  std::optional<Rational> most_in_box(const Rational& weight) const;
  std::optional<Rational> most_under_density() const;

  const Problem& problem_;
  std::vector<std::optional<Rational>> lower_, upper_;  // of the declared reals
  std::vector<std::optional<Interval>> defined_;        // of all reals
  bool non_negative_ = true;
  std::optional<Rational> most_;
};

}  // namespace wmi
