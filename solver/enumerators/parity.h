#pragma once

#include "solver/enumerators/defined.h"

namespace wmi {

/// Replaces constraints that one Boolean decides: an exclusive or of formulas over Booleans, one of
/// which, b, occurs nowhere else. Whatever the other Booleans are, exactly one value of b satisfies
/// it, so it may go together with one of the two values of b: it becomes a weight of 1/2.
///
/// Assertions are such constraints, and the conditions of goals that ask for the weight alone. A
/// parity of n Booleans, which has no cells that decide it early, then takes no search at all.
void remove_parities(Defined& defined);

}  // namespace wmi
