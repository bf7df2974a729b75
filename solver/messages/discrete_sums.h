#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "solver/enumerators/goal.h"
#include "solver/laws/law.h"
#include "solver/terms/problem.h"
#include "solver/terms/rational.h"

namespace wmi {

/// The sums of a goal over the Booleans of a problem.
struct DiscreteSums {
  std::vector<Rational> integrals;  // of the summands; of a slice: the mass at it
  std::vector<Law> laws;            // of the outputs
};

/// The sums of a goal of a problem without integrated or derived reals, by elimination of one
/// Boolean after the other: the cost grows with their number, and exponentially only with how closely
/// they are related. A cycle of 100 Booleans, of which neighbours are related, is as easy as the
/// disjunction of 100 pairs, or the number of 100 Booleans that hold:
///
///     (weight (= b0 b1) 2) ... (weight (= b99 b0) 2)
///     (assert (or (and b0 b1) ... (and b98 b99)))
///     (assert (< (+ (ite b0 1 0) ... (ite b99 1 0)) 50))
///
/// nullopt if there are reals, or if tables would be too large. Throws Stopped.
std::optional<DiscreteSums> sum_over_booleans(const Problem& problem, const Goal& goal,
                                              const std::stop_token& stop = {});

}  // namespace wmi
