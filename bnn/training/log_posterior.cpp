#include "bnn/training/log_posterior.h"

#include <algorithm>
#include <cmath>

#include "bnn/training/loss.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

/// The raw output that stands for this variance.
double raw_of(const Observation& observation, double variance) {
  const double link = variance - observation.least_variance;
  if (observation.kind != Observation::Kind::homoscedastic)
    throw Error("only homoscedastic noise can be known");
  if (!(link > 0)) throw Error("the known noise is below the least variance");
  return observation.link == Observation::Link::exponential ? std::log(link)
                                                            : std::log(std::expm1(link));
}

}  // namespace

LogPosterior::LogPosterior(const encoders::Network& network, const ModelFactory& make_model,
                           const Observation& observation, const Dataset& rows,
                           double prior_deviation, std::optional<double> noise_variance)
    : observation_(observation),
      rows_(rows),
      prior_deviation_(prior_deviation),
      shapes_(weights_of(network, observation)),
      layout_(make_layout(shapes_)),
      model_(make_model(network, layout_)),
      raw_variance_(layout_.find(raw_variance_name)) {
  if (rows.rows() == 0) throw Error("a posterior needs training rows");
  if (!(prior_deviation > 0)) throw Error("the prior's standard deviation must be above 0");
  if (noise_variance) raw_noise_ = raw_of(observation, *noise_variance);
}

std::vector<double> LogPosterior::start(const Weights* weights, std::uint64_t seed) const {
  std::vector<double> result =
      to_vector(layout_, weights != nullptr ? *weights : initial_weights(shapes_, seed));
  if (raw_noise_) result[raw_variance_->offset] = *raw_noise_;
  return result;
}

double LogPosterior::add_prior(std::span<const double> parameters,
                               std::span<double> gradient) const {
  double result = 0;
  for (const Parameter& parameter : layout_.parameters) {
    const bool noise = &parameter == raw_variance_;
    const bool still = parameter.fixed || (noise && raw_noise_);
    const double deviation = noise ? raw_variance_deviation : prior_deviation_;
    const double precision = 1 / (deviation * deviation);
    for (std::size_t i = parameter.offset; i < parameter.offset + parameter.size; ++i) {
      result -= 0.5 * precision * parameters[i] * parameters[i];
      gradient[i] = still ? 0 : gradient[i] - precision * parameters[i];
    }
  }
  return result;
}

double LogPosterior::likelihood(std::span<const double> parameters, const Dataset& rows,
                                double weight, std::span<double> gradient) {
  Loss found;
  const double raw = raw_variance_ == nullptr ? 0 : parameters[raw_variance_->offset];
  model_->gradient(
      parameters, rows.inputs, std::nullopt,
      [&](const Matrix& outputs, Matrix& derivatives) {
        found = loss(observation_, 0, outputs, rows.targets, raw, derivatives, rows.weights);
      },
      gradient);
  for (double& entry : gradient) entry *= -weight;
  if (raw_variance_ != nullptr) gradient[raw_variance_->offset] = -weight * found.raw_variance;
  return -weight * found.value;
}

double LogPosterior::operator()(std::span<const double> parameters, std::span<double> gradient) {
  const double data = likelihood(parameters, rows_, static_cast<double>(rows_.rows()), gradient);
  return data + add_prior(parameters, gradient);
}

void LogPosterior::gradient(std::span<const double> parameters, std::span<const std::size_t> rows,
                            std::span<double> gradient) {
  const Dataset batch = select(rows_, rows);
  likelihood(parameters, batch, static_cast<double>(rows_.rows()), gradient);
  add_prior(parameters, gradient);
}

}  // namespace wmi::bnn
