#pragma once

#include <span>
#include <vector>

#include "bnn/predictive/conformal.h"
#include "bnn/predictive/predictive.h"
#include "frontends/learning/predictor.h"

namespace wmi::frontends {

/// The central interval of this probability, with the median.
bnn::CentralInterval central_interval(const bnn::Predictive& law, double level);

/// By how much central intervals of these levels are stretched: from the rows that the training set
/// aside (see bnn::conformal_factor). The level is meant as its shortest decimal: 0.9 is 9/10.
/// Throws Error for classes, and if the run has no such rows.
std::vector<double> conformal_factors(const Predictor& predictor, std::span<const double> levels);

}  // namespace wmi::frontends
