#include "bnn/numeric/random.h"
#include "bnn/training/samplers/points.h"

namespace wmi::bnn {

Samples draw_trajectory(const SamplerInput& input, const SamplerOptions& options,
                        std::uint64_t seed) {
  need_samples(input, 1);
  Samples result;
  const std::size_t trajectories = input.trajectories.size();
  for (std::size_t k = 0; k < trajectories; ++k) {
    Recipe recipe = options.recipe;
    recipe.epochs = 0;
    recipe.samples = options.count / trajectories + (k < options.count % trajectories ? 1 : 0);
    Hooks hooks;
    hooks.stop = options.stop;
    const Trajectory more =
        train(input.network, input.make_model, input.observation, input.training, {}, recipe,
              mixed(seed, k), hooks, input.trajectories[k].back());
    result.samples.insert(result.samples.end(), more.samples.begin(), more.samples.end());
    result.chains.insert(result.chains.end(), more.samples.size(), k);
  }
  return result;
}

}  // namespace wmi::bnn
