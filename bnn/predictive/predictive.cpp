// Mixtures of laws. Means, variances, distribution functions and densities are averages; densities
// are averaged as logarithms, so that an outlier keeps its digits. Quantiles are found between
// bounds by false position (Illinois), which needs the distribution function alone.
//
// CRPS(F, y) = E|Y - y| - 1/2 E|Y - Y'|, and 1/2 E|Y - Y'| is the integral of F (1 - F): smooth on
// the whole line, so that the trapezoidal rule with steps of half the noise errs by e^-39. Normal
// laws have a closed form for each pair.

#include "bnn/predictive/predictive.h"

#include <algorithm>
#include <cmath>

#include "bnn/numeric/gauss_legendre.h"
#include "bnn/numeric/parallel.h"
#include "bnn/predictive/classes.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

/// The network is run on so many inputs at a time, for every sample.
constexpr std::size_t batch_rows = 1024;

/// The logarithm of a weighted mean of exponentials.
double log_mean_exp(std::span<const double> logs, std::span<const double> weights) {
  const double most = *std::ranges::max_element(logs);
  if (std::isinf(most)) return most;
  double sum = 0;
  for (std::size_t i = 0; i < logs.size(); ++i) sum += weights[i] * std::exp(logs[i] - most);
  return most + std::log(sum);
}

}  // namespace

Predictive::Predictive(std::span<const OutputLaw<double>> output_laws,
                       const PredictiveOptions& options, const Standardisation& standardisation)
    : options_(options),
      target_mean_(standardisation.target_mean),
      target_scale_(standardisation.target_scale),
      transform_(standardisation.target_transform) {
  const std::vector<OutputLaw<double>> mixture = outcome_laws(output_laws, options.noise);
  laws_.reserve(mixture.size());
  double total = 0;
  for (const OutputLaw<double>& output_law : mixture) {
    laws_.emplace_back(output_law, options.noise);
    weights_.push_back(output_law.weight);
    total += output_law.weight;
  }
  for (double& weight : weights_) weight /= total;
  mean_ = mean_over_laws([](const FastLaw& law) { return law.mean(); });
  if (transform_ != TargetTransform::none)
    for (const FastLaw& law : laws_) moments_.push_back(moments(law));
  normal_ = normal_mixture(false);
}

std::optional<NormalMixture> Predictive::normal_mixture(bool coarse) const {
  std::vector<NormalMixture::Part> parts;
  parts.reserve(laws_.size());
  for (std::size_t i = 0; i < laws_.size(); ++i)
    if (!laws_[i].add_normal_parts(coarse, weights_[i], parts)) return {};
  return NormalMixture(std::move(parts));
}

