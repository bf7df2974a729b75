// Maddox et al., "A simple baseline for Bayesian uncertainty in deep learning", 2019. The weights
// of a trajectory have mean m, variances s^2 and, in the last K of them, deviations D from m; draws
// are
//
//     m + s z / sqrt(2) + D z' / sqrt(2 (K - 1)),   z and z' standard normal,
//
// with the covariance (diag(s^2) + D D' / (K - 1)) / 2. The diagonal enters by its standard
// deviation s: published code that multiplies z by s^2 draws from another law.

#include <algorithm>
#include <cmath>

#include "bnn/numeric/random.h"
#include "bnn/training/samplers/points.h"

namespace wmi::bnn {

Samples draw_swag(const SamplerInput& input, const SamplerOptions& options, std::uint64_t seed) {
  need_samples(input, 2);
  const Layout layout = make_layout(input.trajectories[0][0]);
  const std::size_t trajectories = input.trajectories.size();
  Samples result;
  for (std::size_t k = 0; k < trajectories; ++k) {
    const std::vector<Weights>& samples = input.trajectories[k];
    const std::vector<double> mean = mean_of(layout, samples);
    std::vector<double> deviation(layout.size);
    std::vector<std::vector<double>> columns;
    const std::size_t rank = std::min(options.rank, samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
      std::vector<double> difference = to_vector(layout, samples[i]);
      for (std::size_t j = 0; j < layout.size; ++j) {
        difference[j] -= mean[j];
        deviation[j] += difference[j] * difference[j] / static_cast<double>(samples.size());
      }
      if (i + rank >= samples.size()) columns.push_back(std::move(difference));
    }
    for (double& entry : deviation) entry = std::sqrt(entry);
    Random random(mixed(seed, k));
    const std::size_t count =
        options.count / trajectories + (k < options.count % trajectories ? 1 : 0);
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<double> drawn = mean;
      const double half = rank > 1 ? std::sqrt(0.5) : 1;  // all of it where there is no low rank
      for (std::size_t j = 0; j < layout.size; ++j)
        drawn[j] += half * deviation[j] * random.normal();
      if (rank > 1)
        for (const std::vector<double>& column : columns) {
          const double factor = random.normal() / std::sqrt(2.0 * static_cast<double>(rank - 1));
          for (std::size_t j = 0; j < layout.size; ++j) drawn[j] += factor * column[j];
        }
      result.samples.push_back(to_weights(layout, drawn));
      result.chains.push_back(k);
    }
  }
  return result;
}

}  // namespace wmi::bnn
