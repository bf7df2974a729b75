// Units under a joint normal law, at most three. Their inputs are integrated one after the other, each
// given those before: the conditional laws are normal, and 0, where the unit switches, is an end of
// panels. A last unit that is off needs no nodes but its probability. As only the sum of the units
// counts, the nodes of each short interval of sums are replaced by a rule of Gauss for them.

#include "bnn/predictive/methods/joint_units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "bnn/numeric/box_spline.h"
#include "bnn/numeric/gauss_legendre.h"
#include "bnn/numeric/gauss_rule.h"
#include "bnn/numeric/orthant.h"
#include "bnn/predictive/methods/method.h"

namespace wmi::bnn {
namespace {

/// The lower triangle L of the covariance L L', row by row; empty if doubles find none.
std::vector<double> triangle(const JointUnits<double>& units) {
  const std::size_t n = units.size();
  std::vector<double> lower(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = units.covariance[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= lower[i * n + k] * lower[j * n + k];
      if (i == j && !(sum > 1e-13 * units.covariance[i * n + i])) return {};
      lower[i * n + j] = i == j ? std::sqrt(sum) : sum / lower[j * n + j];
    }
  return lower;
}

class NodeMaker {
 public:
  static constexpr std::size_t most_nodes = 4'000'000;

  NodeMaker(const JointUnits<double>& units, std::vector<double> lower, double highest)
      : units_(units), lower_(std::move(lower)), highest_(highest) {}

  /// False if there are too many.
  bool add(std::size_t k, double sum, double mass) {
    const std::size_t n = units_.size();
    if (k == n) {
      all_.points.push_back(sum);
      all_.masses.push_back(mass);
      return all_.points.size() < most_nodes;
    }
    double mean = units_.means[k];
    for (std::size_t i = 0; i < k; ++i) mean += lower_[k * n + i] * standard_[i];
    const double deviation = lower_[k * n + k];
    const double from = mean - negligible * deviation, to = mean + negligible * deviation;
    if (k + 1 == n && units_.slope == 0 && from < 0) {
      const double dead = mass * std::exp(normal_log_cdf(-mean / deviation));
      if (dead > least_mass && !add(n, sum, dead)) return false;
      return panels(k, sum, mass, mean, 0, to);
    }
    return panels(k, sum, mass, mean, from, std::min(to, 0.0)) &&
           panels(k, sum, mass, mean, std::max(from, 0.0), to);
  }

  /// All nodes, thinned: twelve for each interval in which averages of e^(iux) change little.
  Nodes thinned() const {
    constexpr std::size_t count = 12;
    constexpr double phase = 6;
    const double low = *std::ranges::min_element(all_.points);
    const double length = phase / highest_;
    std::vector<std::pair<double, double>> order;
    order.reserve(all_.points.size());
    for (std::size_t i = 0; i < all_.points.size(); ++i)
      order.emplace_back(all_.points[i], all_.masses[i]);
    std::ranges::sort(order);
    Nodes result, cell;
    double end = low + length;
    const auto flush = [&] {
      if (!cell.points.empty()) append_gauss_rule(cell.points, cell.masses, count, result);
      cell = {};
    };
    for (const auto& [point, mass] : order) {
      if (point > end) {
        flush();
        end = point + length;
      }
      cell.points.push_back(point);
      cell.masses.push_back(mass);
    }
    flush();
    return result;
  }

 private:
  static constexpr double least_mass = 1e-22;

  bool panels(std::size_t k, double sum, double mass, double mean, double from, double to) {
    if (!(from < to)) return true;
    const std::size_t n = units_.size();
    const double deviation = lower_[k * n + k];
    const double slope = from < 0 ? units_.slope : 1;
    // How fast the sum changes: this unit, and the means of those to come.
    double steepness = std::abs(units_.factors[k]) * slope;
    for (std::size_t i = k + 1; i < n; ++i)
      steepness += std::abs(units_.factors[i] * lower_[i * n + k] / deviation);
    const double count = std::max({1.0, std::ceil((to - from) / (3 * deviation)),
                                   std::ceil(highest_ * steepness * (to - from) / 8)});
    if (count > 1e5) return false;
    const auto& rule = GaussLegendre<12>::rule();
    const double half = (to - from) / (2 * count);
    for (double panel = 0; panel < count; ++panel)
      for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
        const double a = from + half * (2 * panel + 1 + rule.nodes[i]);
        standard_[k] = (a - mean) / deviation;
        const double own = mass * half * rule.weights[i] * normal_density(standard_[k]) / deviation;
        if (own < least_mass) continue;
        if (!add(k + 1, sum + units_.factors[k] * slope * a, own)) return false;
      }
    return true;
  }

  const JointUnits<double>& units_;
  const std::vector<double> lower_;
  const double highest_;
  std::array<double, most_joint_units> standard_{};
  Nodes all_;
};

}  // namespace

bool make_nodes(const JointUnits<double>& units, double highest, Nodes& nodes) {
  std::vector<double> lower = triangle(units);
  if (lower.empty()) return false;
  NodeMaker maker(units, std::move(lower), highest);
  if (!maker.add(0, 0, 1)) return false;
  nodes = maker.thinned();
  return true;
}

double log_density(const JointUnits<double>& units, double noise, double y) {
  const std::size_t n = units.size();
  std::vector<double> logs;
  for (std::size_t pattern = 0; pattern < std::size_t{1} << n; ++pattern) {
    std::vector<double> signs(n), factors(n), along(n);  // along: covariance times factors
    double centre = 0, variance = noise * noise;
    for (std::size_t i = 0; i < n; ++i) {
      signs[i] = pattern >> i & 1 ? 1 : -1;
      factors[i] = units.factors[i] * (signs[i] > 0 ? 1 : units.slope);
      centre += factors[i] * units.means[i];
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) along[i] += units.covariance[i * n + j] * factors[j];
      variance += factors[i] * along[i];
    }
    std::vector<double> mean(n), covariance(n * n);  // given y, with the signs turned
    for (std::size_t i = 0; i < n; ++i) {
      mean[i] = signs[i] * (units.means[i] + along[i] * (y - centre) / variance);
      for (std::size_t j = 0; j < n; ++j)
        covariance[i * n + j] =
            signs[i] * signs[j] * (units.covariance[i * n + j] - along[i] * along[j] / variance);
    }
    logs.push_back(normal_log_density((y - centre) / std::sqrt(variance)) - std::log(variance) / 2 +
                   log_orthant(mean, covariance));
  }
  const double most = *std::ranges::max_element(logs);
  double sum = 0;
  for (const double log : logs) sum += std::exp(log - most);
  return most + std::log(sum);
}

}  // namespace wmi::bnn
