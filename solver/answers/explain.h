#pragma once

#include <cstddef>
#include <stop_token>
#include <vector>

#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/terms/interval.h"
#include "solver/terms/problem.h"

namespace wmi {

/// Truth values of the conditions of some definitions: in a network, which units are active.
struct Pattern {
  std::vector<bool> holds;  // the condition of each definition
  Interval mass;            // the integral of the weight there
  std::size_t cells = 0;    // convex pieces with this pattern
};

/// The patterns of the given defined reals that have volume, by falling mass (those of equal mass by
/// their conditions). Definitions whose condition depends on Booleans are left out.
struct Explanation {
  std::vector<Variable> definitions;
  std::vector<Pattern> patterns;
};

Explanation explain(const Problem& problem, const std::vector<Variable>& defined,
                    const Enumerator& enumerator, const Integrator& integrator,
                    const std::stop_token& stop = {});

}  // namespace wmi
