#pragma once

#include <vector>

#include "bnn/training/parameters.h"
#include "bnn/training/sampler.h"
#include "solver/terms/error.h"

namespace wmi::bnn {

/// Throws Error unless there are trajectories, each with at least `count` samples.
inline void need_samples(const SamplerInput& input, std::size_t count) {
  if (input.trajectories.empty()) throw Error("there is no trajectory to sample from");
  for (const std::vector<Weights>& trajectory : input.trajectories)
    if (trajectory.size() < count)
      throw Error("a trajectory has " + std::to_string(trajectory.size()) + " samples, and " +
                  std::to_string(count) + " are needed");
}

/// The mean of samples, as a vector.
inline std::vector<double> mean_of(const Layout& layout, const std::vector<Weights>& samples) {
  std::vector<double> result(layout.size);
  for (const Weights& weights : samples) {
    const std::vector<double> entries = to_vector(layout, weights);
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] += entries[i] / static_cast<double>(samples.size());
  }
  return result;
}

}  // namespace wmi::bnn
