#pragma once

#include <vector>

#include "frontends/formats/vnnlib.h"
#include "solver/terms/interval.h"

namespace wmi::frontends {

/// The smallest box that the bounds of single inputs in a property give: of a conjunction the
/// intersection, of a disjunction the smallest box around all. Equal ends are a constant input.
///
/// Throws Error, naming an input, if it is unbounded or no value is left for it.
std::vector<Interval> input_box(const Property& property);

}  // namespace wmi::frontends
