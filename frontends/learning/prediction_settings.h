#pragma once

#include <optional>
#include <span>
#include <vector>

#include "bnn/collapse/collapse.h"
#include "bnn/data/dataset.h"
#include "bnn/predictive/predictive.h"
#include "bnn/predictive/predictive_choice.h"
#include "frontends/cli/settings.h"

namespace wmi::frontends {

/// The settings that every command that predicts has: which weights are collapsed, their posterior,
/// and the likelihood.
std::vector<Setting> prediction_settings();

/// A command's own settings, followed by these. The table lives as long as the program.
std::span<const Setting> with_prediction_settings(std::span<const Setting> own);

/// Reads partition and posterior; what is not given is as the training chose, if it did. Throws
/// UsageError.
bnn::CollapseOptions read_collapse(const Settings& settings,
                                   const std::optional<bnn::PredictiveChoice>& chosen);

/// The training's choice if its correction of the noise applies to these settings, else nullopt.
std::optional<bnn::PredictiveChoice> read_correction(
    const Settings& settings, const std::optional<bnn::PredictiveChoice>& chosen);

/// Reads the likelihood. A smoothed one is mixed with a uniform law over the range of the
/// standardised training targets. Throws UsageError, and Error for a smoothed one without them.
bnn::PredictiveOptions read_predictive(const Settings& settings, const bnn::Dataset* training);

}  // namespace wmi::frontends
