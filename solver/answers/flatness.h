#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "solver/enumerator.h"

namespace wmi {

/// A warning for a problem whose formula has models, but none with volume around it: names the
/// real that is pinned. Nothing when there is volume, or no model at all.
std::optional<std::string> explain_flatness(const Problem& problem, const Enumerator& enumerator,
                                            std::stop_token stop);

}  // namespace wmi
