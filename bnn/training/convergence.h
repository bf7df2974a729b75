#pragma once

#include <span>
#include <vector>

namespace wmi::bnn {

/// Split R-hat (Gelman et al., Bayesian Data Analysis, 3rd edition, 11.4) of draws of one number by
/// several chains: about 1 when the halves of chains have the same law. Chains have the same
/// length, at least 4; infinite when every half is constant and these constants differ.
double split_r_hat(std::span<const std::vector<double>> chains);

}  // namespace wmi::bnn
