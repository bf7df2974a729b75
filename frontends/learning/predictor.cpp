#include "frontends/learning/predictor.h"

#include <fmt/format.h>

#include "bnn/collapse/float_forward.h"
#include "frontends/cli/usage_error.h"
#include "frontends/common/line.h"
#include "frontends/learning/prediction_settings.h"
#include "solver/terms/error.h"

namespace wmi::frontends {

Predictor read_predictor(const std::string& path, const Settings& settings) {
  Predictor result;
  result.run = read_run(path);
  const std::size_t there = result.run.samples.size();
  if (there == 0) throw Error(fmt::format("{}: has no samples yet", one_line(path)));
  const std::size_t count = settings.has("samples") ? settings.count("samples", 1, there) : there;
  std::vector<std::size_t> trajectories;
  for (std::size_t i = 0; i < count; ++i) {
    result.samples.push_back(read_sample(result.run, i));
    check_alike(result.run, i, result.samples.front(), result.samples.back());
    trajectories.push_back(result.run.samples[i].trajectory);
  }
  result.training = read_training_rows(result.run);
  result.collapsing = read_collapse(settings);
  const bnn::Dataset* const training = result.training ? &*result.training : nullptr;
  result.options = read_predictive(settings, training);
  if (result.options.floor > 0 && !result.run.observation.regression())
    throw UsageError("--floor: is about densities, and the target has classes");
  result.collapsed = bnn::collapse(result.run.network, bnn::float_forward, result.run.observation,
                                   result.samples, trajectories, training, result.collapsing);
  result.assumptions = bnn::assumptions(result.collapsing, result.run.network, false);
  if (result.run.observation.regression())
    result.assumptions.push_back(
        result.options.noise.kind == bnn::OutcomeNoise::Kind::gaussian
            ? "likelihood: gaussian"
            : fmt::format(
                  "likelihood: triangular of {} standard deviations{}", result.options.noise.alpha,
                  result.options.epsilon > 0 ? fmt::format(", its density smoothed with epsilon {}",
                                                           result.options.epsilon)
                                             : ""));
  if (result.options.floor > 0)
    result.assumptions.push_back(fmt::format("densities: at least {}", result.options.floor));
  return result;
}

std::vector<bnn::Activations> forward(const Predictor& predictor, const bnn::Matrix& inputs) {
  return bnn::activations(predictor.run.network, bnn::float_forward, predictor.samples,
                          predictor.collapsed, inputs);
}

std::vector<bnn::Forecast> forecasts(const Predictor& predictor, const bnn::Dataset& rows) {
  return bnn::forecasts(predictor.run.network, bnn::float_forward, predictor.run.observation,
                        predictor.run.standardisation, predictor.samples, predictor.collapsed, rows,
                        predictor.options);
}

}  // namespace wmi::frontends
