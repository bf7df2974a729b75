// A class wins a softmax with the probability with which its logit plus a Gumbel number is the
// largest of all. With G(u) = exp(-e^-u), for independent logits
//
//     E softmax_k = integral of E[g(u - z_k)] product over j != k of E[G(u - z_j)] du,   g = G',
//
// one integral whatever the number of classes, of a function that is analytic in a strip: the
// trapezoidal rule with steps of 0.38 errs by e^(-pi^2 / 0.38). The laws of the logits are nodes
// (logit_nodes.h). All terms are positive, so small probabilities keep their digits.
//
// Where all laws are normal and wide, averages need no nodes (wide_logit.h), and steps are longer.
// 1 - E[G] falls at most like e^(-u), and for a deviation d like e^(-t u / d) at t deviations above
// the mean. What matters of K classes lies where a class is above u with a probability of at most
// 1 / K, so t is at most sqrt(2 log K): the strip is wider by d / t.
//
// Nodes whose distance is that of the steps, or a part of it, meet the same differences u - z again
// at each step. So G and g are taken once for each difference, and averages are sums of products.

#include "bnn/predictive/softmax_average.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "bnn/predictive/wide_logit.h"

namespace wmi::bnn {
namespace {

/// The step of the rule.
double step_for(std::span<const SmoothNodes> logits) {
  double least = INFINITY;  // 0 for nodes
  for (const SmoothNodes& logit : logits) least = std::min(least, logit.wide_deviation);
  const double slope =
      std::sqrt(2 * std::log(static_cast<double>(std::max<std::size_t>(logits.size(), 2))));
  return smooth_width * std::max(1.0, least / slope);
}

/// E[G(u - z)] as a function of s = e^(-u), where s e^z is small: H(s) = 1 + h1 s + h2 s^2 + ...
/// with hp = E[(-e^z)^p] / p!.
struct SmallSeries {
  static constexpr std::size_t terms = 5;
  static constexpr double small = 1e-3;  // s e^z at most: the next term is below 1e-20

  /// `powers` are the e^z of the nodes.
  SmallSeries(std::span<const double> powers, std::span<const double> masses) {
    for (std::size_t i = 0; i < powers.size(); ++i) {
      double term = masses[i];
      for (double& moment : of_distribution) moment += term *= -powers[i];
    }
    double factorial = 1;
    for (std::size_t p = 0; p < terms; ++p)
      of_distribution[p] /= factorial *= static_cast<double>(p + 1);
    for (std::size_t p = 0; p < terms; ++p) {
      of_ratio[p] = -static_cast<double>(p + 1) * of_distribution[p];
      for (std::size_t i = 0; i < p; ++i) of_ratio[p] -= of_ratio[i] * of_distribution[p - 1 - i];
    }
  }

  /// A series without its constant term.
  static double at(const std::array<double, terms>& series, double s) {
    double sum = 0;
    for (std::size_t p = terms; p-- > 0;) sum = (sum + series[p]) * s;
    return sum;
  }

  std::array<double, terms> of_distribution{};
  std::array<double, terms> of_ratio{};  // of -s H'(s) / H(s) = E[g] / E[G]
};

/// E[G(u - z)] and E[g(u - z)] of one logit.
using Averages = WideLogit::Averages;

/// G and g at the differences of nodes at equal distances.
class Differences {
 public:
  /// At a step at which its differences have this number and those after it, as many as there are
  /// nodes; numbers grow from call to call. `exponent` is z - u for the first difference of all.
  Averages averages(const SmoothNodes& nodes, std::size_t number, double exponent) {
    if (distribution_.empty() && !ended_) first_ = number;
    const double distance = smooth_width / nodes.per_width;
    const std::size_t from = number - first_, count = nodes.points.size();
    // From some difference on G is 0, and so are all after it.
    while (!ended_ && distribution_.size() < from + count) {
      const auto next = static_cast<double>(first_ + distribution_.size());
      const double e = std::exp(exponent + distance * next);
      ended_ = e > 750;
      if (ended_) break;
      distribution_.push_back(std::exp(-e));
      density_.push_back(e * distribution_.back());
    }
    if (distribution_.size() <= from) return {};
    const std::size_t used = std::min(count, distribution_.size() - from);
    const double *const masses = nodes.masses.data(), *const at = distribution_.data() + from,
                        *const slopes = density_.data() + from;
    constexpr std::size_t lanes = 4;
    double sums[lanes]{}, slope_sums[lanes]{};
    std::size_t i = 0;
    for (; i + lanes <= used; i += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        sums[lane] += masses[i + lane] * at[i + lane];
        slope_sums[lane] += masses[i + lane] * slopes[i + lane];
      }
    for (; i < used; ++i) {
      sums[0] += masses[i] * at[i];
      slope_sums[0] += masses[i] * slopes[i];
    }
    return {(sums[0] + sums[1]) + (sums[2] + sums[3]),
            (slope_sums[0] + slope_sums[1]) + (slope_sums[2] + slope_sums[3])};
  }

