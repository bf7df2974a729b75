#pragma once

#include <vector>

#include "bnn/predictive/predictive.h"
#include "bnn/training/methods.h"
#include "frontends/cli/settings.h"

// The settings of `ciber evaluate` that its two kinds have in common.

namespace wmi::frontends {

/// The methods of `--methods`; by default the standard ones. `several`: there is more than one
/// trajectory, so that methods that pool them fit. Throws Error and UsageError.
std::vector<const bnn::ComparedMethod*> compared_methods(const Settings& settings, bool several);

/// The floor of densities. Throws UsageError.
bnn::PredictiveOptions evaluation_options(const Settings& settings);

}  // namespace wmi::frontends
