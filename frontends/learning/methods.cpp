#include "frontends/learning/methods.h"

#include <string>

#include "bnn/random.h"
#include "bnn/sampler.h"
#include "solver/error.h"

namespace wmi::frontends {
namespace {

constexpr Method table[] = {
    {"sgd", "the weights at the end of one training", false, "sgd", "none", "", true},
    {"swa", "the mean of the samples' weights", false, "swa", "none", "", true},
    {"average", "plain average over the samples", false, "", "none", "", true},
    {"swag", "samples of a Gaussian fitted to the trajectory", false, "swag", "none", "", true},
    {"minmax", "last layer collapsed: boxes from the least to the most", false, "", "last",
     "minmax", true},
    {"moment", "last layer collapsed: boxes of the samples' mean and variance", false, "", "last",
     "moment", true},
    {"conditional", "last layer collapsed: its posterior given the sample", false, "", "last",
     "conditional", true},
    {"sgld", "stochastic gradient Langevin dynamics", false, "sgld", "none", "", false},
    {"hmc", "Hamiltonian Monte Carlo; for small networks", false, "hmc", "none", "", false},
    {"dropout", "masks of a network with dropout", false, "dropout", "none", "", false},
    {"ensemble", "the last weights of each training", true, "ensemble", "none", "", true},
    {"pooled-average", "plain average over samples of all trainings", true, "", "none", "", true},
    {"pooled-minmax", "minmax, over samples of all trainings", true, "", "last", "minmax", true},
    {"pooled-moment", "moment, over samples of all trainings", true, "", "last", "moment", true},
    {"pooled-conditional", "conditional, over samples of all trainings", true, "", "last",
     "conditional", true},
};

struct Samples {
  std::vector<bnn::Weights> weights;
  std::vector<std::size_t> trajectories;
};

/// Of one trajectory all; of several, evenly spaced ones of each, `total` together.
Samples gather(const Method& method, const Experiment& experiment, std::size_t total) {
  Samples result;
  const std::size_t count = method.pooled ? experiment.trajectories.size() : 1;
  for (std::size_t t = 0; t < count; ++t) {
    const std::vector<bnn::Weights>& samples = experiment.trajectories[t];
    const std::size_t share =
        method.pooled ? std::max<std::size_t>(1, std::min(samples.size(), total / count))
                      : samples.size();
    for (std::size_t i = 1; i <= share; ++i) {  // the last is always among them
      result.weights.push_back(samples[samples.size() * i / share - 1]);
      result.trajectories.push_back(t);
    }
  }
  return result;
}

}  // namespace

std::span<const Method> methods() { return table; }

const Method& find_method(std::string_view name) {
  std::string names;
  for (const Method& method : table) {
    if (method.name == name) return method;
    names += (names.empty() ? "" : ", ") + std::string(method.name);
  }
  throw Error("no method named '" + std::string(name) + "'; choose from " + names);
}

std::vector<bnn::Forecast> forecasts(const Method& method, const Experiment& experiment,
                                     const bnn::Dataset& rows, std::size_t total,
                                     const bnn::PredictiveOptions& options) {
  Samples samples = gather(method, experiment, total);
  if (!method.sampler.empty()) {
    samples.weights =
        bnn::find_sampler(method.sampler)
            .run(experiment.network, experiment.observation, experiment.training, samples.weights,
                 samples.trajectories, {}, bnn::mixed(experiment.seed, 77));
    samples.trajectories.clear();
  }
  bnn::CollapseOptions collapse;
  collapse.partition = method.partition;
  collapse.posterior = method.posterior;
  const std::vector<bnn::CollapsedSample> collapsed =
      bnn::collapse(experiment.network, experiment.observation, samples.weights,
                    samples.trajectories, &experiment.training, collapse);
  return bnn::forecasts(experiment.network, experiment.observation, experiment.standardisation,
                        samples.weights, collapsed, rows, options);
}

}  // namespace wmi::frontends
