#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "bnn/collapse/forward.h"
#include "bnn/numeric/matrix.h"
#include "frontends/learning/predictor.h"
#include "solver/terms/query.h"

namespace wmi::frontends {

/// The activations of one sample at one row as exact numbers: the floats of the forward pass, or,
/// with `exact_forward`, computed in rational numbers.
bnn::ExactActivations exact_activations(const Predictor& predictor, std::size_t sample,
                                        const bnn::Matrix& inputs,
                                        std::span<const bnn::Activations> activations,
                                        std::size_t row, bool exact_forward);

/// One collapsed sample at one input as a weighted formula with its queries: the mean of the
/// outcome, and its density at `outcome`. The likelihood is triangular.
Task sample_formula(const Predictor& predictor, std::size_t sample,
                    const bnn::ExactActivations& activations,
                    const std::optional<Rational>& outcome);

}  // namespace wmi::frontends
