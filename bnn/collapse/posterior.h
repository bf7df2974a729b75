#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bnn/numeric/matrix.h"

namespace wmi::bnn {

/// Options of the posteriors in the table.
struct PosteriorOptions {
  double lambda = 0.3;     // precision of the prior, of `conditional` and `laplace`
  double temperature = 1;  // scales the covariance of a joint Gaussian
  double width = 1;        // scales the boxes of the others
  bool at_sample = false;  // the prior's mean is the sampled weights, not 0
};

/// The law of one collapsed weight by itself: a B-spline on [from, to]; a number when they meet.
struct Marginal {
  double from = 0;
  double to = 0;
  unsigned order = 1;
};

/// How the posterior of collapsed weights is determined.
struct PosteriorEntry {
  /// Of each weight by itself, from its values over the samples. Or of all together, a Gaussian:
  /// given the sampled weights and the training rows, by conditioning or at a mode, or from the
  /// values over the samples.
  enum class Kind { marginal, conditional, laplace, samples };

  std::string_view name;
  std::string_view description;
  Kind kind;
  bool box;  // conditional: as independent uniforms in the eigenbasis, not as the Gaussian itself
  Marginal (*marginal)(std::span<const double> values, const PosteriorOptions& options);
};

/// The table of posteriors; the first is the default for a last layer.
std::span<const PosteriorEntry> posteriors();
/// Throws Error that lists the names.
const PosteriorEntry& find_posterior(std::string_view name);

/// A Gaussian law of several weights together.
struct JointGaussian {
  std::vector<double> mean;
  Matrix covariance;
};

/// The Gaussian law of SWAG (Maddox et al., "A simple baseline for Bayesian uncertainty in deep
/// learning", 2019) with samples as rows: their mean, and the mean of their covariance and its
/// diagonal, times the temperature.
JointGaussian swag_posterior(const Matrix& samples, const PosteriorOptions& options);

/// p(W | D) of a linear layer W z under a Gaussian likelihood: with features z_i (a row each),
/// targets y_i and variances v_i of the training rows,
///
///     P = lambda I + sum z_i z_i' / v_i,   mean = P^-1 (lambda m + sum z_i y_i / v_i),
///     covariance = T P^-1.
///
/// The prior's mean m is `sampled` with `at_sample`, and 0 without. A large lambda there leaves the
/// sampled weights as they are.
JointGaussian conditional_posterior(const Matrix& features, std::span<const double> targets,
                                    std::span<const double> variances,
                                    std::span<const double> sampled,
                                    const PosteriorOptions& options);

/// The analogue for logits of classes, by Laplace's method: the mode of the posterior of all rows
/// of W, found from the sampled ones (a row for each class), and for each row the covariance
/// T (lambda I + sum p_i (1 - p_i) z_i z_i')^-1 there. One row stands for a sigmoid. Training rows
/// count by `row_weights`, if there are any.
std::vector<JointGaussian> laplace_posterior(const Matrix& features,
                                             std::span<const double> classes, const Matrix& sampled,
                                             const PosteriorOptions& options,
                                             std::span<const double> row_weights = {});

}  // namespace wmi::bnn
