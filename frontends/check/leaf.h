#pragma once

#include <functional>

#include "frontends/check/check_state.h"

namespace wmi::check {

/// FALSE: under the path the formula is false, the weight 0, or the queries' conditions false.
/// Throws Rejected, as do all of these.
void check_false(const CheckState& here);

/// THIN: a combination of the path's halfspaces shows that it has no volume.
void check_thin(const CheckState& here);

/// Reads the cell of a path, and does something on it, where what its vertices decide is known.
void on_cell(CheckState& here, const std::function<void(Cell&)>& action);

/// CELL: a product of polytopes with their vertices, which is integrated.
void check_cell(CheckState& here);

/// OPEN: the same, but nothing need be known there: what it may add is bounded.
void check_open(CheckState& here);

}  // namespace wmi::check
