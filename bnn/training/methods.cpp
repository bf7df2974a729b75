#include "bnn/training/methods.h"

#include <algorithm>
#include <string>

#include "bnn/numeric/random.h"
#include "bnn/predictive/predictive_choice.h"
#include "bnn/training/sampler.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

constexpr ComparedMethod table[] = {
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
    {"chosen", "all samples, collapsed and corrected as the training chose", true, "", "", "",
     false},
    {"all", "both layers of a small network collapsed: boxes as of moment", false, "", "all",
     "moment", false},
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

/// Of the first trajectory or of all, evenly spaced samples of each, `total` together.
std::vector<std::vector<Weights>> gather(const ComparedMethod& method, const Experiment& experiment,
                                         std::size_t total) {
  const std::size_t count = method.pooled ? experiment.trajectories.size() : 1;
  std::vector<std::vector<Weights>> result;
  for (std::size_t t = 0; t < count; ++t) {
    const std::vector<Weights>& samples = experiment.trajectories.at(t);
    const std::size_t share = std::clamp<std::size_t>(total / count, 1, samples.size());
    result.emplace_back();
    for (std::size_t i = 1; i <= share; ++i)  // the last is always among them
      result.back().push_back(samples[samples.size() * i / share - 1]);
  }
  return result;
}

}  // namespace

std::span<const ComparedMethod> methods() { return table; }

const ComparedMethod& find_method(std::string_view name) {
  std::string names;
  for (const ComparedMethod& method : table) {
    if (method.name == name) return method;
    names += (names.empty() ? "" : ", ") + std::string(method.name);
  }
  throw Error("no method named '" + std::string(name) + "'; choose from " + names);
}

std::vector<Forecast> forecasts(const ComparedMethod& method, const Experiment& experiment,
                                const Dataset& rows, std::size_t total,
                                const PredictiveOptions& options) {
  const std::vector<std::vector<Weights>> taken = gather(method, experiment, total);
  Samples samples;
  if (method.sampler.empty()) {
    for (std::size_t t = 0; t < taken.size(); ++t)
      for (const Weights& weights : taken[t]) {
        samples.samples.push_back(weights);
        samples.chains.push_back(t);
      }
  } else {
    SamplerOptions sampling;
    sampling.count = total;
    samples = find_sampler(method.sampler)
                  .draw({experiment.network, experiment.make_model, experiment.observation,
                         experiment.training, taken},
                        sampling, mixed(experiment.seed, 77));
  }
  CollapseOptions collapse;
  collapse.partition = method.partition;
  collapse.posterior = method.posterior;
  PredictiveOptions predicting = options;
  const PredictiveChoice choice = experiment.predictive.value_or(PredictiveChoice());
  collapse.options.lambda = choice.lambda;
  collapse.options.at_sample = choice.at_sample;
  collapse.options.temperature = choice.temperature;
  const bool chosen = method.name == "chosen";
  if (chosen) {
    collapse.partition = choice.collapsed ? "last" : "none";
  }
  if (options.noise.kind == OutcomeNoise::Kind::gaussian)
    predicting.noise =
        outcome_noise(experiment.observation, chosen && experiment.predictive ? &choice : nullptr);
  std::vector<CollapsedSample> collapsed =
      bnn::collapse(experiment.network, experiment.forward, experiment.observation, samples.samples,
                    samples.chains, &experiment.training, collapse);
  if (chosen) {
    for (CollapsedSample& sample : collapsed) sample.logit_scale = choice.scale;
    weigh_samples(choice, experiment.network, experiment.forward, samples.samples,
                  &experiment.training, collapse.options, collapsed);
  }
  return forecasts(experiment.network, experiment.forward, experiment.observation,
                   experiment.standardisation, samples.samples, collapsed, rows, predicting);
}

}  // namespace wmi::bnn
