#pragma once

#include <vector>

#include "solver/terms/problem.h"

namespace wmi {

/// The integrated reals of a problem, in order, as the coordinates of its cells.
class Coordinates {
 public:
  explicit Coordinates(const Problem& problem);

  /// The real that each coordinate is.
  const std::vector<Variable>& variables() const { return variables_; }

  /// A polynomial or form in integrated reals only, in coordinates.
  Polynomial from_reals(const Polynomial& polynomial) const;
  LinearForm from_reals(LinearForm form) const;
  /// And back.
  LinearForm to_reals(LinearForm form) const;

 private:
  std::vector<Variable> variables_;
  std::vector<Variable> numbers_;  // of the coordinate of each real
};

}  // namespace wmi
