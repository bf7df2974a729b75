// Random features (Rahimi and Recht, "Random features for large-scale kernel machines", 2007): the
// limit of many drawn units is a Gaussian process (Neal 1996; Williams, "Computing with infinite
// networks", 1997), so that few rows suffice where the target is a smooth function with little
// noise, which descent takes long to find.
//
// With features H of the rows and targets y, the prior N(0, s^2) of each weight and the noise v, the
// marginal likelihood is N(y; 0, v (I + H H' / a)), a = v / s^2. For given a the best v is
// (y'y - b'A^-1 b) / n with A = H'H + a I and b = H'y, so that only a is searched: by steps over
// powers of ten and then a half one. It stays above 1e-12 of the trace of H'H, so that doubles can
// solve with A. Rows of weight w have features and targets times sqrt(w).

#include "bnn/training/random_features.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <utility>
#include <variant>

#include "bnn/numeric/linear_algebra.h"
#include "bnn/numeric/products.h"
#include "bnn/numeric/random.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

constexpr double spreads[] = {0.5, 1, 2};  // of what enters a unit
constexpr double bias_spread = 0.5;        // relative to it, and at least this
constexpr int most_halves = 24;            // a is at least 10^(-12) of the trace
constexpr int first_halves = 12;

/// The marginal likelihood for one a.
struct Evidence {
  double log = -std::numeric_limits<double>::infinity();
  double ratio = 0;  // a
  double variance = 0;
};

/// The features of weighted rows as sums.
struct Sums {
  Matrix gram;
  std::vector<double> products;  // with the targets
  double square = 0;             // of the targets
  double rows = 0;
  double log_weights = 0;
  double trace = 0;
};

Sums sums_of(const Matrix& features, const Dataset& rows) {
  std::vector<double> weights(rows.rows());
  for (std::size_t i = 0; i < rows.rows(); ++i) weights[i] = rows.weight(i);
  Sums result{weighted_gram(features, weights), std::vector<double>(features.columns), 0, 0, 0, 0};
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t j = 0; j < features.columns; ++j)
      result.products[j] += weights[i] * rows.targets[i] * features.at(i, j);
    result.square += weights[i] * rows.targets[i] * rows.targets[i];
    result.log_weights += std::log(weights[i]);
  }
  result.rows = static_cast<double>(rows.rows());
  for (std::size_t j = 0; j < features.columns; ++j) result.trace += result.gram.at(j, j);
  return result;
}

Evidence evidence_at(const Sums& sums, int halves, double least_variance) {
  const std::size_t n = sums.gram.columns;
  Evidence result;
  result.ratio = sums.trace * std::pow(10, -0.5 * halves);
  Matrix matrix = sums.gram;
  for (std::size_t j = 0; j < n; ++j) matrix.at(j, j) += result.ratio;
  Matrix lower;
  try {
    lower = cholesky(matrix);
  } catch (const Error&) {
    return result;
  }
  const std::vector<double> solution = solve_cholesky(lower, sums.products);
  double rest = sums.square, log_determinant = 0;
  for (std::size_t j = 0; j < n; ++j) {
    rest -= solution[j] * sums.products[j];
    log_determinant += 2 * std::log(lower.at(j, j)) - std::log(result.ratio);
  }
  if (!(rest > 0)) return result;
  result.variance = std::max(rest / sums.rows, least_variance);
  result.log = -0.5 * (sums.rows * std::log(2 * std::numbers::pi * result.variance) +
                       rest / result.variance + log_determinant - sums.log_weights);
  return result;
}

/// Climbs from the middle by powers of ten, and then by a half one.
Evidence largest_evidence(const Sums& sums, double least_variance) {
  std::map<int, Evidence> known;
  const auto at = [&](int halves) -> const Evidence& {
    const auto found = known.find(halves);
    if (found != known.end()) return found->second;
    return known.emplace(halves, evidence_at(sums, halves, least_variance)).first->second;
  };
  int best = first_halves;
  for (const int step : {2, 1})
    for (const int direction : {step, -step})
      while (best + direction >= 0 && best + direction <= most_halves &&
             at(best + direction).log > at(best).log)
        best += direction;
  return at(best);
}

bool is_linear(const encoders::NamedLayer& layer) {
  return std::holds_alternative<encoders::Linear>(layer.layer);
}

void round_to_floats(std::vector<double>& entries) {
  for (double& entry : entries) entry = static_cast<float>(entry);
}

/// A chain's layers before `prior`.
encoders::Network hidden_part(encoders::Network network) {
  if (network.layers.size() < 3 || network.layers[network.layers.size() - 2].name != prior_layer)
    throw Error("random features need a network with a hidden layer and the layer 'prior'");
  for (int i = 0; i < 2; ++i) {
    const std::string prefix = network.layers.back().name + ".";
    std::erase_if(network.parameters,
                  [&](const auto& parameter) { return parameter.first.starts_with(prefix); });
    network.layers.pop_back();
  }
  network.output = {network.layers.back().name};
  return network;
}

}  // namespace

