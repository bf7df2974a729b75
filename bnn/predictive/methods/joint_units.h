#pragma once

#include <vector>

#include "bnn/collapse/output_law.h"
#include "bnn/numeric/nodes.h"

namespace wmi::bnn {

/// The units that may be on or off, A_u with the contribution f_u(A_u) + linear_u * A_u. The others,
/// which are certainly on (or off), are normal given these: that is in the linear parts, the constant
/// and the deviation of an independent normal number.
struct OpenUnits {
  JointUnits<double> units;
  std::vector<double> linear;
  double constant = 0;
  double deviation = 0;
};

/// A unit is open if both have a probability that doubles see.
OpenUnits open_units(const JointUnits<double>& units);

/// Nodes of the law of the sum without the normal number, fine enough for averages of e^(iux) up to
/// the frequency u = `highest`: Gauss-Legendre nodes where each unit is on and where it is off,
/// thinned to few. False where that would take too many.
bool make_nodes(const OpenUnits& units, double highest, Nodes& nodes);

/// The log density of the units' sum plus Gaussian noise of this deviation, above 0, at any y: where
/// each pattern of units is on, the sum is normal, and the pattern is an orthant given y.
double log_density(const JointUnits<double>& units, double noise, double y);

}  // namespace wmi::bnn
