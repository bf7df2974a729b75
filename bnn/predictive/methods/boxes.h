#pragma once

#include <cmath>
#include <vector>

#include "bnn/collapse/output_law.h"

namespace wmi::bnn {

/// A sum of independent centred boxes (uniform laws) and a Gaussian.
struct BoxesAndGaussian {
  std::vector<double> half_widths;  // of the boxes, none 0
  double gaussian = 0;              // the standard deviation of the Gaussian

  /// `margin` and all half widths together.
  double reach(double margin) const {
    for (const double half : half_widths) margin += half;
    return margin;
  }
};

/// Splits terms into boxes: appends their half widths, and adds to the centre and the variance of
/// the sum. A term of order n is a sum of n equal boxes.
inline void add_boxes(const std::vector<WeightTerm<double>>& terms,
                      std::vector<double>& half_widths, double& centre, double& variance) {
  for (const WeightTerm<double>& term : terms) {
    centre += term.coefficient * (term.from + (term.to - term.from) / 2);
    const double half = std::abs(term.coefficient) * (term.to - term.from) /
                        (2.0 * static_cast<double>(term.order));
    if (!(half > 0)) continue;
    half_widths.insert(half_widths.end(), term.order, half);
    variance += static_cast<double>(term.order) * half * half / 3;
  }
}

}  // namespace wmi::bnn
