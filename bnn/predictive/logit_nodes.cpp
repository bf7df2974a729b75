// Normal laws by the trapezoidal rule, and so sums of many boxes, whose characteristic function is
// small from some frequency on; one box by the rule of Gauss and Legendre; a sum of few boxes box by
// box, with few points for each interval; all else at points of its density.

#include "bnn/predictive/logit_nodes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "bnn/numeric/gauss_legendre.h"
#include "bnn/numeric/gauss_rule.h"
#include "bnn/predictive/fast_law.h"
#include "bnn/predictive/logit_law.h"
#include "bnn/predictive/methods/boxes.h"
#include "bnn/predictive/methods/joint_units.h"
#include "bnn/predictive/wide_logit.h"

namespace wmi::bnn {
namespace {

/// Nodes that are enough for e^(iux) up to this frequency are enough for such functions.
constexpr double smooth_frequency = 6;

/// The normal law of mean 0 and deviation 1 by the trapezoidal rule.
Nodes standard_nodes(double step) {
  const double reach = std::ceil(7.5 / step);
  Nodes result;
  double sum = 0;
  for (double i = -reach; i <= reach; ++i) {
    const double z = step * i;
    result.points.push_back(z);
    result.masses.push_back(std::exp(-z * z / 2));
    sum += result.masses.back();
  }
  for (double& mass : result.masses) mass /= sum;
  return result;
}

/// The rule of Gauss for it.
Nodes gauss_hermite(std::size_t count) {
  const Nodes fine = standard_nodes(0.25);
  Nodes result;
  append_gauss_rule(fine.points, fine.masses, count, result);
  return result;
}

/// Few nodes where the deviation d is small: the rule of n points errs by about n! (2d / pi)^2n.
const Nodes& narrow_nodes(double deviation) {
  static const Nodes four = gauss_hermite(4), six = gauss_hermite(6), ten = gauss_hermite(10);
  return deviation < 0.02 ? four : deviation < 0.08 ? six : ten;
}

/// The trapezoidal rule errs by e^(-2 pi^2 / 0.7^2) for the normal law itself.
unsigned wide_per_width(double deviation) {
  return static_cast<unsigned>(std::ceil(smooth_width / (0.7 * deviation)));
}

Nodes wide_nodes(double deviation) {
  return standard_nodes(smooth_width / (wide_per_width(deviation) * deviation));
}

bool narrow(double deviation) { return deviation < 0.2; }

Nodes short_nodes(double deviation) {
  return narrow(deviation) ? narrow_nodes(deviation) : wide_nodes(deviation);
}

Nodes normal_nodes(double mean, double deviation, Nodes standard) {
  for (double& point : standard.points) point = mean + deviation * point;
  return standard;
}

/// A uniform law.
Nodes box_nodes(double from, double to) {
  const auto& rule = GaussLegendre<12>::rule();
  const double panels = std::ceil((to - from) / 2), half = (to - from) / 2 / panels;
  Nodes result;
  for (double panel = 0; panel < panels; ++panel)
    for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
      result.points.push_back(from + half * (2 * panel + 1 + rule.nodes[i]));
      result.masses.push_back(rule.weights[i] / (2 * panels));
    }
  return result;
}

/// The step of the trapezoidal rule for a sum of boxes, times a function whose Fourier transform
/// falls like e^(-pi |w| / 2); 0 when it would be too small. The error is what the product has at
/// the frequency 2 pi / step.
double smooth_step(const std::vector<WeightTerm<double>>& terms, double deviation) {
  constexpr double negligible = 1e-11, pi = std::numbers::pi;
  // At this frequency, and beyond it: |sin a / a| is at most e^(-a^2/6) up to 3, then 1/a.
  const auto characteristic = [&](double frequency) {
    double exponent = 0, result = 1;
    for (const WeightTerm<double>& term : terms) {
      const auto order = static_cast<double>(term.order);
      const double a = std::abs(term.coefficient) * (term.to - term.from) / (2 * order) * frequency;
      if (a < 3)
        exponent += order * a * a / 6;
      else
        result *= std::pow(std::min(a, 1e6), -order);
    }
    return result * std::exp(-exponent);
  };
  for (double step = std::min(0.7 * deviation, smooth_width); step > 0.1 * std::min(deviation, 0.5);
       step *= 0.8) {
    const double frequency = 2 * pi / step;
    bool small = true;
    for (int i = 0; i <= 8 && small; ++i) {
      const double other = frequency * i / 8;
      small = characteristic(frequency - other) * std::exp(-pi / 2 * other) < negligible;
    }
    if (small) return step;
  }
  return 0;
}

/// Sums of boxes that reach farther from their mean would have too many nodes.
constexpr double farthest = 512;

/// The uniform law on [-half, half] for functions that are smooth over a distance of 1.
Nodes smooth_box(double half) {
  const double panels = std::ceil(2 * half), width = half / panels;
  Nodes result;
  const auto take = [&](const auto& rule) {
    for (double panel = 0; panel < panels; ++panel)
      for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
        result.points.push_back(width * (2 * panel + 1 + rule.nodes[i]) - half);
        result.masses.push_back(rule.weights[i] / (2 * panels));
      }
  };
  if (half < 0.1)
    take(GaussLegendre<4>::rule());
  else
    take(GaussLegendre<7>::rule());
  return result;
}

