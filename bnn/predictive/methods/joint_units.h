#pragma once

#include <cstddef>

#include "bnn/collapse/output_law.h"
#include "bnn/numeric/nodes.h"

namespace wmi::bnn {

/// Nodes of the law of the units' sum, fine enough for averages of e^(iux) up to the frequency u =
/// `highest`: Gauss-Legendre nodes where each unit is on and where it is off, thinned to few. False
/// where that would take too many.
bool make_nodes(const JointUnits<double>& units, double highest, Nodes& nodes);

/// The log density of the units' sum plus Gaussian noise of this deviation, above 0, at any y: where
/// each pattern of units is on, the sum is normal, and the pattern is an orthant given y.
double log_density(const JointUnits<double>& units, double noise, double y);

}  // namespace wmi::bnn
