#pragma once

#include <cstddef>

#include "bnn/numeric/matrix.h"
#include "encoders/layers/ramps.h"

namespace wmi::bnn {

/// The piecewise-linear encoding of columns of numbers: ramps between neighbouring quantiles of
/// each column, `bins` of them or fewer where quantiles coincide, each with mean 0 and variance 1
/// over these rows. Columns of two values or fewer have none: a ramp would say nothing new.
///
/// Points and heights are floats, so that they are short as exact numbers.
encoders::Ramps quantile_bins(const Matrix& inputs, std::size_t bins);

}  // namespace wmi::bnn
