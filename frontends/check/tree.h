#pragma once

#include "frontends/check/check_state.h"

namespace wmi::check {

/// Reads the tree of a certificate and sums up the goals, whose formulas and terms are the
/// problem's. Throws Rejected.
std::vector<Goal> check_tree(Bytes& in, const Problem& problem, std::vector<Goal> goals,
                             Counts& counts);

}  // namespace wmi::check
