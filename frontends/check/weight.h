#pragma once

#include "frontends/check/place.h"
#include "frontends/check/ranges.h"

namespace wmi::check {

/// The product of the part's weights, summed over its Booleans that are not decided. Throws
/// Rejected where it is not determined.
Polynomial summed_weight(Place& here);

/// All that it may be where not all is known, and as far as the formula holds: so 0 is in it.
Interval range_of_weight(Place& here, const Ranges& ranges);

}  // namespace wmi::check
