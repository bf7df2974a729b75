#pragma once

#include <optional>
#include <vector>

#include "bnn/collapse/output_law.h"
#include "bnn/predictive/fast_law.h"

namespace wmi::bnn {

/// The law of a sum of boxes (uniform laws) as masses of the cells of a grid: distribution functions
/// are right to about 1e-5, whatever the widths.
class GridLaw {
 public:
  GridLaw(double centre, std::vector<double> half_widths);

  double cdf(double y) const;
  /// E|Y - y|.
  double distance(double y) const;
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  void add_box(double half);
  void sum_up();
  /// The integral of the distribution function from low() to this place.
  double integral(double y) const;

  double low_, high_, step_;
  std::vector<double> masses_;     // of the cells, uniform within each
  std::vector<double> below_;      // of all cells before each
  std::vector<double> integrals_;  // of the distribution function before each
};

/// The law of a logit in doubles, quick for all widths of its boxes: a FastLaw, or a grid where that
/// would compute certified values.
class LogitLaw {
 public:
  explicit LogitLaw(const OutputLaw<double>& logit);

  double mean() const { return law_.mean(); }
  double variance() const { return law_.variance(); }
  bool normal() const { return law_.normal(); }
  double cdf(double y) const { return grid_ ? grid_->cdf(y) : law_.cdf(y); }
  double distance(double y) const { return grid_ ? grid_->distance(y) : law_.distance(y); }
  double low() const { return grid_ ? grid_->low() : law_.low(); }
  double high() const { return grid_ ? grid_->high() : law_.high(); }

 private:
  FastLaw law_;
  std::optional<GridLaw> grid_;
};

}  // namespace wmi::bnn
