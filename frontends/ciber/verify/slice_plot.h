#pragma once

#include <stop_token>

#include "frontends/ciber/verify/verification_problem.h"
#include "frontends/plots/cell_plot.h"
#include "solver/enumerator.h"

namespace wmi::frontends {

/// The plane of two random inputs, with the cells of each region of the property: their borders are
/// exact. Throws Error unless exactly two inputs are random and no weight is, and for smooth layers,
/// behind which regions are known only between bounds.
CellPlot slice_plot(const VerificationProblem& problem, const Enumerator& enumerator,
                    const std::stop_token& stop = {});

/// The corners of a cell of two dimensions, in order around it; empty for one without area.
std::vector<Position> corners(const Cell& cell);

}  // namespace wmi::frontends
