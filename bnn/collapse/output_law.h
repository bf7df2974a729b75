#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "solver/terms/rational.h"

namespace wmi::bnn {

/// coefficient * W for an unknown weight W with a B-spline law on [from, to]: order 1 is uniform,
/// order 2 triangular. Without width it is the number coefficient * from.
template <class Number>
struct WeightTerm {
  Number coefficient;
  Number from;
  Number to;
  unsigned order = 1;
};

/// The contribution of a hidden unit with unknown incoming weights: factor * max(A, slope * A)
/// with A = constant + terms. The slope is 0 for a ReLU. The factor itself may be unknown: uniform
/// with this half width.
template <class Number>
struct Unit {
  Number factor;
  Number slope;
  Number constant;
  std::vector<WeightTerm<Number>> terms;
  Number half_width = Number(0);
};

/// The contribution of hidden units whose inputs A_j are normal together: the sum of
/// factor_j * max(A_j, slope * A_j).
template <class Number>
struct JointUnits {
  Number slope = Number(0);
  std::vector<Number> factors;
  std::vector<Number> means;
  std::vector<Number> covariance;         // row by row; positive definite
  std::vector<std::size_t> numbers = {};  // of the units in their layer

  std::size_t size() const { return factors.size(); }
  bool empty() const { return factors.empty(); }
};

/// There are at most so many of them.
inline constexpr std::size_t most_joint_units = 3;

/// The law of an output at one input, given one collapsed sample: that of
///
///     f = constant + terms + Gaussian of this deviation + units + joint units,
///
/// all independent but for the joint units, and the noise of the outcome around f. In doubles, or exactly.
template <class Number>
struct OutputLaw {
  Number constant;
  std::vector<WeightTerm<Number>> terms;
  double deviation = 0;
  std::vector<Unit<Number>> units;
  double noise = 0;        // the standard deviation of the outcome around f, at the sample
  bool estimated = false;  // weights of two layers are unknown: there is no certified law
  double weight = 1;       // in a mixture of such laws, relative to the others
  JointUnits<Number> joint = {};
};

/// The law of an outcome around f. A triangular law has the radius alpha * noise.
///
/// Gaussian noise may have two scales: with the probability `outliers` its deviation is
/// `outlier_scale` times as large (Tukey's contaminated normal law). Student's law has the scale
/// `noise` and `freedom` degrees of freedom, more than two.
struct OutcomeNoise {
  enum class Kind { gaussian, triangular, student };
  Kind kind = Kind::gaussian;
  double alpha = 2.297;  // near 2.29700376457861, which is nearest to a normal law in L2
  double scale = 1;      // of the deviation, for every outcome
  double outliers = 0;
  double outlier_scale = 1;
  double freedom = 4;
};

/// The laws whose mixture, by their weights, is that of the outcome under this noise: one for each
/// law, with its noise scaled, or two where there are outliers.
template <class Number>
std::vector<OutputLaw<Number>> outcome_laws(std::span<const OutputLaw<Number>> laws,
                                            const OutcomeNoise& noise) {
  std::vector<OutputLaw<Number>> result;
  const bool two = noise.kind == OutcomeNoise::Kind::gaussian && noise.outliers > 0;
  for (const OutputLaw<Number>& law : laws) {
    result.push_back(law);
    result.back().noise *= noise.scale;
    if (!two) continue;
    result.push_back(result.back());
    result.back().noise *= noise.outlier_scale;
    result.back().weight *= noise.outliers;
    result[result.size() - 2].weight *= 1 - noise.outliers;
  }
  return result;
}

struct CollapsedSample;  // collapse.h

/// The law of each output at one input, from the input of the collapsed layer and the outputs of
/// the sample itself: in doubles, or exactly for these numbers.
std::vector<OutputLaw<double>> output_laws(const CollapsedSample& sample,
                                           std::span<const double> entering,
                                           std::span<const double> outputs);
std::vector<OutputLaw<Rational>> output_laws(const CollapsedSample& sample,
                                             std::span<const Rational> entering,
                                             std::span<const Rational> outputs);

/// The same as the last, exactly for numbers that are doubles.
std::vector<OutputLaw<Rational>> exact_output_laws(const CollapsedSample& sample,
                                                   std::span<const double> entering,
                                                   std::span<const double> outputs);

/// A candidate that is unknown at an input.
struct Chosen {
  std::size_t row = 0;
  std::size_t candidate = 0;
};
std::vector<Chosen> chosen(const CollapsedSample& sample, std::span<const double> entering);

}  // namespace wmi::bnn
