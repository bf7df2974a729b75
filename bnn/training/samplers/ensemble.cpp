// Lakshminarayanan et al., "Simple and scalable predictive uncertainty estimation using deep
// ensembles", 2017: independent trainings, one point of each.

#include "bnn/training/samplers/points.h"

namespace wmi::bnn {

Samples draw_ensemble(const SamplerInput& input, const SamplerOptions&, std::uint64_t) {
  need_samples(input, 1);
  Samples result;
  for (std::size_t k = 0; k < input.trajectories.size(); ++k) {
    result.samples.push_back(input.trajectories[k].back());
    result.chains.push_back(k);
  }
  return result;
}

}  // namespace wmi::bnn
