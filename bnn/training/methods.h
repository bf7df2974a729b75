#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "bnn/collapse/collapse.h"
#include "bnn/data/dataset.h"
#include "bnn/data/forecast.h"
#include "bnn/data/observation.h"
#include "bnn/data/weights.h"
#include "bnn/predictive/predictive.h"
#include "bnn/predictive/predictive_choice.h"
#include "bnn/training/model.h"
#include "encoders/network.h"

namespace wmi::bnn {

/// The data that methods are compared on: one network, trained once or more often on the same rows.
struct Experiment {
  encoders::Network network;
  Forward forward;  // runs the network
  ModelFactory make_model;
  Observation observation;
  Standardisation standardisation;
  Dataset training;                                // standardised
  std::vector<std::vector<Weights>> trajectories;  // samples of each, in their order
  std::uint64_t seed = 0;
  std::optional<PredictiveChoice> predictive = {};  // what the training chose, if it did
};

/// How forecasts are made from samples: which samples, and which of their weights stay unknown.
struct ComparedMethod {
  std::string_view name;
  std::string_view description;
  bool pooled;               // over all trajectories, a share of the samples from each
  std::string_view sampler;  // a name of bnn::samplers(); empty: the samples as they are
  std::string_view partition;
  std::string_view posterior;
  bool standard;  // compared unless methods are named
};

/// The table of methods; the others are compared with `average`, the plain one.
std::span<const ComparedMethod> methods();
/// Throws Error that lists the names.
const ComparedMethod& find_method(std::string_view name);

/// The forecasts of a method for standardised rows, from `total` samples in all.
std::vector<Forecast> forecasts(const ComparedMethod& method, const Experiment& experiment,
                                const Dataset& rows, std::size_t total,
                                const PredictiveOptions& options);

}  // namespace wmi::bnn
