#pragma once

#include <cstddef>

#include "bnn/collapse/output_law.h"
#include "bnn/numeric/nodes.h"

namespace wmi::bnn {

/// Gauss-Legendre nodes on the polynomial pieces of the unit's law, and an atom where a ReLU is
/// dead: enough for averages of e^(iux), or in tails e^(ux), up to the frequency u = `highest`.
/// False when the unit has too many boxes, would need `limit` nodes or more, or where its density
/// cancels.
bool make_nodes(const Unit<double>& unit, double highest, Nodes& nodes, std::size_t limit);

}  // namespace wmi::bnn
