#include "bnn/predictive/unit_quadrature.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "bnn/numeric/gauss_legendre.h"
#include "bnn/predictive/box_sum.h"
#include "bnn/predictive/methods/boxes.h"
#include "solver/terms/error.h"

namespace wmi::bnn {

double make_quadrature(const Unit<double>& unit, double highest, std::vector<double>& points,
                       std::vector<double>& masses) {
  std::vector<double> half_widths;
  double offset = 0, variance = 0;
  add_boxes(unit.terms, half_widths, offset, variance);
  const double centre = unit.constant + offset;
  const double whole = reach_of(half_widths);
  // Boxes narrower than the rounding of the others count as points.
  std::erase_if(half_widths, [&](double half) { return half < 1e-13 * whole; });
  std::ranges::sort(half_widths, std::greater());
  const auto activated = [&](double a) { return std::max(a, unit.slope * a); };
  if (half_widths.empty()) {
    points = {activated(centre)};
    masses = {1};
    return 0;
  }
  const double steepness = std::abs(unit.factor) + unit.half_width;
  const BoxSum law(half_widths, truncation / (highest * steepness));
  double total = 0;
  if (unit.slope == 0 && centre - law.reach() < 0) {
    points.push_back(0);
    masses.push_back(law.cdf(-centre));
    total = masses[0];
  }
  std::vector<double> knots = law.knots();
  for (double& knot : knots) knot += centre;
  if (centre - law.reach() < 0 && centre + law.reach() > 0) knots.push_back(0);
  std::ranges::sort(knots);
  const auto& rule = GaussLegendre<12>::rule();
  for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
    const double from = knots[i], to = knots[i + 1];
    if (!(to - from > 1e-14 * law.reach())) continue;
    const bool negative = (from + to) / 2 < 0;
    if (negative && unit.slope == 0) continue;
    const double fastest = law.bandwidth() + highest * steepness * (negative ? unit.slope : 1);
    const double panels = std::max(1.0, std::ceil(fastest * (to - from) / 10));
    if (panels * 12 + static_cast<double>(points.size()) > static_cast<double>(most_nodes))
      throw GaveUp("partition 'all': the noise is too small against what the weights leave open");
    const double half = (to - from) / 2 / panels;
    for (double panel = 0; panel < panels; ++panel)
      for (std::size_t k = 0; k < rule.nodes.size(); ++k) {
        const double a = from + half * (2 * panel + 1 + rule.nodes[k]);
        const double mass = half * rule.weights[k] * std::max(law.density(a - centre), 0.0);
        total += mass;
        if (mass < 1e-30) continue;
        points.push_back(activated(a));
        masses.push_back(mass);
      }
  }
  for (double& mass : masses) mass /= total;
  return std::abs(total - 1) + law.error();
}

}  // namespace wmi::bnn
