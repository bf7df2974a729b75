// The law of an outcome at a validation row is a mixture over samples of normal laws, or of softmax
// of normal logits. Means and deviations depend on lambda only; temperature and corrections of the
// noise are tried on the same numbers.

#include "bnn/predictive/predictive_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bnn/predictive/classes.h"
#include "bnn/predictive/predictive.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

constexpr double log_two_pi = 1.8378770664093454835606594728112;

constexpr double usual_lambdas[] = {0.3, 1, 3, 10, 30, 100};
constexpr double few_lambdas[] = {0.3, 10};
constexpr std::size_t many_rows = 5000;  // where the prior matters little, and grids cost much
constexpr double usual_temperatures[] = {0.1, 0.3, 1, 3, 10};
constexpr double scales[] = {0.2, 0.3, 0.4, 0.5, 0.6,  0.7, 0.8, 0.9, 1,
                             1.1, 1.2, 1.3, 1.5, 1.75, 2,   2.5, 3};
constexpr double outlier_shares[] = {0.01, 0.03, 0.1, 0.2};
constexpr double outlier_scales[] = {2, 3, 5, 10};

/// The output laws of every validation row, by sample.
using RowLaws = std::vector<InputLaws>;

RowLaws row_laws(const encoders::Network& network, const Forward& forward,
                 const Observation& observation, std::span<const HeldOut> parts,
                 const CollapseOptions& options) {
  RowLaws result;
  for (const HeldOut& part : parts) {
    const std::vector<CollapsedSample> collapsed = collapse(
        network, forward, observation, part.samples, part.trajectories, &part.training, options);
    const std::vector<Activations> found =
        activations(network, forward, part.samples, collapsed, part.validation.inputs);
    for (std::size_t i = 0; i < part.validation.rows(); ++i)
      result.push_back(output_laws_at(collapsed, found, i));
  }
  return result;
}

/// The log likelihood of each row.
class Scorer {
 public:
  Scorer(const Observation& observation, std::span<const HeldOut> parts)
      : observation_(observation) {
    for (const HeldOut& part : parts)
      targets_.insert(targets_.end(), part.validation.targets.begin(),
                      part.validation.targets.end());
  }

  std::vector<double> operator()(const RowLaws& laws, const PredictiveChoice& choice) const {
    std::vector<double> result;
    result.reserve(laws.size());
    for (std::size_t i = 0; i < laws.size(); ++i)
      result.push_back(observation_.regression() ? log_density(laws[i], choice, targets_[i])
                                                 : log_probability(laws[i], choice, targets_[i]));
    return result;
  }

 private:
  static double log_density(const InputLaws& samples, const PredictiveChoice& choice,
                            double target) {
    thread_local std::vector<double> logs;
    logs.clear();
    const auto add = [&](const OutputLaw<double>& law, double noise, double weight) {
      const double variance = choice.temperature * law.deviation * law.deviation + noise * noise;
      const double error = target - law.constant;
      logs.push_back(std::log(weight) -
                     0.5 * (log_two_pi + std::log(variance) + error * error / variance));
    };
    for (const std::vector<OutputLaw<double>>& sample : samples) {
      const double noise = choice.scale * sample[0].noise;
      add(sample[0], noise, 1 - choice.outliers);
      if (choice.outliers > 0) add(sample[0], choice.outlier_scale * noise, choice.outliers);
    }
    const double most = *std::ranges::max_element(logs);
    double sum = 0;
    for (const double log : logs) sum += std::exp(log - most);
    return most + std::log(sum / static_cast<double>(samples.size()));
  }

  double log_probability(const InputLaws& samples, const PredictiveChoice& choice,
                         double target) const {
    InputLaws scaled = samples;
    for (std::vector<OutputLaw<double>>& sample : scaled)
      for (OutputLaw<double>& logit : sample) {
        logit.constant /= choice.scale;
        logit.deviation *= std::sqrt(choice.temperature) / choice.scale;
      }
    return std::log(std::max(
        class_probabilities(scaled, observation_).at(static_cast<std::size_t>(target)), 1e-300));
  }

  const Observation& observation_;
  std::vector<double> targets_;
};

double mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// The standard error of the mean of the differences.
double difference_error(std::span<const double> first, std::span<const double> second) {
  const auto count = static_cast<double>(first.size());
  const double middle = mean(first) - mean(second);
  double squares = 0;
  for (std::size_t i = 0; i < first.size(); ++i)
    squares += std::pow(first[i] - second[i] - middle, 2);
  return std::sqrt(squares / std::max(1.0, count - 1) / count);
}

