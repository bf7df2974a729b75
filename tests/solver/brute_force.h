#pragma once

#include "solver/terms/problem.h"

namespace wmi::tests {

/// Does the formula hold at a point?
bool holds(const Terms& terms, Formula formula, const std::vector<Rational>& reals,
           const std::vector<bool>& booleans);

/// The polynomial, its definitions replaced by the pieces that they are at a point.
Polynomial piece_at(const Terms& terms, const Polynomial& polynomial,
                    const std::vector<Rational>& reals, const std::vector<bool>& booleans);

/// WMI(problem and event) by cylindrical decomposition: slow, exact, obvious, and independent of
/// Z3, cddlib and any triangulation. All reals are integrated, inside a box.
Rational brute_force(const Problem& problem, Formula event = truth);

}  // namespace wmi::tests
