#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "bnn/data/dataset.h"
#include "bnn/data/observation.h"
#include "bnn/data/weights.h"
#include "bnn/training/train.h"
#include "encoders/network.h"

namespace wmi::bnn {

/// The input of a sampler.
struct SamplerInput {
  const encoders::Network& network;  // its parameters give the shapes
  ModelFactory make_model;           // for samplers that need gradients
  const Observation& observation;
  const Dataset& training;                             // standardised
  std::span<const std::vector<Weights>> trajectories;  // samples of earlier trainings; may be none
};

struct SamplerOptions {
  std::size_t count = 40;                // how many samples; point estimates are one
  Recipe recipe;                         // of the trajectory, to go on with it
  std::size_t rank = 20;                 // swag: of the low-rank part
  double dropout = 0;                    // dropout: of a network without dropout layers
  double prior_deviation = 1;            // sgld, hmc: of each weight
  std::optional<double> noise_variance;  // sgld, hmc: of homoscedastic noise, if it is known
  std::size_t chains = 4;                // sgld, hmc
  std::size_t warm_up = 0;    // iterations of a chain that are left out; 0: a usual number
  std::size_t thinning = 0;   // iterations from one draw to the next; 0: likewise
  double step = 0;            // sgld: the rate; 0: a usual one
  std::size_t leapfrog = 30;  // hmc: steps of an iteration
  double acceptance = 0.8;    // hmc: the rate that the step size is adapted to
  unsigned threads = 1;       // for chains; the result does not depend on it
  std::stop_token stop;
  std::function<void(double share)> progress;  // from any thread
};

struct Diagnostic {
  std::string name;
  double value;
};

struct Samples {
  std::vector<Weights> samples;
  std::vector<std::size_t> chains;  // of each sample: the chain or trajectory it came from
  std::vector<Diagnostic> diagnostics;
};

/// A method of drawing samples of weights; each is a file in samplers/. Throws Error, also when it
/// needs trajectories and there are none, and Stopped.
struct SamplerEntry {
  std::string_view name;
  std::string_view description;
  Samples (*draw)(const SamplerInput& input, const SamplerOptions& options, std::uint64_t seed);
};

/// The table of samplers.
std::span<const SamplerEntry> samplers();
/// Throws Error that lists the names.
const SamplerEntry& find_sampler(std::string_view name);

Samples draw_trajectory(const SamplerInput&, const SamplerOptions&, std::uint64_t seed);
Samples draw_sgd(const SamplerInput&, const SamplerOptions&, std::uint64_t seed);
Samples draw_swa(const SamplerInput&, const SamplerOptions&, std::uint64_t seed);
Samples draw_swag(const SamplerInput&, const SamplerOptions&, std::uint64_t seed);
Samples draw_ensemble(const SamplerInput&, const SamplerOptions&, std::uint64_t seed);
Samples draw_dropout(const SamplerInput&, const SamplerOptions&, std::uint64_t seed);
Samples draw_sgld(const SamplerInput&, const SamplerOptions&, std::uint64_t seed);
Samples draw_hmc(const SamplerInput&, const SamplerOptions&, std::uint64_t seed);

}  // namespace wmi::bnn
