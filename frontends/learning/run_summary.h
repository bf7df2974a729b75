#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bnn/data/weights.h"
#include "frontends/data/run_directory.h"
#include "frontends/learning/report_page.h"

// The part of a report that describes a run directory.

namespace wmi::frontends {

/// Data, target, network, likelihood, samples, seed: names and values. `rows` is the number of
/// training rows in the directory; 0: none.
std::vector<std::pair<std::string, std::string>> run_facts(const Run& run, std::size_t rows,
                                                           const bnn::Weights& sample);

/// The name of each layer, with its type, its inputs and the shapes of its tensors.
std::vector<std::pair<std::string, std::string>> layer_facts(const encoders::Network& network,
                                                             const bnn::Weights& sample);

/// How much samples differ, tensor by tensor, within each trajectory (weights of different
/// trajectories are not comparable). `trajectories` has the number of each sample's.
std::vector<TensorSpread> spread(std::span<const bnn::Weights> samples,
                                 std::span<const std::size_t> trajectories);

/// The settings of a recipe, one a line; the text unchanged if it is no flat JSON object.
std::string recipe_lines(const std::string& recipe);

/// The curves of a metrics.csv: training and validation losses of each trajectory, and of the
/// training that chose the sampling rate. Other columns and cells that are no numbers are skipped.
std::vector<LossCurve> loss_curves(std::string_view metrics);

}  // namespace wmi::frontends