// Of a transformed outcome: the trapezoidal rule on the standardised density, which is smooth and
// vanishes at the ends, so that the error falls exponentially. The inverse may grow like an
// exponential function, which moves the mass of its square by twice the variance.
Predictive::Moments Predictive::moments(const FastLaw& law) const {
  const double deviation = std::sqrt(law.variance());
  const double shift = std::min(2 * growth(transform_) * target_scale_ * law.variance(), 1e3);
  const double low = law.normal() ? law.mean() - 12 * deviation : law.low();
  const double high = law.normal() ? law.mean() + 12 * deviation : law.high();
  const double from = low - shift, to = high + shift;
  const double grain = std::min(law.normal() ? deviation : law.grain(),
                                1 / (target_scale_ * std::max(growth(transform_), 0.5)));
  const double count = std::clamp(std::ceil((to - from) / (grain / 8)), 64.0, 20'000.0);
  const double step = (to - from) / count;
  double mass = 0, sum = 0, squares = 0;
  const double centre = to_outcome(law.mean());
  for (double i = 0; i <= count; ++i) {
    const double x = from + step * i;
    const double z = (x - law.mean()) / deviation;
    const double weight = law.normal() ? std::exp(-0.5 * z * z) : law.rough_density(x);
    if (!(weight > 0)) continue;
    const double y = to_outcome(x) - centre;
    mass += weight;
    sum += weight * y;
    squares += weight * y * y;
  }
  const double mean = sum / mass;
  return {centre + mean, std::max(0.0, squares / mass - mean * mean)};
}

double Predictive::mean() const {
  if (moments_.empty()) return to_outcome(mean_);
  double result = 0;
  for (std::size_t i = 0; i < moments_.size(); ++i) result += weights_[i] * moments_[i].mean;
  return result;
}

Predictive::Variance Predictive::variance() const {
  if (!moments_.empty()) {
    Variance result;
    const double middle = mean();
    for (std::size_t i = 0; i < moments_.size(); ++i) {
      const double share = laws_[i].inner_variance() / laws_[i].variance();
      result.noise += weights_[i] * (1 - share) * moments_[i].variance;
      result.within += weights_[i] * share * moments_[i].variance;
      result.between += weights_[i] * std::pow(moments_[i].mean - middle, 2);
    }
    return result;
  }
  const double factor = target_scale_ * target_scale_;
  return {factor * mean_over_laws(
                       [](const FastLaw& law) { return law.variance() - law.inner_variance(); }),
          factor * mean_over_laws([](const FastLaw& law) { return law.inner_variance(); }),
          factor * mean_over_laws([&](const FastLaw& law) {
            return (law.mean() - mean_) * (law.mean() - mean_);
          })};
}

double Predictive::estimated_error() const {
  return mean_over_laws([](const FastLaw& law) { return law.estimated_error(); });
}

double Predictive::deviation() const {
  const Variance parts = variance();
  return std::sqrt(parts.noise + parts.within + parts.between);
}

double Predictive::log_density(double y) const {
  if (!is_possible(transform_, y)) return options_.floor > 0 ? std::log(options_.floor) : -INFINITY;
  const double x = to_standard(y);
  std::vector<double> logs;
  for (const FastLaw& law : laws_) logs.push_back(law.log_density(x));
  double result = log_mean_exp(logs, weights_);
  if (options_.epsilon > 0) {
    const double mass = standard_cdf(options_.range_to) - standard_cdf(options_.range_from);
    const double range = options_.range_to - options_.range_from;
    result = std::log((options_.epsilon + std::exp(result)) / (options_.epsilon * range + mass));
  }
  result += log_slope(transform_, y) - std::log(target_scale_);
  return options_.floor > 0 ? std::max(result, std::log(options_.floor)) : result;
}

double Predictive::standard_cdf(double x) const {
  // The weights of the laws add up to 1 only up to rounding.
  return std::clamp(mean_over_laws([&](const FastLaw& law) { return law.cdf(x); }), 0.0, 1.0);
}

double Predictive::cdf(double y) const {
  if (y <= range(transform_).from) return 0;
  if (y >= range(transform_).to) return 1;
  return standard_cdf(to_standard(y));
}

/// At or above `from`, where the distribution function is at most p.
double Predictive::standard_quantile(double p, double from) const {
  if (normal_) return normal_->quantile(p);
  double low = from, high = from, step = std::sqrt(mean_over_laws([](const FastLaw&law) {
                                    return law.variance() - law.inner_variance();
                                  }));
  for (const FastLaw& law : laws_) high = std::max(high, law.high());
  if (!(step > 0)) step = (high - low) / 16;
  double below = standard_cdf(low) - p, above = 1;
  if (below >= 0) return low;
  // Nearby first: levels ascend.
  for (double end = low + step; end < high; step *= 2, end += step) {
    const double value = standard_cdf(end) - p;
    if (value >= 0) {
      high = end;
      above = value;
      break;
    }
    low = end;
    below = value;
  }
  int side = 0;
  for (int i = 0; i < 200 && high - low > 1e-12 * (std::abs(low) + std::abs(high)) + 1e-14; ++i) {
    double middle = i % 8 == 7 ? (low + high) / 2 : (low * above - high * below) / (above - below);
    if (!(middle > low && middle < high)) middle = (low + high) / 2;
    if (!(middle > low && middle < high)) break;
    const double value = standard_cdf(middle) - p;
    if (value >= 0) {
      high = middle;
      above = value;
      if (side == 1) below /= 2;
      side = 1;
      if (value < 1e-15) break;
    } else {
      low = middle;
      below = value;
      if (side == -1) above /= 2;
      side = -1;
    }
    if (std::abs(value) < 1e-14) return middle;
  }
  return high;
}

double Predictive::quantile(double p) const {
  if (!(p > 0 && p < 1)) throw Error("a quantile needs a probability between 0 and 1");
  double low = laws_[0].low();
  for (const FastLaw& law : laws_) low = std::min(low, law.low());
  return to_outcome(standard_quantile(p, low));
}

/// The integral of F (1 - F), in standardised units.
double Predictive::half_spread() const {
  double low = laws_[0].low(), high = laws_[0].high(), grain = laws_[0].grain();
  for (const FastLaw& law : laws_) {
    low = std::min(low, law.low());
    high = std::max(high, law.high());
    grain = std::min(grain, law.grain());
  }
  const double most = 4000;
  const double count = std::clamp(std::ceil((high - low) / (grain / 2)), 32.0, most);
  const double step = (high - low) / count;
  double sum = 0;
  for (double i = 1; i < count; ++i) {
    const double value = standard_cdf(low + step * i);
    sum += value * (1 - value);
  }
  return step * sum;
}

/// The integral of (F - [x at most y])^2 over outcomes y, in standardised units on panels that end
/// at x.
double Predictive::transformed_crps(double x) const {
  double low = laws_[0].low(), high = laws_[0].high(), grain = laws_[0].grain();
  for (const FastLaw& law : laws_) {
    low = std::min(low, law.low());
    high = std::max(high, law.high());
    grain = std::min(grain, law.grain());
  }
  const auto integral = [&](double from, double to, bool below) {
    const GaussLegendre<8>& rule = GaussLegendre<8>::rule();
    const double panels = std::clamp(std::ceil((to - from) / grain), 4.0, 500.0);
    const double half = (to - from) / panels / 2;
    double sum = 0;
    for (double panel = 0; panel < panels; ++panel)
      for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
        const double at = from + half * (2 * panel + 1 + rule.nodes[i]);
        const double p = below ? standard_cdf(at) : 1 - standard_cdf(at);
        sum += half * rule.weights[i] * p * p * target_scale_ *
               inverse_slope(transform_, target_mean_ + target_scale_ * at);
      }
    return sum;
  };
  // Beyond the laws the distribution function is 0 or 1.
  double result = 0;
  if (x > low) result += integral(low, std::min(x, high), true);
  if (x < high) result += integral(std::max(x, low), high, false);
  if (x > high) result += to_outcome(x) - to_outcome(high);
  if (x < low) result += to_outcome(low) - to_outcome(x);
  return result;
}

