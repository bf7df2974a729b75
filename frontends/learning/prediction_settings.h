#pragma once

#include <span>
#include <vector>

#include "bnn/collapse/collapse.h"
#include "bnn/data/dataset.h"
#include "bnn/predictive/predictive.h"
#include "frontends/cli/settings.h"

namespace wmi::frontends {

/// The settings that every command that predicts has: which weights are collapsed, their posterior,
/// and the likelihood.
std::vector<Setting> prediction_settings();

/// A command's own settings, followed by these. The table lives as long as the program.
std::span<const Setting> with_prediction_settings(std::span<const Setting> own);

/// Reads partition and posterior. Throws UsageError.
bnn::CollapseOptions read_collapse(const Settings& settings);

/// Reads the likelihood. A smoothed one is mixed with a uniform law over the range of the
/// standardised training targets. Throws UsageError, and Error for a smoothed one without them.
bnn::PredictiveOptions read_predictive(const Settings& settings, const bnn::Dataset* training);

}  // namespace wmi::frontends
