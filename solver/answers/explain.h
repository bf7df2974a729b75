#pragma once

#include <cstddef>
#include <stop_token>
#include <vector>

#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/terms/interval.h"
#include "solver/terms/problem.h"

namespace wmi {

/// Which of the cases of some definitions hold together: in a network, which units are active.
struct Pattern {
  std::vector<bool> holds;  // the condition of each definition
  Interval mass;            // the integral of the weight there
  std::size_t cells = 0;    // convex pieces with this pattern
};

/// The patterns of the given defined reals that have volume, the heaviest first (those of the same
/// mass by their conditions). Definitions whose condition is about Booleans are left out:
/// `definitions` says which are left.
struct Explanation {
  std::vector<Variable> definitions;
  std::vector<Pattern> patterns;
};

Explanation explain(const Problem& problem, const std::vector<Variable>& defined,
                    const Enumerator& enumerator, const Integrator& integrator,
                    const std::stop_token& stop = {});

}  // namespace wmi
