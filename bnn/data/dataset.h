#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bnn/numeric/matrix.h"

namespace wmi::bnn {

/// Inputs and outcomes, a row each. The outcome of a classification is the number of its class.
struct Dataset {
  Matrix inputs;
  std::vector<double> targets;

  std::size_t rows() const { return targets.size(); }
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
};

/// Whether doubles can compute variances in units of such a scale: its square neither overflows nor
/// vanishes.
bool can_compute_with(double mean, double scale);

/// Of the inputs; of the targets too when they are numbers, not classes.
Standardisation fit_standardisation(const Dataset& data, bool regression);
/// (x - mean) / scale, for inputs and targets.
Dataset standardised(const Dataset& data, const Standardisation& standardisation);
Matrix standardised(const Matrix& inputs, const Standardisation& standardisation);

/// Rows 0 ... count - 1 in an order drawn by the seed: the same everywhere.
std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed);

}  // namespace wmi::bnn
