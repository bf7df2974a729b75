#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bnn/data/target_transform.h"
#include "bnn/numeric/matrix.h"

namespace wmi::bnn {

/// Inputs and outcomes, a row each. The outcome of a classification is the number of its class.
struct Dataset {
  Matrix inputs;
  std::vector<double> targets;
  std::vector<double> weights = {};  // of the rows, of mean 1; empty: all count alike

  std::size_t rows() const { return targets.size(); }
  double weight(std::size_t row) const { return weights.empty() ? 1 : weights[row]; }
};

/// Some rows of a data set, in this order.
Dataset select(const Dataset& data, std::span<const std::size_t> rows);

/// How columns become numbers of mean 0 and variance 1, fitted on training rows only. A constant
/// column has scale 1.
struct Standardisation {
  std::vector<double> input_mean;
  std::vector<double> input_scale;
  double target_mean = 0;
  double target_scale = 1;
  /// Standardised inputs stay within these, a number for each; empty: within none.
  std::vector<double> input_least = {}, input_most = {};
  double input_clip = 0;  // standardised inputs stay within it, smoothly; 0: they are not clipped
  TargetTransform target_transform = TargetTransform::none;  // before mean and scale
};

/// Whether doubles can compute variances in units of such a scale: its square neither overflows nor
/// vanishes.
bool can_compute_with(double mean, double scale);

/// How inputs are scaled.
enum class Scaling {
  standard,  ///< by mean and standard deviation
  robust     ///< by median and quartiles where there are many values, and clipped smoothly
};

/// Of the inputs; of the targets too when they are numbers, not classes (always by mean and
/// deviation).
///
/// Robust scaling is that of Holzmueller, Grinsztajn and Steinwart, "Better by Default: Strong
/// Pre-Tuned MLPs and Boosted Trees on Tabular Data" (2024): z / sqrt(1 + (z / clip)^2) of
/// z = (x - median) / (upper - lower quartile), here with the quartiles' distance of a normal law
/// as the unit. Columns of at most ten values keep mean and deviation.
///
/// Targets are transformed first; throws Error for one that is not possible.
Standardisation fit_standardisation(const Dataset& data, bool regression,
                                    Scaling scaling = Scaling::standard,
                                    TargetTransform transform = TargetTransform::none);
/// Limits inputs to the range of these rows, and half of its width beyond: nothing is known of what
/// lies further out, where a network would go on along straight lines. None where inputs are clipped.
void limit_inputs(Standardisation& standardisation, const Dataset& data);
/// The same scales, without limits.
Standardisation without_limits(Standardisation standardisation);
/// (x - mean) / scale, for inputs (limited and clipped) and targets.
Dataset standardised(const Dataset& data, const Standardisation& standardisation);
Matrix standardised(const Matrix& inputs, const Standardisation& standardisation);
/// The target in its own units, from a standardised one.
double own_target(double standardised, const Standardisation& standardisation);
/// The input of a column in its own units, from a standardised one.
double own_units(double standardised, std::size_t column, const Standardisation& standardisation);

/// Rows 0 ... count - 1 in an order drawn by the seed: the same everywhere.
std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed);

}  // namespace wmi::bnn
