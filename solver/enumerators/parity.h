#pragma once

#include "solver/enumerators/defined.h"

namespace wmi {

/// Replaces exclusive ors of formulas over Booleans that have Booleans of their own: some that occur
/// nowhere else, but for numbers as their weights. The sum over these depends on nothing but whether
/// an odd number of the other operands holds; without weights, not even on that.
///
/// An assertion of that kind becomes weights; so does the condition of a goal that asks for the
/// weight alone, where no other operands matter. A parity of n Booleans, which has no cells that
/// decide it early, then takes no search at all.
void remove_parities(Defined& defined);

}  // namespace wmi
