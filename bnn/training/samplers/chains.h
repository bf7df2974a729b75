#pragma once

#include <atomic>
#include <cmath>
#include <functional>
#include <vector>

#include "bnn/numeric/parallel.h"
#include "bnn/numeric/random.h"
#include "bnn/training/convergence.h"
#include "bnn/training/log_posterior.h"
#include "bnn/training/sampler.h"
#include "solver/terms/error.h"

namespace wmi::bnn {

/// The result of one chain.
struct Chain {
  std::vector<std::vector<double>> draws;
  double acceptance = 1;
  double step = 0;
};

/// Runs the chains in parallel, collects their draws, and computes convergence diagnostics.
///
/// `run_chain(posterior, start, draws, random, tick)` makes one; it calls `tick` after each of the
/// `iterations`. Chains start from trajectories where there are any, and else from fresh weights.
template <class RunChain>
Samples run_chains(const SamplerInput& input, const SamplerOptions& options, std::uint64_t seed,
                   std::size_t iterations, const RunChain& run_chain) {
  if (options.chains == 0) throw Error("there must be a chain");
  const std::size_t draws = (options.count + options.chains - 1) / options.chains;
  std::vector<Chain> chains(options.chains);
  std::atomic<std::size_t> done = 0;
  const auto tick = [&] {
    if (options.stop.stop_requested()) throw Stopped();
    const std::size_t now = ++done;
    if (options.progress)
      options.progress(static_cast<double>(now) / static_cast<double>(iterations * options.chains));
  };
  const auto posterior = [&] {
    return LogPosterior(input.network, input.make_model, input.observation, input.training,
                        options.prior_deviation, options.noise_variance);
  };
  in_parallel(options.chains, options.threads, [&](std::size_t c) {
    LogPosterior target = posterior();
    const Weights* const before = input.trajectories.empty()
                                      ? nullptr
                                      : &input.trajectories[c % input.trajectories.size()].back();
    Random random(mixed(seed, 2 * c + 1));
    chains[c] = run_chain(target, target.start(before, mixed(seed, 2 * c)), draws, random, tick);
  });

  Samples result;
  LogPosterior target = posterior();
  // Draws of the function on some inputs, chain by chain.
  std::vector<std::size_t> some = shuffled(input.training.rows(), 1);
  some.resize(std::min<std::size_t>(some.size(), 20));
  const Matrix inputs = select(input.training, some).inputs;
  std::vector<std::vector<std::vector<double>>> values(
      inputs.rows(), std::vector<std::vector<double>>(chains.size()));
  double acceptance = 0, step = 0;
  for (std::size_t i = 0; i < draws; ++i)  // in turn, so that any first part has all chains alike
    for (std::size_t c = 0; c < chains.size() && result.samples.size() < options.count; ++c) {
      result.samples.push_back(to_weights(target.layout(), chains[c].draws[i]));
      result.chains.push_back(c);
    }
  for (std::size_t c = 0; c < chains.size(); ++c) {
    for (const std::vector<double>& draw : chains[c].draws) {
      const Matrix found = target.outputs(draw, inputs);
      for (std::size_t i = 0; i < inputs.rows(); ++i) values[i][c].push_back(found.at(i, 0));
    }
    acceptance += chains[c].acceptance / static_cast<double>(chains.size());
    step += chains[c].step / static_cast<double>(chains.size());
  }
  result.diagnostics.push_back({"acceptance rate", acceptance});
  result.diagnostics.push_back({"step", step});
  if (draws >= 4) {
    double worst = 1;
    for (const std::vector<std::vector<double>>& draws_of : values)
      worst = std::max(worst, split_r_hat(draws_of));
    result.diagnostics.push_back({"split R-hat of the outputs", worst});
  }
  return result;
}

}  // namespace wmi::bnn
