// ciber sample: more samples of a run's weights, by any of the samplers.

#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <map>

#include "bnn/numeric/random.h"
#include "bnn/training/model.h"
#include "bnn/training/sampler.h"
#include "frontends/cli/supervised.h"
#include "frontends/cli/usage_error.h"
#include "frontends/common/json_writer.h"
#include "frontends/common/line.h"
#include "frontends/data/directory_lock.h"
#include "frontends/data/run_directory.h"
#include "frontends/learning/commands.h"
#include "frontends/learning/run_recipe.h"
#include "frontends/learning/thread_count.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

constexpr Setting sample_settings[] = {
    {"sampler", "NAME", "trajectory",
     "trajectory (goes on at the sampling rate), sgd (last point), swa (mean weights), swag, "
     "ensemble (last points), dropout, sgld, hmc",
     kind::OneOf{.table = names_of<bnn::samplers>, .noun = "sampler"}},
    {"count", "N", "40", "how many samples", kind::Count{1, 1'000'000}},
    {"out", "RUN", "", "a new run directory for them (default: they are added to RUN)"},
    {"rank", "N", "20", "swag: of the low-rank part", kind::Count{0, 10'000}},
    {"dropout", "P", "0", "dropout: of a network that has no dropout layers",
     kind::Number{0, 0.99}},
    {"prior", "X", "1", "sgld, hmc: standard deviation of each weight in the prior",
     kind::Number{1e-9, 1e9}},
    {"noise", "X", "",
     "sgld, hmc: standard deviation of homoscedastic noise, in the target's units, if it is known",
     kind::Number{1e-300, 1e300}},
    {"chains", "N", "4", "sgld, hmc: independent chains", kind::Count{1, 10'000}},
    {"warm-up", "N", "", "sgld, hmc: first iterations that are left out (default: 2000, 500)",
     kind::Count{1, 1'000'000'000}},
    {"thinning", "N", "", "sgld, hmc: iterations between samples (default: 200, 5)",
     kind::Count{1, 1'000'000'000}},
    {"leapfrog", "N", "30", "hmc: steps of an iteration", kind::Count{1, 100'000}},
    {"acceptance", "X", "0.8", "hmc: the rate that the step size is adapted to",
     kind::Number{0.1, 0.99}},
    {"step", "X", "", "sgld: learning rate; hmc: first step size", kind::Number{1e-12, 1e3}},
    {"fresh", "", "", "sgld, hmc: chains start from fresh weights, not from the run's samples"},
    {"seed", "N", "", "decides everything that is drawn (default: from that of RUN)",
     kind::Count{0}},
    {"threads", "N", "", "at once; the result does not depend on it (default: all cores)",
     kind::Count{1, 1'024}},
};

constexpr std::string_view examples =
    "  ciber sample houses.run --count 40\n"
    "  ciber sample houses.run --sampler swag --count 100 --out houses.swag\n"
    "  ciber sample toy.run --sampler hmc --fresh --count 400 --out toy.hmc\n";

/// The network with a sample's tensors as its parameters, which give the shapes.
encoders::Network with_shapes(encoders::Network network, const bnn::Weights& weights) {
  for (const auto& [name, tensor] : weights)
    if (name != bnn::raw_variance_name) {
      encoders::Tensor<Rational> exact;
      exact.shape = tensor.shape;
      for (const double entry : tensor.entries) exact.entries.emplace_back(entry);
      network.parameters.insert_or_assign(name, std::move(exact));
    }
  return network;
}

/// The recipe that a run of these samples records.
std::string recipe_json(const Settings& settings, const bnn::Samples& found, std::uint64_t seed) {
  JsonObject result(JsonSpacing::blanks);
  result.add("sampler", settings.text("sampler")).add("seed", std::to_string(seed));
  for (const bnn::Diagnostic& diagnostic : found.diagnostics)
    result.add(diagnostic.name, fmt::format("{:.6g}", diagnostic.value));
  return result.text();
}

bnn::SamplerOptions read_options(const Settings& settings, const Run& run) {
  bnn::SamplerOptions options;
  options.count = settings.count("count");
  options.recipe = recipe_of(run);
  options.rank = settings.count("rank");
  options.dropout = settings.number("dropout");
  options.prior_deviation = settings.number("prior");
  options.chains = settings.count("chains");
  if (settings.has("warm-up")) options.warm_up = settings.count("warm-up");
  if (settings.has("thinning")) options.thinning = settings.count("thinning");
  if (settings.has("step")) options.step = settings.number("step");
  options.leapfrog = settings.count("leapfrog");
  options.acceptance = settings.number("acceptance");
  if (settings.has("noise")) {
    const double deviation = settings.number("noise") / run.standardisation.target_scale;
    options.noise_variance = deviation * deviation;
  }
  options.threads = thread_count(settings);
  return options;
}

/// Chains that agree have less (Vehtari et al., 2021, ask for 1.01).
constexpr double most_r_hat = 1.1;

bool contains_r_hat(std::string_view name) { return name.find("R-hat") != std::string_view::npos; }

int run_sample(const Settings& settings, Terminal& terminal) {
  if (settings.words().size() != 1)
    throw UsageError("give one run directory: ciber sample RUN ...");
  const std::string& from_run = settings.words()[0];
  const std::string out = settings.has("out") ? settings.text("out") : from_run;
  const auto refuse_if_there = [&](const std::filesystem::path& path) {
    std::error_code error;
    if (settings.has("out") && std::filesystem::exists(path, error))
      throw UsageError(fmt::format("--out: {} is there already", one_line(out)));
  };
  refuse_if_there(out);
  read_run(from_run);  // before a directory is made
  const DirectoryLock lock(out);
  refuse_if_there(std::filesystem::path(out) / "run.json");  // by who had the lock before
  Run run = read_usable_run(from_run);
  if (!run.complete)
    throw Error(fmt::format("{}: its training is unfinished; ciber train --resume goes on",
                            one_line(run.path)));
  const bnn::SamplerEntry* const sampler = &bnn::find_sampler(settings.text("sampler"));
  const std::optional<bnn::Dataset> rows = read_training_rows(run);
  if (!rows) throw Error(one_line(run.path) + ": it has no training rows, which samplers need");
  std::map<std::size_t, std::vector<bnn::Weights>> by_trajectory;
  const bnn::Weights first = read_sample(run, 0);
  for (std::size_t i = 0; i < run.samples.size(); ++i) {
    by_trajectory[run.samples[i].trajectory].push_back(read_sample(run, i));
    check_alike(run, i, first, by_trajectory[run.samples[i].trajectory].back());
  }
  std::vector<std::vector<bnn::Weights>> trajectories;
  std::vector<std::size_t> numbers;
  const encoders::Network network = with_shapes(run.network, by_trajectory.begin()->second.front());
  bnn::check_model(network, run.observation);
  for (auto& [number, samples] : by_trajectory) {
    numbers.push_back(number);
    trajectories.push_back(std::move(samples));
  }
  const bool chains = sampler->name == "hmc" || sampler->name == "sgld";
  if (settings.flag("fresh") && !chains)
    throw UsageError(fmt::format("--fresh: means nothing to {}", sampler->name));

  bnn::SamplerOptions options = read_options(settings, run);
  const std::uint64_t seed =
      settings.has("seed") ? settings.count("seed")
                           : bnn::mixed(run.seed, (std::uint64_t{1} << 32) + run.samples.size());
  std::atomic<double> share = 0;
  options.progress = [&](double done) { share = done; };
  bnn::Samples found;
  const bool drawn = supervised(
      terminal, options.threads,
      [&](const std::stop_token& stop) {
        options.stop = stop;
        const std::span<const std::vector<bnn::Weights>> before = trajectories;
        found = sampler->draw({network, bnn::make_model, run.observation, *rows,
                               settings.flag("fresh") ? before.first(0) : before},
                              options, seed);
      },
      [&] { return fmt::format("{}: {:.0f} % done", sampler->name, 100 * share.load()); },
      [&](std::string_view reason) {
        return fmt::format("stopped by {}; {} is as it was", reason, one_line(run.path));
      });
  if (!drawn) return 3;
  if (settings.has("out")) {
    run.path = out;
    run.samples.clear();
    run.seed = seed;
    run.recipe = recipe_json(settings, found, seed);
    write_training_rows(run, *rows);
  }
  for (std::size_t i = 0; i < found.samples.size(); ++i) {
    const std::size_t from = found.chains[i];
    add_sample(run, found.samples[i], chains || from >= numbers.size() ? from : numbers[from]);
  }
  write_run(run);
  std::string text = fmt::format("{} samples by {}, of {} in {}\n", found.samples.size(),
                                 sampler->name, run.samples.size(), one_line(run.path));
  for (const bnn::Diagnostic& diagnostic : found.diagnostics) {
    text += fmt::format("{}: {:.4g}\n", diagnostic.name, diagnostic.value);
    if (contains_r_hat(diagnostic.name) && !(diagnostic.value < most_r_hat))
      terminal.say(fmt::format(
          "warning: the chains do not agree: {} is {:.4g}, and should be below {}; draw longer "
          "chains (--warm-up, --thinning, --count), or do not trust their average",
          diagnostic.name, diagnostic.value, most_r_hat));
  }
  terminal.print(text);
  return 0;
}

}  // namespace

Command sample_command() {
  return {"sample",
          "RUN [options]",
          "Draws samples of the weights of a trained network, and adds them to its run directory\n"
          "or makes a new one of them.",
          sample_settings,
          examples,
          run_sample};
}

}  // namespace wmi::frontends
