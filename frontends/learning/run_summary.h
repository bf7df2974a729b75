#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bnn/data/weights.h"
#include "frontends/data/run_directory.h"
#include "frontends/learning/report_page.h"

// What a report says of a run directory, in words and numbers.

namespace wmi::frontends {

/// Data, target, network, likelihood, samples, seed: a name and what it is. `rows` are those kept
/// for training; 0: none are.
std::vector<std::pair<std::string, std::string>> run_facts(const Run& run, std::size_t rows,
                                                           const bnn::Weights& sample);

/// Each layer, what it is, and the shapes of its tensors.
std::vector<std::pair<std::string, std::string>> layer_facts(const encoders::Network& network,
                                                             const bnn::Weights& sample);

/// How far samples lie apart, tensor by tensor, within each trajectory: weights of different ones
/// have nothing in common. `trajectories` has a number for each sample.
std::vector<TensorSpread> spread(std::span<const bnn::Weights> samples,
                                 std::span<const std::size_t> trajectories);

/// The settings of a recipe, a line each; the text as it stands when it is no flat JSON object.
std::string recipe_lines(const std::string& recipe);

/// The curves of a metrics.csv: a training and a validation loss for each trajectory, and for the
/// training that rates were chosen by, as far as it has them. Other columns and odd cells are
/// passed over.
std::vector<LossCurve> loss_curves(std::string_view metrics);

}  // namespace wmi::frontends
