#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bnn/collapse/collapse.h"
#include "bnn/data/dataset.h"
#include "bnn/data/weights.h"
#include "bnn/predictive/predictive.h"
#include "frontends/cli/settings.h"
#include "frontends/data/run_directory.h"

namespace wmi::frontends {

/// A run whose samples are collapsed, ready to predict.
struct Predictor {
  Run run;
  std::vector<bnn::Weights> samples;
  std::vector<bnn::CollapsedSample> collapsed;  // one for each sample
  std::optional<bnn::Dataset> training;         // standardised; nullopt if the run kept none
  bnn::CollapseOptions collapsing;
  bnn::PredictiveOptions options;
  std::vector<std::string> assumptions;  // what predictions are exact with respect to
};

/// Reads a run directory and collapses its samples as the prediction settings say. Throws Error and
/// UsageError.
Predictor read_predictor(const std::string& path, const Settings& settings);

/// The forward pass of all samples on standardised inputs, a row each: the outputs, and what enters
/// the collapsed layer.
std::vector<bnn::Activations> forward(const Predictor& predictor, const bnn::Matrix& inputs);

/// Forecasts for standardised rows; with targets, scored with them.
std::vector<bnn::Forecast> forecasts(const Predictor& predictor, const bnn::Dataset& rows);

}  // namespace wmi::frontends
