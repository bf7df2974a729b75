#pragma once

#include <stop_token>

#include "solver/terms/problem.h"

namespace wmi {

/// Throws Error if a derived real has two values on a region with volume: then it is no function of
/// the integrated reals. (If it has no value, the search for cells refuses the cell.)
void check_single_valued(const Problem& problem, const std::stop_token& stop);

}  // namespace wmi
