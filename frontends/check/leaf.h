#pragma once

#include <functional>

#include "frontends/check/check_state.h"

namespace wmi::check {

/// FALSE: the path makes the formula false, the weight 0, or the queries' conditions false. This
/// and the others throw Rejected.
void check_false(const CheckState& state);

/// THIN: a combination of the path's rows shows that it has no volume.
void check_thin(const CheckState& state);

/// Reads a cell, and calls `action` with the path evaluated on it: its vertices decide atoms.
void on_cell(CheckState& state, const std::function<void(Cell&)>& action);

/// CELL: a product of polytopes with their vertices, over which the goals are integrated.
void check_cell(CheckState& state);

/// OPEN: a region like a cell, where formula, weights and terms may be undecided: bounds on the
/// integrals over it are added.
void check_open(CheckState& state);

}  // namespace wmi::check