double Predictive::crps(double y) const {
  const double x = to_standard(y);
  if (transform_ != TargetTransform::none) return transformed_crps(x);
  const double spread = !normal_ ? half_spread()
                        : std::ranges::all_of(laws_, &FastLaw::normal)
                            ? normal_->half_spread()
                            : normal_mixture(true)->half_spread();
  return target_scale_ *
         (mean_over_laws([&](const FastLaw& law) { return law.distance(x); }) - spread);
}

Forecast Predictive::forecast(std::optional<double> outcome) const {
  Forecast result;
  result.mean = mean();
  result.deviation = deviation();
  double from = laws_[0].low();
  for (const FastLaw& law : laws_) from = std::min(from, law.low());
  for (std::size_t i = 0; i < quantile_levels.size(); ++i) {
    from = standard_quantile(quantile_levels[i], from);
    result.quantiles[i] = to_outcome(from);
  }
  if (outcome) {
    result.log_density = log_density(*outcome);
    result.cdf = cdf(*outcome);
    result.crps = crps(*outcome);
  }
  return result;
}

std::vector<Activations> activations(const encoders::Network& network, const Forward& forward,
                                     std::span<const Weights> samples,
                                     std::span<const CollapsedSample> collapsed,
                                     const Matrix& inputs) {
  std::vector<Activations> result;
  for (std::size_t sample = 0; sample < samples.size(); ++sample) {
    const bool plain = collapsed[sample].layers == UnknownLayers::none;
    result.push_back(
        forward(network, samples[sample], inputs, plain ? "" : collapsed[sample].layer));
  }
  return result;
}

InputLaws output_laws_at(std::span<const CollapsedSample> collapsed,
                         std::span<const Activations> activations, std::size_t row) {
  InputLaws result;
  for (std::size_t sample = 0; sample < collapsed.size(); ++sample) {
    const bool plain = collapsed[sample].layers == UnknownLayers::none;
    result.push_back(
        output_laws(collapsed[sample],
                    plain ? std::span<const double>() : activations[sample].entering.row(row),
                    activations[sample].outputs.row(row)));
  }
  return result;
}

std::vector<Forecast> forecasts(const encoders::Network& network, const Forward& forward,
                                const Observation& observation,
                                const Standardisation& standardisation,
                                std::span<const Weights> samples,
                                std::span<const CollapsedSample> collapsed, const Dataset& rows,
                                const PredictiveOptions& options) {
  std::vector<Forecast> result(rows.inputs.rows());
  for (std::size_t start = 0; start < result.size(); start += batch_rows) {
    const std::size_t count = std::min(batch_rows, result.size() - start);
    Matrix batch(count, rows.inputs.columns);
    std::copy_n(rows.inputs.row(start).data(), count * batch.columns, batch.entries.data());
    const std::vector<Activations> found = activations(network, forward, samples, collapsed, batch);
    in_parallel(count, options.threads, [&](std::size_t i) {
      const InputLaws made = output_laws_at(collapsed, found, i);
      if (!observation.regression()) {
        result[start + i].probabilities = class_probabilities(made, observation);
        return;
      }
      std::vector<OutputLaw<double>> mixture;
      for (const std::vector<OutputLaw<double>>& sample : made) mixture.push_back(sample[0]);
      std::optional<double> outcome;
      if (!rows.targets.empty()) outcome = own_target(rows.targets[start + i], standardisation);
      result[start + i] = Predictive(mixture, options, standardisation).forecast(outcome);
    });
  }
  return result;
}

}  // namespace wmi::bnn
