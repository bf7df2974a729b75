#pragma once

#include <span>
#include <vector>

#include "bnn/component.h"
#include "bnn/observation.h"
#include "solver/interval.h"
#include "solver/rational.h"

namespace wmi::bnn {

/// The probability of each class at an input, averaged over the collapsed samples (a vector of
/// logits for each): the mean of softmax, or of the sigmoid, over independent logits. In doubles;
/// of sum 1.
std::vector<double> class_probabilities(std::span<const std::vector<Component<double>>> samples,
                                        const Observation& observation);

/// The same, each to so many significant digits.
std::vector<Interval> certified_class_probabilities(
    std::span<const std::vector<Component<Rational>>> samples, const Observation& observation,
    unsigned digits);

}  // namespace wmi::bnn
