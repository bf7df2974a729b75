#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "encoders/affine_tensor.h"
#include "solver/terms/interval.h"

namespace wmi::encoders {

/// Decides in doubles, with a proven error, whether an affine form has one sign for all values of
/// its variables within their ranges. What it does not decide is left to exact numbers.
class SignFilter {
 public:
  void set_range(Variable variable, const Interval& range);

  /// 1 if the form is above 0 throughout, -1 if it is below; of a constant, its sign. nullopt if
  /// that is not certain.
  std::optional<int> sign(const AffineTensor& tensor, std::size_t entry) const;

 private:
  struct Range {
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();
  };
  std::vector<Range> ranges_;  // of each variable, rounded outwards
};

}  // namespace wmi::encoders
