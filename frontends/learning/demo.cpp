// ciber demo: ten points of a cubic with a gap between them, and three ways to average over
// networks: ten draws of a long Hamiltonian Monte Carlo run with the last layer collapsed, the same
// ten draws as they are, and all draws of the long run.

#include <fmt/format.h>

#include <cmath>
#include <thread>

#include "bnn/collapse.h"
#include "bnn/convergence.h"
#include "bnn/mlp.h"
#include "bnn/model.h"
#include "bnn/predictive.h"
#include "bnn/random.h"
#include "bnn/sampler.h"
#include "frontends/learning/command.h"
#include "frontends/learning/pictures.h"
#include "frontends/wmi/files.h"
#include "frontends/wmi/options.h"
#include "solver/error.h"

namespace wmi::frontends {
namespace {

constexpr Setting settings_table[] = {
    {"out", "FILE", "demo.svg", "the picture"},
    {"draws", "N", "2000", "of the long run"},
    {"samples", "N", "10", "of these, the ones that are collapsed"},
    {"hidden", "N,N", "10,10", "units of the hidden layers"},
    {"noise", "SIGMA", "0.1", "standard deviation of the outcomes around the cubic"},
    {"seed", "N", "1", "decides everything that is drawn"},
    {"threads", "N", "", "at once; the result does not depend on it (default: all cores)"},
};

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
    const bnn::Matrix found = bnn::outputs(network, draws.samples[i], grid);
    for (std::size_t g = 0; g < grid.rows(); ++g)
      values[g][draws.chains[i]].push_back(found.at(g, 0));
  }
  double worst = 1;
  for (const auto& chains : values) worst = std::max(worst, bnn::split_r_hat(chains));
  return worst;
}

/// The integral over the grid's interval of the distance between two forecasts' means, and between
/// the ends of their 90 % bands.
struct Distance {
  double mean = 0;
  double band = 0;
};

Distance distance(const std::vector<bnn::Forecast>& a, const std::vector<bnn::Forecast>& b) {
  Distance result;
  const double step = 2 * grid_end / static_cast<double>(grid_size - 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double weight = (i == 0 || i + 1 == a.size() ? 0.5 : 1) * step;
    result.mean += weight * std::abs(a[i].mean - b[i].mean);
    for (const std::size_t q : {1u, 5u})  // 5 % and 95 %
      result.band += weight * std::abs(a[i].quantiles[q] - b[i].quantiles[q]) / 2;
  }
  return result;
}

int demo(const Settings& settings, Terminal& terminal) {
  if (!settings.words().empty()) throw UsageError("demo: takes options only");
  const std::uint64_t seed = settings.count("seed", 0, SIZE_MAX);
  const double noise = settings.number("noise", 1e-3, 10);
  const unsigned threads = settings.given("threads")
                               ? static_cast<unsigned>(settings.count("threads", 1, 1024))
                               : std::max(1u, std::thread::hardware_concurrency());
  const bnn::Dataset data = toy_data(noise, seed);
  const encoders::Network network = bnn::mlp(1, settings.counts("hidden"), 1);
  bnn::Observation observation;
  observation.kind = bnn::Observation::Kind::homoscedastic;
  observation.least_variance = 0;

  bnn::SamplerOptions options;
  options.count = settings.count("draws", 100, 1'000'000);
  options.noise_variance = noise * noise;
  options.threads = threads;
  options.progress = [&](double share) {
    terminal.progress(fmt::format("Hamiltonian Monte Carlo: {:.0f} %", 100 * share));
  };
  const bnn::Samples draws =
      bnn::draw_hmc({network, observation, data, {}}, options, bnn::mixed(seed, 1));
  terminal.progress("");

  bnn::Dataset grid;
  grid.inputs = bnn::Matrix(grid_size, 1);
  for (std::size_t i = 0; i < grid_size; ++i)
    grid.inputs.at(i, 0) =
        grid_end * (2 * static_cast<double>(i) / static_cast<double>(grid_size - 1) - 1);
  for (const bnn::Diagnostic& diagnostic : draws.diagnostics)
    if (diagnostic.name.starts_with("acceptance"))
      terminal.print(fmt::format("reference: {} draws of {} chains, acceptance rate {:.2f}, ",
                                 draws.samples.size(), options.chains, diagnostic.value));
  terminal.print(fmt::format("split R-hat of the predictive mean {:.3f}\n",
                             worst_r_hat(network, draws, options.chains, grid.inputs)));

  const std::size_t count = settings.count("samples", 1, draws.samples.size() / 10);
  std::vector<bnn::Weights> few;
  for (std::size_t i = 1; i <= count; ++i) {
    const std::size_t which = draws.samples.size() * i / count - 1 - i % options.chains;
    few.push_back(draws.samples[which]);
  }
  bnn::PredictiveOptions predictive;
  predictive.threads = threads;
  const bnn::Standardisation none{{0}, {1}, 0, 1};
  const auto forecasts = [&](std::span<const bnn::Weights> samples, const char* partition) {
    bnn::CollapseOptions collapse;
    collapse.partition = partition;
    collapse.posterior = "conditional";
    collapse.options.lambda = 1 / (options.prior_deviation * options.prior_deviation);
    const auto collapsed = bnn::collapse(network, observation, samples, {}, &data, collapse);
    return bnn::forecasts(network, observation, none, samples, collapsed, grid, predictive);
  };
  terminal.progress("averaging");
  const std::vector<bnn::Forecast> collapsed = forecasts(few, "last");
  const std::vector<bnn::Forecast> plain = forecasts(few, "none");
  const std::vector<bnn::Forecast> reference = forecasts(draws.samples, "none");
  terminal.progress("");
  const std::string few_name = fmt::format("{} collapsed samples", count);
  const std::string plain_name = fmt::format("the same {} samples", count);
  for (const auto& [name, found] :
       {std::pair(&few_name, &collapsed), std::pair(&plain_name, &plain)}) {
    const Distance apart = distance(*found, reference);
    terminal.print(
        fmt::format("{}: mean {:.4f} and 90 % band {:.4f} from the reference (integrated over "
                    "[-1.5, 1.5])\n",
                    *name, apart.mean, apart.band));
  }

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
  save(settings.text("out"),
       to_svg(bands(
           "Ten points of a cubic: mean and 90 % band",
           {panel(few_name, collapsed), panel(plain_name, plain),
            panel(fmt::format("reference: {} HMC draws", draws.samples.size()), reference)})));
  terminal.print(fmt::format("the picture is in {}\n", settings.text("out")));
  return 0;
}

}  // namespace

Command demo_command() {
  return {"demo",
          "[options]",
          "Averages over networks that fit ten points: collapsed samples beside Monte Carlo.",
          settings_table,
          "  ciber demo --out demo.svg\n",
          demo};
}

}  // namespace wmi::frontends
