// Izmailov et al., "Averaging weights leads to wider optima and better generalization", 2018.

#include "bnn/training/samplers/points.h"

namespace wmi::bnn {

Samples draw_swa(const SamplerInput& input, const SamplerOptions&, std::uint64_t) {
  need_samples(input, 1);
  const Layout layout = make_layout(input.trajectories[0][0]);
  return {{to_weights(layout, mean_of(layout, input.trajectories[0]))}, {0}, {}};
}

}  // namespace wmi::bnn