encoders::Network with_prior_layer(encoders::Network network) {
  if (network.layers.size() < 2 || !is_linear(network.layers.back()))
    throw Error("random features need a network with a hidden layer, whose last layer is linear");
  encoders::NamedLayer& last = network.layers.back();
  const std::size_t width = network.parameters.at(last.name + ".weight").shape.at(1);
  encoders::NamedLayer prior{prior_layer, encoders::Affine{}, last.from};
  last.from = {prior_layer};
  network.layers.insert(network.layers.end() - 1, std::move(prior));
  network.parameters.emplace(std::string(prior_layer) + ".weight",
                             encoders::Tensor<Rational>::filled({width}, 1));
  return network;
}

/// A draw of the hidden weights with its features.
struct RandomFeatures::Fit {
  Weights hidden;
  Matrix features;
  Evidence evidence;
};

RandomFeatures::RandomFeatures(const encoders::Network& network, const ModelFactory& make_model,
                               const Observation& observation, const Dataset& training,
                               std::uint64_t seed)
    : hidden_(hidden_part(network)) {
  if (observation.kind != Observation::Kind::homoscedastic)
    throw Error("random features need an outcome that is a number, with homoscedastic noise");
  Observation none;
  hidden_weights_ = weights_of(hidden_, none);
  layout_ = make_layout(hidden_weights_);
  model_ = make_model(hidden_, layout_);
  std::optional<Fit> best;
  for (const double spread : spreads) {
    draw(spread, seed);
    Fit fit{hidden_weights_, features(training.inputs), {}};
    fit.evidence = largest_evidence(sums_of(fit.features, training), observation.least_variance);
    if (!best || fit.evidence.log > best->evidence.log) best = std::move(fit);
  }
  if (!std::isfinite(best->evidence.log)) throw Error("random features diverge");
  hidden_weights_ = std::move(best->hidden);
  log_evidence_ = best->evidence.log;
  scale_ = static_cast<float>(std::sqrt(best->evidence.variance / best->evidence.ratio));
  const double raw = static_cast<float>(raw_of_variance(observation, best->evidence.variance));
  variance_ = variance(observation, raw);

  const std::size_t width = best->features.columns;
  Matrix z(training.rows(), width + 1);
  std::vector<double> variances;
  for (std::size_t i = 0; i < training.rows(); ++i) {
    for (std::size_t j = 0; j < width; ++j) z.at(i, j) = scale_ * best->features.at(i, j);
    z.at(i, width) = 1;
    variances.push_back(variance_ / training.weight(i));
  }
  posterior_ = conditional_posterior(z, training.targets, variances, {}, {.lambda = 1});

  weights_ = weights_of(network, observation);
  for (const auto& [name, tensor] : hidden_weights_) weights_.find(name)->second = tensor;
  const std::string last = network.layers.back().name;
  std::ranges::fill(weights_.find(std::string(prior_layer) + ".weight")->second.entries, scale_);
  std::vector<double>& mean = weights_.find(last + ".weight")->second.entries;
  mean.assign(posterior_.mean.begin(), posterior_.mean.end() - 1);
  weights_.find(last + ".bias")->second.entries = {posterior_.mean.back()};
  weights_.find(raw_variance_name)->second.entries = {raw};
  for (auto& [name, tensor] : weights_) round_to_floats(tensor.entries);
}

void RandomFeatures::draw(double spread, std::uint64_t seed) {
  Random random(seed);  // the same draws for all spreads
  for (const encoders::NamedLayer& layer : hidden_.layers) {
    if (!is_linear(layer)) continue;
    encoders::Tensor<double>& weight = hidden_weights_.find(layer.name + ".weight")->second;
    const double deviation = spread / std::sqrt(static_cast<double>(weight.shape.at(1)));
    for (double& entry : weight.entries) entry = deviation * random.normal();
    round_to_floats(weight.entries);
    const auto bias = hidden_weights_.find(layer.name + ".bias");
    if (bias == hidden_weights_.end()) continue;
    for (double& entry : bias->second.entries)
      entry = bias_spread * std::max(1.0, spread) * random.normal();
    round_to_floats(bias->second.entries);
  }
}

Matrix RandomFeatures::features(const Matrix& inputs) const {
  return model_->outputs(to_vector(layout_, hidden_weights_), inputs);
}

Matrix RandomFeatures::predictions(const Matrix& inputs) const {
  const Matrix found = features(inputs);
  Matrix result(found.rows(), 2);
  std::vector<double> z(found.columns + 1, 1);
  for (std::size_t i = 0; i < found.rows(); ++i) {
    for (std::size_t j = 0; j < found.columns; ++j) z[j] = scale_ * found.at(i, j);
    for (std::size_t j = 0; j < z.size(); ++j) result.at(i, 0) += posterior_.mean[j] * z[j];
    result.at(i, 1) =
        variance_ +
        std::max(0.0, quadratic_form(z.size(), posterior_.covariance.entries.data(), z.data()));
  }
  return result;
}

}  // namespace wmi::bnn