/// The correction of the noise that is best for these rows.
PredictiveChoice corrected(const Scorer& scorer, const RowLaws& laws, PredictiveChoice choice,
                           bool regression) {
  double best = -std::numeric_limits<double>::infinity();
  PredictiveChoice result = choice;
  const auto consider = [&](const PredictiveChoice& tried) {
    if (const double score = mean(scorer(laws, tried)); score > best) {
      best = score;
      result = tried;
    }
  };
  for (const double scale : scales) {
    PredictiveChoice tried = choice;
    tried.scale = scale;
    consider(tried);
    if (!regression) continue;
    for (const double share : outlier_shares)
      for (const double outlier_scale : outlier_scales) {
        tried.outliers = share;
        tried.outlier_scale = outlier_scale;
        consider(tried);
      }
  }
  return result;
}

}  // namespace

PredictiveSelection choose_predictive(const encoders::Network& network, const Forward& forward,
                                      const Observation& observation,
                                      std::span<const HeldOut> parts,
                                      const PredictiveFreedom& freedom) {
  PredictiveSelection result;
  const Scorer scorer(observation, parts);
  CollapseOptions options;
  options.partition = "none";
  PredictiveChoice plain;
  plain.collapsed = false;
  RowLaws laws = row_laws(network, forward, observation, parts, options);
  result.rows = laws.size();
  if (laws.empty()) throw Error("there are no validation rows to choose by");
  std::vector<double> scores = scorer(laws, plain);
  result.average = mean(scores);
  result.choice = plain;
  result.collapsed = -std::numeric_limits<double>::infinity();
  result.alternatives.push_back({plain, result.average});

  const bool many = parts[0].training.rows() > many_rows;
  std::vector<double> lambdas = freedom.lambdas;
  if (lambdas.empty() && many) lambdas.assign(std::begin(few_lambdas), std::end(few_lambdas));
  if (lambdas.empty()) lambdas.assign(std::begin(usual_lambdas), std::end(usual_lambdas));
  std::vector<double> temperatures = freedom.temperatures;
  if (temperatures.empty())
    temperatures.assign(std::begin(usual_temperatures), std::end(usual_temperatures));
  options.partition = "last";
  options.posterior = "conditional";
  PredictiveChoice best;
  RowLaws best_laws;
  try {
    for (const double lambda : lambdas) {
      options.options.lambda = lambda;
      RowLaws tried = row_laws(network, forward, observation, parts, options);
      PredictiveChoice choice;
      choice.lambda = lambda;
      if (freedom.temperatures.size() == 1) choice.temperature = freedom.temperatures[0];
      const double score = mean(scorer(tried, choice));
      result.alternatives.push_back({choice, score});
      if (!(score > result.collapsed)) continue;
      result.collapsed = score;
      best = choice;
      best_laws = std::move(tried);
    }
    const std::vector<double> first = best_laws.empty() ? scores : scorer(best_laws, best);
    for (const double temperature : temperatures) {
      if (best_laws.empty() || temperature == best.temperature) continue;
      PredictiveChoice choice = best;
      choice.temperature = temperature;
      const std::vector<double> other = scorer(best_laws, choice);
      const double score = mean(other);
      result.alternatives.push_back({choice, score});
      if (!(score > result.collapsed) || score - mean(first) <= difference_error(other, first))
        continue;
      result.collapsed = score;
      best.temperature = temperature;
    }
  } catch (const Error&) {  // the last layer is none that can be collapsed
    best_laws.clear();
  }
  if (!best_laws.empty()) {
    const std::vector<double> other = scorer(best_laws, best);
    result.difference_error = difference_error(other, scores);
    if (result.collapsed >= result.average) {
      result.choice = best;
      laws = std::move(best_laws);
      scores = other;
    }
  }
  result.corrected = mean(scores);
  if (!freedom.correction) return result;
  const PredictiveChoice tried = corrected(scorer, laws, result.choice, observation.regression());
  const std::vector<double> other = scorer(laws, tried);
  result.alternatives.push_back({tried, mean(other)});
  if (mean(other) - result.corrected > difference_error(other, scores)) {
    result.choice = tried;
    result.corrected = mean(other);
  }
  return result;
}

}  // namespace wmi::bnn
