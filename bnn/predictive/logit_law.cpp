// A sum of boxes on a grid, box by box from the widest on: with the density constant in each cell,
// the integral J of the distribution function is quadratic there, and adding a box of half width h
// gives a cell from a to b the mass
//
//     ((J(b + h) - J(a + h)) - (J(b - h) - J(a - h))) / 2h.
//
// That is exact; that the density is taken to be constant in the cell again errs by the square of
// the step.

#include "bnn/predictive/logit_law.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "bnn/predictive/methods/boxes.h"

namespace wmi::bnn {
namespace {

constexpr std::size_t cells = 8192;
/// Beyond so many deviations there is no mass to speak of.
constexpr double farthest = 8.6;
/// Narrower boxes, against all, change nothing.
constexpr double narrowest = 1e-7;

}  // namespace

GridLaw::GridLaw(double centre, std::vector<double> half_widths) : masses_(cells) {
  std::ranges::sort(half_widths, std::greater<>());
  double reach = 0, variance = 0;
  for (const double half : half_widths) {
    reach += half;
    variance += half * half / 3;
  }
  reach = std::min(reach, farthest * std::sqrt(variance)) * (1 + 1e-12);
  low_ = centre - reach;
  high_ = centre + reach;
  step_ = 2 * reach / static_cast<double>(cells);
  const double widest = half_widths[0];
  for (std::size_t i = 0; i < cells; ++i) {
    const double from = -reach + step_ * static_cast<double>(i);
    const double common = std::min(from + step_, widest) - std::max(from, -widest);
    masses_[i] = std::max(0.0, common) / (2 * widest);
  }
  sum_up();
  for (std::size_t i = 1; i < half_widths.size(); ++i)
    if (half_widths[i] > narrowest * reach) add_box(half_widths[i]);
}

void GridLaw::add_box(double half) {
  std::vector<double> masses(cells);
  const auto increase = [&](double shift) {  // of the integral over each cell, shifted
    double before = integral(low_ + shift);
    for (std::size_t i = 0; i < cells; ++i) {
      const double after = integral(low_ + step_ * static_cast<double>(i + 1) + shift);
      masses[i] += (shift < 0 ? before - after : after - before) / (2 * half);
      before = after;
    }
  };
  increase(half);
  increase(-half);
  for (std::size_t i = 0; i < cells; ++i) masses_[i] = std::max(0.0, masses[i]);
  sum_up();
}

void GridLaw::sum_up() {
  double sum = 0;
  for (const double mass : masses_) sum += mass;
  below_.assign(cells + 1, 0);
  integrals_.assign(cells + 1, 0);
  for (std::size_t i = 0; i < cells; ++i) {
    masses_[i] /= sum;
    below_[i + 1] = below_[i] + masses_[i];
    integrals_[i + 1] = integrals_[i] + step_ * (below_[i] + masses_[i] / 2);
  }
}

double GridLaw::cdf(double y) const {
  if (y <= low_) return 0;
  if (y >= high_) return 1;
  const double place = (y - low_) / step_;
  const std::size_t cell = std::min(cells - 1, static_cast<std::size_t>(place));
  return below_[cell] + masses_[cell] * (place - static_cast<double>(cell));
}

double GridLaw::integral(double y) const {
  if (y <= low_) return 0;
  if (y >= high_) return integrals_[cells] + (y - high_);
  const double place = (y - low_) / step_;
  const std::size_t cell = std::min(cells - 1, static_cast<std::size_t>(place));
  const double rest = place - static_cast<double>(cell);
  return integrals_[cell] + step_ * rest * (below_[cell] + masses_[cell] * rest / 2);
}

/// E|Y - y| = E[Y] - y + 2 E[(y - Y)+], and the last is the integral of the distribution function.
double GridLaw::distance(double y) const {
  const double mean = high_ - integrals_[cells];
  return mean - y + 2 * integral(y);
}

LogitLaw::LogitLaw(const OutputLaw<double>& logit) : law_(logit, {}) {
  const bool only_boxes = logit.units.empty() && !logit.estimated && logit.deviation == 0 &&
                          logit.noise == 0 && !logit.terms.empty();
  if (law_.in_doubles() || !only_boxes) return;
  std::vector<double> half_widths;
  double centre = logit.constant, variance = 0;
  add_boxes(logit.terms, half_widths, centre, variance);
  if (!half_widths.empty()) grid_.emplace(centre, std::move(half_widths));
}

}  // namespace wmi::bnn
