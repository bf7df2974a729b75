#pragma once

#include <functional>

#include "frontends/check/path.h"

namespace wmi::check {

/// The product of weights, summed over all values of the Booleans. One that waits for a Boolean is
/// looked at for each of its values; one that waits for none, and whose condition is not false,
/// counts as its factor. Those that share a Boolean are summed together, others are multiplied.
/// Throws Rejected.
Polynomial summed(Path& path, const std::vector<const Weight*>& weights, Set booleans,
                  const std::function<Set(const Weight&)>& waits_for,
                  const std::function<Polynomial(const Weight&)>& factor);

}  // namespace wmi::check
