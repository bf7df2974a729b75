#include "frontends/learning/predictor.h"

#include <fmt/format.h>

#include "bnn/collapse/float_forward.h"
#include "bnn/predictive/certified_law.h"
#include "frontends/cli/usage_error.h"
#include "frontends/common/line.h"
#include "frontends/learning/prediction_settings.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

std::string likelihood_in_words(const bnn::PredictiveOptions& options) {
  switch (options.noise.kind) {
    case bnn::OutcomeNoise::Kind::gaussian:
      return "likelihood: gaussian";
    case bnn::OutcomeNoise::Kind::student:
      return fmt::format("likelihood: Student's law of {} degrees of freedom",
                         options.noise.freedom);
    default:
      return fmt::format("likelihood: triangular of {} standard deviations{}", options.noise.alpha,
                         options.epsilon > 0 ? fmt::format(", its density smoothed with epsilon {}",
                                                           options.epsilon)
                                             : "");
  }
}

/// Of a two-scale law.
template <class Noise>
std::string outliers_in_words(const Noise& noise) {
  return fmt::format("of {:.3g} % of the outcomes {} times as large as of the others",
                     100 * noise.outliers, noise.outlier_scale);
}

/// The noise as it was trained or corrected. Of a likelihood that is asked for, the scale and the
/// outliers hold.
void set_noise(const bnn::OutcomeNoise& trained, bool likelihood_given, Predictor& predictor) {
  bnn::OutcomeNoise& noise = predictor.options.noise;
  if (likelihood_given) {
    noise.scale = trained.scale;
    if (noise.kind != bnn::OutcomeNoise::Kind::gaussian) return;
    noise.outliers = trained.outliers;
    noise.outlier_scale = trained.outlier_scale;
    return;
  }
  const double alpha = noise.alpha;
  noise = trained;
  noise.alpha = alpha;
  if (noise.kind != bnn::OutcomeNoise::Kind::student) return;
  for (const bnn::CollapsedSample& sample : predictor.collapsed) {
    if (sample.layers == bnn::UnknownLayers::none) continue;
    bnn::check_student(sample.layers == bnn::UnknownLayers::last &&
                       !sample.rows[0].joint.mean.empty() && sample.rows[0].basis.values.empty());
  }
}

std::string correction_in_words(const bnn::PredictiveChoice& correction,
                                const bnn::Observation& observation) {
  if (!observation.regression())
    return fmt::format("logits: divided by {}, as validation rows showed", correction.scale);
  return fmt::format("noise: deviation times {}{}, as validation rows showed", correction.scale,
                     correction.outliers > 0 ? ", and " + outliers_in_words(correction) : "");
}

}  // namespace

Predictor read_predictor(const std::string& path, const Settings& settings) {
  Predictor result;
  result.run = read_usable_run(path);
  const std::size_t there = result.run.samples.size();
  const std::size_t count = settings.has("samples") ? settings.count("samples", 1, there) : there;
  std::vector<std::size_t> trajectories;
  for (std::size_t i = 0; i < count; ++i) {
    result.samples.push_back(read_sample(result.run, i));
    check_alike(result.run, i, result.samples.front(), result.samples.back());
    trajectories.push_back(result.run.samples[i].trajectory);
  }
  result.training = read_training_rows(result.run);
  result.collapsing = read_collapse(settings, result.run.predictive);
  const bnn::Dataset* const training = result.training ? &*result.training : nullptr;
  result.options = read_predictive(settings, training);
  if (result.options.floor > 0 && !result.run.observation.regression())
    throw UsageError("--floor: is about densities, and the target has classes");
  result.collapsed = bnn::collapse(result.run.network, bnn::float_forward, result.run.observation,
                                   result.samples, trajectories, training, result.collapsing);
  const auto correction = read_correction(settings, result.run.predictive);
  if (result.run.observation.regression())
    set_noise(bnn::outcome_noise(result.run.observation, correction ? &*correction : nullptr),
              settings.given("likelihood"), result);
  bnn::PredictiveChoice weighing;
  if (correction) {
    for (bnn::CollapsedSample& sample : result.collapsed) sample.logit_scale = correction->scale;
    weighing = *correction;
    if (result.collapsing.partition != "last" ||
        bnn::posterior_name(result.collapsing, result.run.network) != "conditional")
      weighing.evidence_power = 0;  // there is no evidence of samples whose last layer is known
    bnn::weigh_samples(weighing, result.run.network, bnn::float_forward, result.samples, training,
                       result.collapsing.options, result.collapsed);
  }
  result.assumptions = bnn::assumptions(result.collapsing, result.run.network, false);
  if (const auto transform = result.run.standardisation.target_transform;
      transform != bnn::TargetTransform::none)
    result.assumptions.push_back(
        fmt::format("target: its {} has the law that is computed", bnn::name(transform)));
  if (result.run.observation.regression())
    result.assumptions.push_back(likelihood_in_words(result.options));
  if (correction && (correction->scale != 1 || correction->outliers > 0))
    result.assumptions.push_back(correction_in_words(*correction, result.run.observation));
  else if (result.options.noise.outliers > 0)
    result.assumptions.push_back(fmt::format("noise: {}", outliers_in_words(result.options.noise)));
  if (!weighing.weights.empty())
    result.assumptions.emplace_back("weights of the samples: stacked on validation rows");
  else if (weighing.evidence_power > 0)
    result.assumptions.push_back(
        fmt::format("weights of the samples: evidence to the power {}", weighing.evidence_power));
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
