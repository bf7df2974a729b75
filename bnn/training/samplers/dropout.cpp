// Gal and Ghahramani, "Dropout as a Bayesian approximation", 2016. A mask over units is a change of
// the weights behind them: columns of the next linear layer times 0 or 1/(1 - p). So a draw is a
// sample of weights like any other, the same mask for all inputs.

#include <algorithm>
#include <map>

#include "bnn/numeric/random.h"
#include "bnn/training/samplers/points.h"

namespace wmi::bnn {
namespace {

/// The probability with which inputs of each linear layer are dropped, by its name.
std::map<std::string, double> dropped_inputs(const encoders::Network& network, double given) {
  std::map<std::string, double> drops, result;
  bool first = true;
  for (const encoders::NamedLayer& layer : network.layers)
    if (const auto* drop = std::get_if<encoders::Dropout>(&layer.layer))
      drops.emplace(layer.name, drop->drop.get_d());
  for (const encoders::NamedLayer& layer : network.layers) {
    const bool linear = std::holds_alternative<encoders::Linear>(layer.layer);
    for (const std::string& from : layer.from)
      if (const auto found = drops.find(from); found != drops.end()) {
        if (!linear)
          throw Error(layer.name + ": masks of '" + from +
                      "' are weights only where a linear layer follows");
        result.emplace(layer.name, found->second);
      }
    if (drops.empty() && linear && !first && given > 0) result.emplace(layer.name, given);
    if (linear) first = false;
  }
  if (result.empty())
    throw Error("the network has no dropout layers; train with dropout, or give its probability");
  return result;
}

}  // namespace

Samples draw_dropout(const SamplerInput& input, const SamplerOptions& options, std::uint64_t seed) {
  need_samples(input, 1);
  const std::map<std::string, double> drops = dropped_inputs(input.network, options.dropout);
  Samples result;
  Random random(seed);
  for (std::size_t i = 0; i < options.count; ++i) {
    const std::size_t trajectory = i % input.trajectories.size();
    Weights weights = input.trajectories[trajectory].back();
    for (const auto& [layer, drop] : drops) {
      const auto found = weights.find(layer + ".weight");
      if (found == weights.end()) throw Error("there is no tensor '" + layer + ".weight'");
      const std::size_t columns = found->second.shape.back();
      for (std::size_t j = 0; j < columns; ++j) {
        const double factor = random.uniform() < drop ? 0 : 1 / (1 - drop);
        for (std::size_t at = j; at < found->second.size(); at += columns) {
          double& entry = found->second.entries[at];
          entry = static_cast<float>(entry * factor);
        }
      }
    }
    result.samples.push_back(std::move(weights));
    result.chains.push_back(trajectory);
  }
  return result;
}

}  // namespace wmi::bnn
