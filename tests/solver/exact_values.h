#pragma once

#include <vector>

#include "solver/terms/query.h"

namespace wmi::tests {

/// The exact answers; every enumerator and integrator must agree on them.
std::vector<Rational> values(const Problem& problem, std::vector<Query> queries);
Rational wmi(const Problem& problem, Formula event = truth);

}  // namespace wmi::tests
