#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bnn/collapse/posterior.h"
#include "bnn/numeric/matrix.h"

namespace wmi::bnn {

/// What training rows say of unknown weights w into some hidden units: the output is
///
///     f_i = rest_i + sum over units u of factor_u * max(A_iu, slope * A_iu),
///     A_iu = before_iu + sum over the weights c into u of multiplier_ic * w_c,
///
/// and the targets are normal around it, or classes 0 and 1 with the logit f_i.
struct HiddenRows {
  Matrix before;                     // a row for each training row, a column for each unit
  Matrix multipliers;                // a column for each weight
  std::vector<std::size_t> unit_of;  // of each weight
  std::vector<double> factors;       // of each unit
  double slope = 0;
  std::vector<double> rest;
  std::vector<double> targets;
  std::vector<double> scales;  // one over the variances; for classes how much each row counts
  bool classes = false;
};

/// Which units are on at a training row: as at the start, where f is then affine in the weights, or
/// as the weights say.
enum class Patterns { of_start, own };

/// The Gaussian law of the weights at a mode of their posterior, under the prior N(m, 1/lambda), m
/// the start with `at_sample` and 0 without, with the covariance T (lambda I + sum s_i J_i J_i')^-1, J_i the gradient of f_i and s_i the scale (for
/// classes times p (1 - p)). With the patterns of the start the mode is the only one, and for numbers
/// the law is the posterior itself; otherwise it is one that damped Gauss-Newton steps find.
JointGaussian hidden_posterior(const HiddenRows& rows, std::span<const double> start,
                               Patterns patterns, const PosteriorOptions& options);

}  // namespace wmi::bnn
