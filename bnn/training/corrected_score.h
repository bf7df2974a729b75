#pragma once

#include <span>

#include "bnn/data/dataset.h"
#include "bnn/data/observation.h"
#include "bnn/numeric/matrix.h"

namespace wmi::bnn {

/// The mean over rows of the log of the samples' mean likelihood, after the noise is corrected as
/// well as these rows can tell: the deviation of a number is multiplied by one factor, and a few
/// outcomes are outliers with a larger one; the logits of classes are divided by one factor. The
/// networks' outputs are given sample by sample, with the raw variance of homoscedastic noise.
/// Minus infinity if an output is no number.
///
/// What is corrected after training is judged corrected: an overconfident network may know most of
/// the mean (Berta et al. 2025, "Rethinking early stopping: refine, then calibrate").
double corrected_log_likelihood(const Observation& observation, std::span<const Matrix> outputs,
                                std::span<const double> raw_variances, const Dataset& rows);

}  // namespace wmi::bnn
