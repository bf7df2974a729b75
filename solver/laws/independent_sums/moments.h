#pragma once

#include <vector>

#include "solver/laws/independent_sums/boxes.h"

namespace wmi {

/// The moments of orders 0 ... most about the centre, exactly; those of odd order are 0.
std::vector<Rational> central_moments(const Boxes& law, unsigned most);

}  // namespace wmi
