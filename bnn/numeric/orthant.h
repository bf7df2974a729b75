#pragma once

#include <span>

namespace wmi::bnn {

/// log P(Z <= z) of a standard normal Z, to 1e-12 of its size also far in the tail.
double normal_log_cdf(double z);

/// log P(X_1 > 0, ..., X_n > 0) for a normal X with this mean and covariance (row by row, positive
/// definite), n at most 3: to some 1e-9 however small it is, for correlations up to 0.999.
double log_orthant(std::span<const double> mean, std::span<const double> covariance);

}  // namespace wmi::bnn
