#include "frontends/learning/toy.h"

#include <fmt/format.h>

#include <cmath>

#include "bnn/collapse/collapse.h"
#include "bnn/collapse/float_forward.h"
#include "bnn/numeric/random.h"
#include "bnn/predictive/predictive.h"
#include "bnn/training/convergence.h"
#include "bnn/training/mlp.h"
#include "bnn/training/model.h"
#include "bnn/training/sampler.h"
#include "frontends/learning/pictures.h"

namespace wmi::frontends {
namespace {

constexpr std::size_t grid_size = 121;
constexpr double grid_end = 1.5;

/// Five inputs in [-1, -1/2], five in [1/2, 1], and noisy values of a cubic there.
bnn::Dataset toy_data(double noise, std::uint64_t seed) {
  bnn::Random random(seed);
  bnn::Dataset data;
  data.inputs = bnn::Matrix(10, 1);
  for (std::size_t i = 0; i < 10; ++i) {
    const double x = (i < 5 ? -1 : 0.5) + 0.5 * random.uniform();
    data.inputs.at(i, 0) = x;
    data.targets.push_back(2 * x * x * x + noise * random.normal());
  }
  return data;
}

/// The worst split R-hat of the network's mean over the grid.
double worst_r_hat(const encoders::Network& network, const bnn::Samples& draws,
                   std::size_t chain_count, const bnn::Matrix& grid) {
  std::vector<std::vector<std::vector<double>>> values(
      grid.rows(), std::vector<std::vector<double>>(chain_count));
  for (std::size_t i = 0; i < draws.samples.size(); ++i) {
    const bnn::Matrix found = bnn::outputs(network, bnn::make_model, draws.samples[i], grid);
    for (std::size_t g = 0; g < grid.rows(); ++g)
      values[g][draws.chains[i]].push_back(found.at(g, 0));
  }
  double worst = 1;
  for (const auto& chains : values) worst = std::max(worst, bnn::split_r_hat(chains));
  return worst;
}

Toy::Distance distance(const std::vector<bnn::Forecast>& a, const std::vector<bnn::Forecast>& b) {
  Toy::Distance result;
  const double step = 2 * grid_end / static_cast<double>(grid_size - 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double weight = (i == 0 || i + 1 == a.size() ? 0.5 : 1) * step;
    result.mean += weight * std::abs(a[i].mean - b[i].mean);
    for (const std::size_t q : {1u, 5u})  // 5 % and 95 %
      result.band += weight * std::abs(a[i].quantiles[q] - b[i].quantiles[q]) / 2;
  }
  return result;
}

}  // namespace

Toy average_toy(const ToyOptions& options) {
  const bnn::Dataset data = toy_data(options.noise, options.seed);
  const encoders::Network network = bnn::mlp(1, options.hidden, 1);
  bnn::Observation observation;
  observation.kind = bnn::Observation::Kind::homoscedastic;
  observation.least_variance = 0;

  bnn::SamplerOptions sampling;
  sampling.count = options.draws;
  sampling.noise_variance = options.noise * options.noise;
  sampling.threads = options.threads;
  sampling.progress = options.progress;
  sampling.stop = options.stop;
  const bnn::Samples draws = bnn::draw_hmc({network, bnn::make_model, observation, data, {}},
                                           sampling, bnn::mixed(options.seed, 1));

  bnn::Dataset grid;
  grid.inputs = bnn::Matrix(grid_size, 1);
  for (std::size_t i = 0; i < grid_size; ++i)
    grid.inputs.at(i, 0) =
        grid_end * (2 * static_cast<double>(i) / static_cast<double>(grid_size - 1) - 1);
  Toy toy;
  toy.draws = draws.samples.size();
  toy.chains = sampling.chains;
  for (const bnn::Diagnostic& diagnostic : draws.diagnostics)
    if (diagnostic.name.starts_with("acceptance")) toy.acceptance = diagnostic.value;
  toy.r_hat = worst_r_hat(network, draws, sampling.chains, grid.inputs);

  std::vector<bnn::Weights> few;
  for (std::size_t i = 1; i <= options.samples; ++i) {
    const std::size_t which = draws.samples.size() * i / options.samples - 1 - i % sampling.chains;
    few.push_back(draws.samples[which]);
  }
  bnn::PredictiveOptions predictive;
  predictive.threads = options.threads;
  const bnn::Standardisation none{{0}, {1}, 0, 1};
  const auto forecasts = [&](std::span<const bnn::Weights> samples, const char* partition) {
    bnn::CollapseOptions collapse;
    collapse.partition = partition;
    collapse.posterior = "conditional";
    collapse.options.lambda = 1 / (sampling.prior_deviation * sampling.prior_deviation);
    const auto collapsed =
        bnn::collapse(network, bnn::float_forward, observation, samples, {}, &data, collapse);
    return bnn::forecasts(network, bnn::float_forward, observation, none, samples, collapsed, grid,
                          predictive);
  };
  const std::vector<bnn::Forecast> collapsed = forecasts(few, "last");
  const std::vector<bnn::Forecast> plain = forecasts(few, "none");
  const std::vector<bnn::Forecast> reference = forecasts(draws.samples, "none");
  toy.collapsed = distance(collapsed, reference);
  toy.plain = distance(plain, reference);

  const auto panel = [&](const std::string& title, const std::vector<bnn::Forecast>& found) {
    BandPanel result;
    result.title = title;
    for (std::size_t i = 0; i < grid_size; ++i) {
      result.x.push_back(grid.inputs.at(i, 0));
      result.mean.push_back(found[i].mean);
      result.lower.push_back(found[i].quantiles[1]);
      result.upper.push_back(found[i].quantiles[5]);
    }
    result.data_x = data.inputs.entries;
    result.data_y = data.targets;
    return result;
  };
  toy.picture =
      bands("Ten points of a cubic: mean and 90 % band",
            {panel(fmt::format("{} collapsed samples", options.samples), collapsed),
             panel(fmt::format("the same {} samples", options.samples), plain),
             panel(fmt::format("reference: {} HMC draws", draws.samples.size()), reference)});
  return toy;
}

}  // namespace wmi::frontends
