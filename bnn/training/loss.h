#pragma once

#include <span>

#include "bnn/data/observation.h"
#include "bnn/numeric/matrix.h"

namespace wmi::bnn {

/// log p(target | outputs), in standardised units. The raw variance is that of homoscedastic noise.
double log_likelihood(const Observation& observation, std::span<const double> outputs,
                      double raw_variance, double target);

/// The mean over rows of -log p(target | outputs), and its derivatives by the outputs and by the
/// raw variance. With beta above 0 the derivatives of a regression's row are weighted by
/// variance^beta (Seitzer et al., "On the pitfalls of heteroscedastic uncertainty estimation"),
/// which keeps rows with a large variance from being ignored. Rows count by `weights`, if there are
/// any.
struct Loss {
  double value = 0;
  double raw_variance = 0;  // derivative
};
Loss loss(const Observation& observation, double beta, const Matrix& outputs,
          std::span<const double> targets, double raw_variance, Matrix& derivatives,
          std::span<const double> weights = {});

/// How many outputs the observation reads; 0: any number above 1, one for each class.
std::size_t output_count(const Observation& observation);

}  // namespace wmi::bnn
