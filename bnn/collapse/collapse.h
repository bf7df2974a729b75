#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "bnn/collapse/candidates.h"
#include "bnn/collapse/forward.h"
#include "bnn/collapse/partition.h"
#include "bnn/collapse/posterior.h"
#include "bnn/data/dataset.h"
#include "bnn/data/observation.h"
#include "bnn/data/weights.h"
#include "bnn/numeric/linear_algebra.h"
#include "encoders/network.h"
#include "solver/terms/rational.h"

namespace wmi::bnn {

/// Which weights of a sample stay unknown, and their posterior.
struct CollapseOptions {
  /// `none`; `last`: every weight and the bias of the output's row; `last:k`, `second:k`: k of
  /// these, or of the layer before; `last:k+bias`: k weights and the bias; `second:k+bias`: k
  /// weights and the bias of one hidden unit; `all`: every weight and bias of a network of one
  /// hidden layer; or names of entries, separated by spaces: `fc2.weight[0,3] fc2.bias[0]`.
  std::string partition = "last";
  /// `variance`: the k that vary most over the samples; `effect`: those with the largest
  /// (to - from) |h|, where h is the value that the weight multiplies at the input.
  std::string choose = "variance";
  /// A name of the table in posterior.h; empty: `conditional` for the output's row, else `moment`.
  std::string posterior = "";
  PosteriorOptions options = {};
};

/// A sample of weights of which some are unknown, prepared for output laws at any input.
struct CollapsedSample {
  /// What is unknown for one output.
  struct Row {
    std::vector<double> weights;  // of the output's row, at the sample
    double bias = 0;
    std::vector<Candidate> candidates;
    std::size_t most = 0;   // how many are unknown, chosen by effect at the input
    JointGaussian joint;    // of all candidates together; without a mean: each by itself
    Eigen basis;            // of its covariance, when it is taken as a box
    bool one_unit = false;  // the candidates of one unit only, that of most effect
    std::vector<Candidate> outgoing = {};  // all: of the output's row; candidates are the others
    bool whole = false;  // the candidates are the weights of the row, in order, and the bias
  };

  UnknownLayers layers = UnknownLayers::none;
  std::string layer;      // of the unknowns, which multiply the input of this layer
  std::vector<Row> rows;  // of output 0, or of each logit
  Rational slope;         // second, all: of the activation
  Matrix hidden_weights;  // second, all: of the layer before the output, at the sample
  std::vector<double> hidden_bias;
  Observation observation;
  double raw_variance = 0;  // of homoscedastic noise
  double logit_scale = 1;   // the logits of classes are divided by this
  double weight = 1;        // of the sample in the mixture, relative to the others
};

/// Collapses each of the samples. Marginal posteriors come from the samples of the same trajectory,
/// since weights of different trajectories are unrelated (`trajectories` has a number for each
/// sample, or is empty). A conditional posterior needs the standardised training rows. Throws Error
/// that says what would help.
std::vector<CollapsedSample> collapse(const encoders::Network& network, const Forward& forward,
                                      const Observation& observation,
                                      std::span<const Weights> samples,
                                      std::span<const std::size_t> trajectories,
                                      const Dataset* training, const CollapseOptions& options);

/// The name of the posterior in the options, or of the default.
std::string posterior_name(const CollapseOptions& options, const encoders::Network& network);

/// The modelling assumptions that answers are exact with respect to, a line each.
std::vector<std::string> assumptions(const CollapseOptions& options,
                                     const encoders::Network& network, bool exact_forward);

}  // namespace wmi::bnn
