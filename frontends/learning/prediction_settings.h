#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bnn/collapse/collapse.h"
#include "bnn/data/dataset.h"
#include "bnn/predictive/predictive.h"
#include "frontends/cli/settings.h"
#include "frontends/data/run_directory.h"

namespace wmi::frontends {

/// The settings that say which weights are collapsed and with which likelihood: of every command
/// that predicts.
std::vector<Setting> prediction_settings();

/// The settings of a command and those of predicting, kept for the length of the program.
std::span<const Setting> with_prediction_settings(std::span<const Setting> own);

/// What these settings say.
bnn::CollapseOptions read_collapse(const Settings& settings);
/// The range of a smoothed likelihood is that of the standardised training targets.
bnn::PredictiveOptions read_predictive(const Settings& settings, const bnn::Dataset* training);

/// A run with its samples collapsed: ready to predict.
struct Predictor {
  Run run;
  std::vector<bnn::Weights> samples;
  std::vector<bnn::CollapsedSample> collapsed;
  std::optional<bnn::Dataset> training;
  bnn::CollapseOptions collapsing;
  bnn::PredictiveOptions options;
  std::vector<std::string> assumptions;  // what answers are exact with respect to
};

/// Reads a run directory as the settings ask. Throws Error and UsageError.
Predictor read_predictor(const std::string& path, const Settings& settings);

/// Rows to predict: inputs as the run's schema reads them, standardised, and, where the column is
/// there, outcomes in their own units (of classes: their numbers).
struct Rows {
  bnn::Matrix inputs;
  std::vector<double> outcomes;  // empty when they are not known
};
Rows read_rows(const Run& run, const std::string& path);
/// One row from words in the order of the schema: `3.5,red`.
Rows read_words(const Run& run, const std::string& words);

/// The row that --input, or --data and --row (from 0 on), name; --row alone: of the training rows.
Rows read_row(const Predictor& predictor, const Settings& settings);

}  // namespace wmi::frontends
