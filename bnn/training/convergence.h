#pragma once

#include <span>
#include <vector>

namespace wmi::bnn {

/// Split R-hat (Gelman et al., Bayesian Data Analysis, 3rd edition, 11.4) of draws of one number by
/// several chains: about 1 when halves of chains cannot be told apart. Chains have the same length,
/// at least 4; infinite when each half stands still at a place of its own.
double split_r_hat(std::span<const std::vector<double>> chains);

}  // namespace wmi::bnn
