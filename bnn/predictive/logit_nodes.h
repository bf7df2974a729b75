#pragma once

#include "bnn/collapse/output_law.h"
#include "bnn/numeric/nodes.h"
#include "bnn/predictive/logit_law.h"

namespace wmi::bnn {

/// The law of a logit as points and positive masses, for averages of any function, also one with
/// corners.
Nodes nodes_of(const OutputLaw<double>& logit);
Nodes nodes_of(const LogitLaw& law);

/// Steps of this length are short enough for such functions as SmoothNodes are for.
inline constexpr double smooth_width = 0.38;

/// Fewer of them, for functions that are analytic and bounded where the imaginary part is below
/// pi / 2, like e^(-e^z) and the sigmoid: averages are right to about 1e-10.
struct SmoothNodes : Nodes {
  /// If it is not 0, the points ascend at distances of smooth_width / per_width.
  unsigned per_width = 0;
  /// If it is not 0, the law is normal with this deviation and the one point as its mean, and too
  /// wide for nodes (wide_logit.h).
  double wide_deviation = 0;
};
SmoothNodes smooth_nodes_of(const OutputLaw<double>& logit);
/// For average_softmax: the same, without nodes for wide normal laws.
SmoothNodes softmax_nodes_of(const OutputLaw<double>& logit);

}  // namespace wmi::bnn
