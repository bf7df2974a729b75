#pragma once

#include <span>

#include "bnn/data/dataset.h"
#include "bnn/data/observation.h"
#include "bnn/data/weights.h"
#include "bnn/training/model.h"
#include "encoders/network.h"

namespace wmi::bnn {

/// The mean over rows of the log of the samples' mean likelihood.
double average_log_likelihood(const encoders::Network& network, const ModelFactory& make_model,
                              const Observation& observation, std::span<const Weights> samples,
                              const Dataset& rows);
/// The same from the networks' outputs, sample by sample, and the raw variance of homoscedastic
/// noise.
double average_log_likelihood(const Observation& observation, std::span<const Matrix> found,
                              std::span<const double> raw_variances, const Dataset& rows);

/// The log likelihood of the best constant forecast for these rows, a normal law or the shares of
/// classes: its mean by the weights of the rows.
double constant_log_likelihood(const Dataset& rows, bool regression);

/// How much samples differ: the standard deviation over samples of the mean of an outcome, divided
/// by the outcome's own standard deviation, both as root mean squares over rows. Below .2 there is
/// little to average.
double relative_spread(const encoders::Network& network, const ModelFactory& make_model,
                       const Observation& observation, std::span<const Weights> samples,
                       const Dataset& rows);

}  // namespace wmi::bnn
