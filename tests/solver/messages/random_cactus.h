#pragma once

#include "solver/terms/query.h"
#include "tests/solver/random_problem.h"

namespace wmi::tests {

/// A random problem whose graph is a tree of blocks of two or three variables, some Boolean, with
/// queries of all kinds. Reals may be derived, regions flat or, rarely, unbounded, and weights negative
/// unless they must be squares.
Task random_cactus(Random& random, int blocks, bool squares = false);

}  // namespace wmi::tests
