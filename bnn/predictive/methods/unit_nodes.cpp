#include "bnn/predictive/methods/unit_nodes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "bnn/numeric/box_spline.h"
#include "bnn/numeric/gauss_legendre.h"
#include "bnn/predictive/methods/boxes.h"
#include "bnn/predictive/methods/method.h"

namespace wmi::bnn {
namespace {

/// The density of a sum of centred boxes, as box_spline has it, with the corners laid out once.
class BoxDensity {
 public:
  explicit BoxDensity(std::span<const double> half_widths)
      : count_(half_widths.size()), corners_(std::size_t{1} << count_) {
    for (std::size_t corner = 0; corner < corners_; ++corner) {
      signs_[corner] = 1;
      for (std::size_t i = 0; i < count_; ++i) {
        const bool below = corner >> i & 1;
        offsets_[corner] += below ? -half_widths[i] : half_widths[i];
        if (below) signs_[corner] = -signs_[corner];
      }
    }
    for (std::size_t i = 0; i < count_; ++i)
      scale_ /= 2 * half_widths[i] * static_cast<double>(std::max<std::size_t>(i, 1));
  }

  /// Where the polynomial pieces meet, in no order.
  std::span<const double> offsets() const { return {offsets_.data(), corners_}; }

  /// `size` is the sum of the terms' absolute values.
  double at(double x, double& size) const {
    switch (count_) {
      case 1:
        return sum<0>(x, size);
      case 2:
        return sum<1>(x, size);
      case 3:
        return sum<2>(x, size);
      default:
        return sum<3>(x, size);
    }
  }

 private:
  template <int power>
  double sum(double x, double& size) const {
    double signed_sum = 0, unsigned_sum = 0;
    for (std::size_t corner = 0; corner < std::size_t{2} << power; ++corner) {
      const double above = x + offsets_[corner];
      double term = power == 0 ? (above > 0 ? 1 : 0) : std::max(above, 0.0);
      if constexpr (power >= 2) term *= power == 2 ? term : term * term;
      signed_sum += signs_[corner] * term;
      unsigned_sum += term;
    }
    size = unsigned_sum * scale_;
    return signed_sum * scale_;
  }

  std::size_t count_;
  std::size_t corners_;
  double scale_ = 1;  // one over the volume and the factorial of the power
  std::array<double, std::size_t{1} << most_spline_boxes> offsets_{};
  std::array<double, std::size_t{1} << most_spline_boxes> signs_{};
};

/// Gauss-Legendre nodes that are enough for a cubic times e^(iux) (or, in tails,
/// e^(ux)) on an interval where ux changes by `phase`: errors below 1e-12 of the maximum.
struct Rule {
  explicit Rule(double phase) {
    const auto take = [&](const auto& rule) {
      nodes = rule.nodes;
      weights = rule.weights;
    };
    if (phase <= 0.75)
      take(GaussLegendre<6>::rule());
    else if (phase <= 2.5)
      take(GaussLegendre<8>::rule());
    else
      take(GaussLegendre<12>::rule());
  }
  static constexpr double most_phase = 10;
  std::span<const double> nodes;
  std::span<const double> weights;
};

}  // namespace

bool make_nodes(const Unit<double>& unit, double highest, Nodes& nodes, std::size_t limit) {
  std::vector<double> half_widths;
  double centre = unit.constant, variance = 0;
  add_boxes(unit.terms, half_widths, centre, variance);
  const auto activated = [&](double a) { return unit.factor * std::max(a, unit.slope * a); };
  double reach = 0;
  for (const double half : half_widths) reach += half;
  // Boxes narrower than the rounding of the others count as points.
  std::erase_if(half_widths, [&](double half) { return half < 1e-12 * reach; });
  if (half_widths.empty()) {
    nodes = {{activated(centre)}, {1.0}};
    return true;
  }
  const std::size_t count = half_widths.size();
  if (count > most_spline_boxes) return false;
  double size = 0;
  if (unit.slope == 0 && centre - reach < 0) {
    const double dead =
        centre + reach <= 0 ? 1 : box_spline(half_widths.data(), count, 0, 1, -centre, size);
    nodes.points.push_back(0);
    nodes.masses.push_back(dead);
    if (dead > 0 && size * 1e-15 > 1e-11) return false;
  }
  const BoxDensity density(half_widths);
  std::vector<double> knots;
  knots.reserve(density.offsets().size() + 1);
  for (const double offset : density.offsets()) knots.push_back(centre + offset);
  if (centre - reach < 0 && centre + reach > 0) knots.push_back(0);
  std::ranges::sort(knots);
  nodes.points.reserve(8 * knots.size());
  nodes.masses.reserve(8 * knots.size());
  for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
    const double from = knots[i], to = knots[i + 1];
    if (!(to - from > 1e-14 * reach)) continue;
    const bool negative = (from + to) / 2 < 0;
    if (negative && unit.slope == 0) continue;
    const double steepness = std::abs(unit.factor) * (negative ? unit.slope : 1);
    const double phase = highest * steepness * (to - from);
    const double panels = std::max(1.0, std::ceil(phase / Rule::most_phase));
    if (!(panels * 12 + static_cast<double>(nodes.points.size()) < static_cast<double>(limit)))
      return false;
    const Rule rule(phase / panels);
    const double half = (to - from) / 2 / panels;
    for (double panel = 0; panel < panels; ++panel)
      for (std::size_t k = 0; k < rule.nodes.size(); ++k) {
        const double a = from + half * (2 * panel + 1 + rule.nodes[k]);
        // In the nearer tail, where less cancels.
        const double value = density.at(-std::abs(a - centre), size);
        if (size * 1e-15 * reach > 1e-11) return false;
        nodes.points.push_back(activated(a));
        nodes.masses.push_back(half * rule.weights[k] * std::max(value, 0.0));
      }
  }
  return true;
}

}  // namespace wmi::bnn
