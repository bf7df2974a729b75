#pragma once

#include <optional>
#include <span>
#include <vector>

#include "bnn/collapse/collapse.h"
#include "bnn/collapse/output_law.h"
#include "bnn/data/dataset.h"
#include "bnn/data/weights.h"
#include "encoders/encode.h"
#include "encoders/network.h"
#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/laws/law.h"
#include "solver/terms/interval.h"
#include "solver/terms/query.h"

namespace wmi::bnn {

/// One collapsed sample at one input as a problem for the solver: the network from the collapsed
/// layer on, the unknown weights with their posterior, and an outcome y with a triangular density
/// of this radius around the first output, all in standardised units. Unknowns that are multiplied
/// by 0 are left out.
///
/// Throws Error for a posterior that is no box, and for layers that see more than the collapsed
/// one.
encoders::Encoding encode_sample(const encoders::Network& network, const Weights& weights,
                                 const CollapsedSample& sample, std::span<const Rational> entering,
                                 std::span<const Rational> outputs, const Rational& radius);

/// The same with queries in the outcome's own units: its mean, and its density at y.
Task sample_task(encoders::Encoding encoding, const Standardisation& standardisation,
                 const std::optional<Rational>& y);

/// The answers to these queries.
struct FormulaAnswer {
  Interval mean;
  std::optional<Interval> density;
  std::size_t cells = 0;
};
FormulaAnswer solve_sample(const Task& task, const Enumerator& enumerator,
                           const Integrator& integrator, unsigned threads = 1);

/// The same without a formula: the exact law of the outcome in its own units, by convolution.
Law outcome_law(const OutputLaw<Rational>& output_law, const Rational& radius,
                const Standardisation& standardisation);

}  // namespace wmi::bnn