/// The sum of two independent laws: the pairs of their points, and for those in each interval of
/// length 1 a rule of seven points. A function that is bounded by 1 where the imaginary part is
/// below pi / 2 is its polynomial of degree 13 there up to 6.4^-14.
Nodes smooth_sum(const Nodes& a, const Nodes& b) {
  constexpr double negligible = 1e-30;
  const double low = *std::ranges::min_element(a.points) + *std::ranges::min_element(b.points);
  std::vector<Nodes> cells;
  for (std::size_t i = 0; i < a.points.size(); ++i)
    for (std::size_t j = 0; j < b.points.size(); ++j) {
      const double point = a.points[i] + b.points[j], mass = a.masses[i] * b.masses[j];
      if (mass < negligible) continue;
      const auto cell = static_cast<std::size_t>(std::max(point - low, 0.0));
      if (cell >= cells.size()) cells.resize(cell + 1);
      cells[cell].points.push_back(point);
      cells[cell].masses.push_back(mass);
    }
  Nodes result;
  for (const Nodes& cell : cells)
    if (!cell.points.empty()) append_gauss_rule(cell.points, cell.masses, 7, result);
  return result;
}

/// A sum of boxes, added one by one.
Nodes sum_of_boxes(double centre, std::span<const double> half_widths) {
  Nodes result{{centre}, {1}};
  for (const double half : half_widths) result = smooth_sum(result, smooth_box(half));
  return result;
}

}  // namespace

Nodes nodes_of(const OutputLaw<double>& logit) { return nodes_of(LogitLaw(logit)); }

Nodes nodes_of(const LogitLaw& law) {
  const double deviation = std::sqrt(law.variance());
  if (!(deviation > 1e-9)) return {{law.mean()}, {1}};
  if (law.normal()) return normal_nodes(law.mean(), deviation, wide_nodes(deviation));
  // Masses between points: differences of the distribution function are right for corners too.
  const double count =
      std::clamp(std::ceil((law.high() - law.low()) * 24 / deviation), 64.0, 512.0);
  const double step = (law.high() - law.low()) / count;
  Nodes result;
  double below = 0, distance_below = law.distance(law.low());
  for (double i = 0; i < count; ++i) {
    const double from = law.low() + step * i, to = from + step;
    const double cdf = i + 1 == count ? 1 : law.cdf(to);
    const double distance = law.distance(to);
    const double mass = cdf - below;
    // The mean within [from, to], from E|Y - y|, whose derivative is 2F - 1.
    if (mass > 0) {
      const double integral = (distance - distance_below + step) / 2;  // of F
      const double centre = std::clamp((to * cdf - from * below - integral) / mass, from, to);
      // Two points with the variance of a uniform number.
      const double half = std::min({step / std::sqrt(12.0), centre - from, to - centre});
      result.points.insert(result.points.end(), {centre - half, centre + half});
      result.masses.insert(result.masses.end(), 2, mass / 2);
    }
    below = cdf;
    distance_below = distance;
  }
  return result;
}

SmoothNodes smooth_nodes_of(const OutputLaw<double>& logit) {
  if (!logit.joint.empty() && logit.noise == 0) {
    const OpenUnits open = open_units(logit.joint);
    if (Nodes result; make_nodes(open, smooth_frequency, result)) {
      for (double& point : result.points) point += logit.constant;
      const double deviation = open.deviation;
      if (!(deviation > 1e-9)) return {result};
      return {smooth_sum(result, normal_nodes(0, deviation, short_nodes(deviation)))};
    }
  }
  if (!logit.units.empty() || !logit.joint.empty() || logit.estimated) return {nodes_of(logit)};
  const FastLaw law(logit, {});
  const double deviation = std::sqrt(law.variance());
  if (!(deviation > 1e-9)) return {{{law.mean()}, {1}}};
  if (law.normal())
    return {normal_nodes(law.mean(), deviation, short_nodes(deviation)),
            narrow(deviation) ? 0 : wide_per_width(deviation)};
  if (logit.deviation > 0 || logit.noise > 0) return {nodes_of(logit)};
  if (logit.terms.size() == 1 && logit.terms[0].order == 1) {
    const double half = deviation * std::sqrt(3.0);
    return {half < 50 ? box_nodes(law.mean() - half, law.mean() + half) : nodes_of(logit)};
  }
  const double longest = smooth_step(logit.terms, deviation);
  if (longest == 0) {
    BoxesAndGaussian sum;
    double centre = logit.constant, variance = 0;
    add_boxes(logit.terms, sum.half_widths, centre, variance);
    return {sum.reach(0) < farthest ? sum_of_boxes(centre, sum.half_widths) : nodes_of(logit)};
  }
  const double parts = std::ceil(smooth_width / longest), step = smooth_width / parts;
  const double count = std::ceil((law.high() - law.low()) / 2 / step);
  SmoothNodes result{{}, static_cast<unsigned>(parts)};
  double sum = 0;
  for (double i = -count; i <= count; ++i) {
    const double point = law.mean() + step * i, density = law.rough_density(point);
    if (!(density * deviation > 1e-14)) {  // it rises, then falls
      if (result.points.empty()) continue;
      break;
    }
    result.points.push_back(point);
    result.masses.push_back(density);
    sum += density;
  }
  for (double& mass : result.masses) mass /= sum;
  return result;
}

SmoothNodes softmax_nodes_of(const OutputLaw<double>& logit) {
  if (logit.units.empty() && logit.joint.empty() && !logit.estimated) {
    const FastLaw law(logit, {});
    const double deviation = std::sqrt(law.variance());
    if (law.normal() && deviation >= WideLogit::least_deviation)
      return {{{law.mean()}, {1}}, 0, deviation};
  }
  return smooth_nodes_of(logit);
}

}  // namespace wmi::bnn
