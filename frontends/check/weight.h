#pragma once

#include "frontends/check/cell.h"
#include "frontends/check/place.h"
#include "frontends/check/ranges.h"

namespace wmi::check {

inline void add(Roots& roots, const Weight& weight) {
  roots.formulas.push_back(weight.condition);
  roots.polynomials.push_back(weight.value);
}

/// Decides the atoms that may matter, as far as the vertices show a side. What is then left to wait
/// for is Booleans, and atoms that cut through the cell.
void decide(Path& path, const Cell& cell, const Roots& roots);

/// The product of the weights, summed over the Booleans that are not decided. Throws Rejected where
/// it is not determined.
Polynomial summed_weight(Place& here, const Cell& cell);

/// The same where not all is known, and as far as the formula holds: so 0 is always in it.
Interval range_of_weight(const Place& here, Ranges& ranges);

}  // namespace wmi::check