 private:
  std::size_t first_ = 0;
  bool ended_ = false;
  std::vector<double> distribution_, density_;
};

/// The integral over all u. From where s e^z is small for all nodes, the sum over u is one of a few
/// powers of s, the same for all classes.
class Softmax {
 public:
  explicit Softmax(std::span<const SmoothNodes> logits)
      : logits_(logits), step_(step_for(logits)), differences_(logits.size()) {
    low_ = high_ = -INFINITY;
    for (const SmoothNodes& logit : logits) {
      if (logit.wide_deviation > 0) {
        const WideLogit& wide =
            *wide_.emplace_back(WideLogit(logit.points[0], logit.wide_deviation));
        low_ = std::max(low_, wide.low());
        high_ = std::max(high_, wide.high());
        highest_.push_back(wide.high());
        continue;
      }
      wide_.emplace_back();
      const auto [least, most] = std::ranges::minmax(logit.points);
      low_ = std::max(low_, least - 4);
      high_ = std::max(high_, most);
      highest_.push_back(most);
    }
    for (std::size_t k = 0; k < logits.size(); ++k) {
      const SmoothNodes& logit = logits[k];
      std::vector<double> powers, own_powers;
      // A wide law has nothing above its highest u.
      if (!wide_[k]) {
        powers.reserve(logit.points.size());
        for (const double point : logit.points) {
          powers.push_back(std::exp(point - high_));
          own_powers.push_back(std::exp(point - highest_[k]));
        }
      }
      series_.emplace_back(own_powers, std::span(logit.masses).first(own_powers.size()));
      series_units_.push_back(std::exp(highest_[k] - high_));
      powers_.push_back(std::move(powers));
    }
  }

  std::vector<double> probabilities() {
    std::vector<double> result(logits_.size());
    far_ = high_ - std::log(SmallSeries::small);
    add_far(far_, result);
    // What lies below u is at most the probability that the largest does, for every class.
    double u = far_ - step_;
    for (std::size_t step = 1; u > low_; ++step, u -= step_)
      if (add_near(step, u, result) < 1e-16 * *std::ranges::min_element(result)) break;
    const double sum = std::accumulate(result.begin(), result.end(), 0.0);
    for (double& value : result) value /= sum;
    return result;
  }

 private:
  /// At u, which is so many steps below the first.
  Averages averages(std::size_t k, std::size_t step, double u, double s) {
    if (wide_[k]) return wide_[k]->at(u);
    if (highest_[k] - u < std::log(SmallSeries::small)) {
      // Far above, s may be infinite and the unit 0.
      const double own = high_ - u < 600 ? series_units_[k] * s : std::exp(highest_[k] - u);
      const double distribution = 1 + SmallSeries::at(series_[k].of_distribution, own);
      return {distribution, SmallSeries::at(series_[k].of_ratio, own) * distribution};
    }
    const SmoothNodes& logit = logits_[k];
    if (logit.per_width > 0)
      return differences_[k].averages(logit, step * logit.per_width, logit.points[0] - far_);
    Averages result;
    const bool representable = high_ - u < 600;  // else powers and s may be 0 and infinite
    for (std::size_t i = 0; i < powers_[k].size(); ++i) {
      const double e = representable ? powers_[k][i] * s : std::exp(logit.points[i] - u);
      const double part = e > 750 ? 0 : logit.masses[i] * std::exp(-e);
      if (part == 0) continue;
      result.distribution += part;
      result.density += part * e;
    }
    return result;
  }

  /// Returns the product, the probability that the largest of all is below u.
  double add_near(std::size_t step, double u, std::vector<double>& result) {
    const double s = std::exp(high_ - u);
    double product = 1;
    ratios_.clear();
    for (std::size_t k = 0; k < logits_.size(); ++k) {
      const Averages found = averages(k, step, u, s);
      product *= found.distribution;
      if (product == 0) return 0;
      ratios_.push_back(found.density / found.distribution);
    }
    for (std::size_t k = 0; k < logits_.size(); ++k) result[k] += ratios_[k] * product;
    return product;
  }

  /// From u on.
  void add_far(double u, std::vector<double>& result) const {
    std::array<double, SmallSeries::terms> logarithm{},
        sums{};  // log of the product; of s^p times it
    for (std::size_t k = 0; k < series_.size(); ++k) {
      double power = 1;
      for (std::size_t p = 0; p < SmallSeries::terms; ++p)
        logarithm[p] -=
            series_[k].of_ratio[p] * (power *= series_units_[k]) / static_cast<double>(p + 1);
    }
    for (; u < high_ + 40; u += step_) {
      const double s = std::exp(high_ - u);
      double power = std::exp(SmallSeries::at(logarithm, s));
      for (double& sum : sums) sum += power *= s;
    }
    for (std::size_t k = 0; k < result.size(); ++k) {
      double power = 1;
      for (std::size_t p = 0; p < SmallSeries::terms; ++p)
        result[k] += series_[k].of_ratio[p] * (power *= series_units_[k]) * sums[p];
    }
  }

  std::span<const SmoothNodes> logits_;
  double low_, high_, far_ = 0;  // the last and first u; the highest node
  double step_;                  // between two u
  std::vector<std::optional<WideLogit>> wide_;
  std::vector<double> highest_;              // of the nodes of each logit
  std::vector<std::vector<double>> powers_;  // e^(z - high) for all nodes
  std::vector<SmallSeries> series_;          // in e^(highest - u)
  std::vector<double> series_units_;         // e^(highest - high)
  std::vector<Differences> differences_;
  std::vector<double> ratios_;
};

/// Of logits that are numbers.
std::vector<double> softmax_of_numbers(std::span<const SmoothNodes> logits) {
  double most = -INFINITY, sum = 0;
  for (const SmoothNodes& logit : logits) most = std::max(most, logit.points[0]);
  std::vector<double> result;
  result.reserve(logits.size());
  for (const SmoothNodes& logit : logits)
    sum += result.emplace_back(std::exp(logit.points[0] - most));
  for (double& value : result) value /= sum;
  return result;
}

}  // namespace

std::vector<double> average_softmax(std::span<const SmoothNodes> logits) {
  if (std::ranges::all_of(logits, [](const SmoothNodes& logit) {
        return logit.points.size() == 1 && logit.wide_deviation == 0;
      }))
    return softmax_of_numbers(logits);
  return Softmax(logits).probabilities();
}

}  // namespace wmi::bnn
