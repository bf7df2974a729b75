#pragma once

#include <span>
#include <vector>

#include "bnn/collapse/collapse.h"
#include "bnn/collapse/output_law.h"
#include "bnn/data/observation.h"
#include "solver/terms/interval.h"
#include "solver/terms/rational.h"

namespace wmi::bnn {

/// The probability of each class at an input, averaged over the collapsed samples (a vector of
/// logits for each): the mean of softmax, or of the sigmoid, over independent logits. In doubles;
/// of sum 1.
std::vector<double> class_probabilities(std::span<const std::vector<OutputLaw<double>>> samples,
                                        const Observation& observation);

/// The same, each to so many significant digits.
std::vector<Interval> certified_class_probabilities(
    std::span<const std::vector<OutputLaw<Rational>>> samples, const Observation& observation,
    unsigned digits);

/// The probability that each class's output is the largest, averaged likewise; of one logit, that
/// it is above 0. In doubles.
std::vector<double> largest_probabilities(std::span<const std::vector<OutputLaw<double>>> samples,
                                          const Observation& observation);

/// The same exactly, for logits that are sums of at most `most_exact_terms` uniform terms.
inline constexpr std::size_t most_exact_terms = 8;
std::vector<Rational> exact_largest_probabilities(
    std::span<const std::vector<OutputLaw<Rational>>> samples, const Observation& observation);

/// The authors' version for one sample, class by class: of the row of class k only the one weight
/// with the largest range times activation is unknown, all other logits are at the sample, and the
/// results are not renormalised.
std::vector<double> authors_class_probabilities(const CollapsedSample& sample,
                                                std::span<const double> entering,
                                                std::span<const double> outputs);

}  // namespace wmi::bnn
