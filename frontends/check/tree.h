#pragma once

#include "frontends/check/place.h"

namespace wmi::check {

/// Reads the tree of a certificate and sums up the goals, to which the terms of the problem belong.
/// Throws Rejected.
std::vector<Goal> check_tree(Bytes& in, const Problem& problem, std::vector<Goal> goals,
                             Counts& counts);

}  // namespace wmi::check
