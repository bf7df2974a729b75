#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bnn/collapse/collapse.h"
#include "bnn/collapse/forward.h"
#include "bnn/collapse/output_law.h"
#include "bnn/data/dataset.h"
#include "bnn/data/forecast.h"
#include "bnn/predictive/fast_law.h"
#include "bnn/predictive/normal_mixture.h"

namespace wmi::bnn {

/// The law of the outcome's noise, and how densities are reported.
struct PredictiveOptions {
  OutcomeNoise noise = {};
  /// Of the smoothed density (epsilon + p(y)) / (epsilon R + P(y in range)), R the length of the
  /// range; 0: not smoothed. Range and density are in standardised units.
  double epsilon = 0;
  double range_from = 0;
  double range_to = 0;
  /// Densities count as at least this, in the outcome's own units; 0: no floor.
  double floor = 0;
  unsigned threads = 1;
};

/// The law of an outcome: the mixture, by their weights, of the laws of the collapsed samples. In
/// doubles (see FastLaw), and in the outcome's own units.
///
///     const OutputLaw<double> samples[] = {{0, {}, 0, {}, 1}, {0.5, {}, 0, {}, 1}};  // normal laws
///     const Predictive law(samples, {}, {{0}, {1}, 20, 3});  // outcomes are 20 + 3 y
///     law.mean();  // 20.75
///     law.quantile(0.95);
class Predictive {
 public:
  Predictive(std::span<const OutputLaw<double>> output_laws, const PredictiveOptions& options,
             const Standardisation& standardisation);

  double mean() const;
  double deviation() const;
  /// The parts of the variance: the noise of the outcome, the unknown weights within the collapsed
  /// samples, and the differences between these. Of a transformed outcome, the first two divide
  /// their sum as they do before the transform is undone.
  struct Variance {
    double noise = 0;
    double within = 0;
    double between = 0;
  };
  Variance variance() const;
  /// An estimate of the error of the distribution function where weights of two layers are unknown
  /// (see EstimatedLaw); else 0.
  double estimated_error() const;

  double log_density(double y) const;
  /// P(outcome <= y).
  double cdf(double y) const;
  double quantile(double p) const;
  /// The continuous ranked probability score of an outcome.
  double crps(double y) const;

  /// All of these numbers; those that need an outcome are 0 without one.
  Forecast forecast(std::optional<double> outcome) const;

 private:
  double to_outcome(double x) const {
    return inverse(transform_, target_mean_ + target_scale_ * x);
  }
  double to_standard(double y) const {
    return (transformed(transform_, y) - target_mean_) / target_scale_;
  }
  /// Mean and variance of the outcome under one law, where it is transformed.
  struct Moments {
    double mean = 0;
    double variance = 0;
  };
  Moments moments(const FastLaw& law) const;
  double transformed_crps(double x) const;
  double standard_cdf(double x) const;
  double standard_quantile(double p, double from) const;
  double half_spread() const;
  /// If all laws are mixtures of normal laws; of fewer digits if it may be coarse.
  std::optional<NormalMixture> normal_mixture(bool coarse) const;

  /// The weighted mean of a number of each law.
  template <class Of>
  double mean_over_laws(const Of& of) const {
    double sum = 0;
    for (std::size_t i = 0; i < laws_.size(); ++i) sum += weights_[i] * of(laws_[i]);
    return sum;
  }

  std::vector<FastLaw> laws_;
  std::vector<double> weights_;          // of sum 1
  std::optional<NormalMixture> normal_;  // if all laws are mixtures of normal laws
  PredictiveOptions options_;
  double target_mean_;
  double target_scale_;
  TargetTransform transform_;
  double mean_ = 0;               // standardised
  std::vector<Moments> moments_;  // of each law, where the outcome is transformed
};

/// The output laws of an input, a vector of outputs for each sample: what `output_laws` of
/// collapse.h gives for all samples.
using InputLaws = std::vector<std::vector<OutputLaw<double>>>;

/// Runs the network with every sample on inputs (standardised, a row each): what enters the
/// collapsed layer, and the outputs.
std::vector<Activations> activations(const encoders::Network& network, const Forward& forward,
                                     std::span<const Weights> samples,
                                     std::span<const CollapsedSample> collapsed,
                                     const Matrix& inputs);
/// The output laws of one of these inputs.
InputLaws output_laws_at(std::span<const CollapsedSample> collapsed,
                         std::span<const Activations> activations, std::size_t row);

/// Forecasts for standardised rows, in the outcomes' own units; with targets, scored with them, and
/// without (`rows.targets` empty) not. Plain averages of samples are collapsed with the partition
/// `none`. The same numbers for any number of threads.
std::vector<Forecast> forecasts(const encoders::Network& network, const Forward& forward,
                                const Observation& observation,
                                const Standardisation& standardisation,
                                std::span<const Weights> samples,
                                std::span<const CollapsedSample> collapsed, const Dataset& rows,
                                const PredictiveOptions& options);

}  // namespace wmi::bnn
