#pragma once

#include <span>
#include <vector>

#include "bnn/collapse/collapse.h"
#include "bnn/collapse/forward.h"

namespace wmi::bnn {

/// The log marginal likelihood of the training rows for each sample: that of its sampled weights,
/// with the collapsed last layer integrated out under its prior. Exact for numbers with Gaussian
/// noise, by Laplace's method for classes (with the covariance of each logit's row by itself).
/// A row of weight w counts as its likelihood to the power w. The samples are collapsed with a whole
/// `last` layer and the posterior `conditional`; throws Error for others.
std::vector<double> log_evidences(const encoders::Network& network, const Forward& forward,
                                  std::span<const Weights> samples,
                                  std::span<const CollapsedSample> collapsed,
                                  const Dataset& training, const PosteriorOptions& options);

}  // namespace wmi::bnn
