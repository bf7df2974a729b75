#pragma once

#include "solver/laws/law.h"
#include "tests/solver/random_problem.h"

namespace wmi::tests {

/// A law with up to three point masses and up to three pieces, nowhere negative, of some mass above
/// 0: pieces are squares, powers of distances from their ends, or constants; some touch or overlap.
Law random_law(Random& random);

}  // namespace wmi::tests
