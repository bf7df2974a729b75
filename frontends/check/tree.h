#pragma once

#include <cstddef>
#include <vector>

#include "frontends/check/bytes.h"
#include "frontends/check/place.h"

namespace wmi::check {

/// What a tree has.
struct Counts {
  std::size_t leaves = 0, cells = 0, faces = 0, open = 0;
};

/// Reads the tree of a certificate and sums up the goals. Throws Rejected. Of the task, the terms
/// of the goals are part.
std::vector<Goal> check_tree(Bytes& in, const Task& task, std::vector<Goal> goals, Counts& counts);

}  // namespace wmi::check
