#pragma once

#include <cstddef>
#include <string>

#include "bnn/data/tails.h"

namespace wmi::bnn {

/// The likelihood p(y | outputs) of an outcome given a network's outputs.
///
/// Regression is in standardised units: output 0 is the mean; with a variance head output 1 gives
/// the variance through a link. Without one the variance is the link of a parameter of its own,
/// `likelihood.raw_variance`. Classification: a logit for each class, or a single one for two.
struct Observation {
  enum class Kind {
    heteroscedastic,  ///< outputs: mean, raw variance
    homoscedastic,    ///< output: mean; one variance for all
    softmax,          ///< outputs: a logit for each class
    sigmoid           ///< output: the logit of class 1 of two
  };
  enum class Link {
    exponential,  ///< e^raw
    softplus,     ///< log(1 + e^raw)
    bounded       ///< e^raw where it is small, and never more than `most_variance`
  };

  Kind kind = Kind::heteroscedastic;
  Link link = Link::exponential;
  double least_variance = 1e-6;  // added to the link's value
  Tails tails = {};              // of the noise of a regression

  bool regression() const { return kind == Kind::heteroscedastic || kind == Kind::homoscedastic; }
};

/// The parameter of homoscedastic noise.
inline const std::string raw_variance_name = "likelihood.raw_variance";

/// The bound of the link `bounded`: a deviation of ten times that of the target.
inline constexpr double most_variance = 100;

/// The variance that a raw output means.
double variance(const Observation& observation, double raw);
/// The raw output that means a variance; of one that is not above `least_variance`, a raw output
/// that adds next to nothing to it.
double raw_of_variance(const Observation& observation, double variance);
/// The derivative of the variance by the raw output.
double variance_slope(const Observation& observation, double raw);

}  // namespace wmi::bnn
