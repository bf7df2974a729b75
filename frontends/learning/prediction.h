#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/terms/interval.h"

namespace wmi::frontends {

/// One number of a prediction, in doubles or as an interval that certainly holds it.
struct Quantity {
  std::string name;                     // `mean`, `low_0.9`, `p_red`
  double value = 0;                     // NaN: unknown, as the score of a missing outcome
  std::optional<Interval> bounds = {};  // of a certified number
  std::string text = {};                // the exact fraction, if it is short; of `class`, its name
  int digits = 17;                      // of the bounds, as printed
  bool certified = false;               // it has bounds in other rows, if not in this one
};

/// What is predicted for one row.
struct Prediction {
  std::vector<Quantity> quantities;
  double estimated_error = 0;  // of probabilities, where two layers are collapsed; 0: rounding only
  std::string error = {};      // why there are no quantities; empty: there are
};

}  // namespace wmi::frontends
