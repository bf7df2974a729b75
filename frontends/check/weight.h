#pragma once

#include <functional>

#include "frontends/check/path.h"

namespace wmi::check {

/// The product of weights, summed over all values of the Booleans. A weight that depends on
/// Booleans is evaluated for each of their values; any other whose condition is not false
/// contributes its factor. Weights that share a Boolean are summed together; the sums are
/// multiplied. Throws Rejected.
Polynomial summed(Path& path, const std::vector<const Weight*>& weights, Set booleans,
                  const std::function<Set(const Weight&)>& depends_on,
                  const std::function<Polynomial(const Weight&)>& factor);

}  // namespace wmi::check
