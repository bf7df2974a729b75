#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "solver/enumerator.h"

namespace wmi {

/// A warning for a problem whose models have no volume, which names the real that is pinned; nullopt
/// if they have volume, or there is no model.
std::optional<std::string> explain_flatness(const Problem& problem, const Enumerator& enumerator,
                                            const std::stop_token& stop);

}  // namespace wmi
