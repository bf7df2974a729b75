#pragma once

#include <cstddef>
#include <span>

#include "solver/terms/rational.h"

namespace wmi::bnn {

/// A central interval and the median inside it.
struct CentralInterval {
  double low = 0;
  double median = 0;
  double high = 0;
};

/// How far an outcome lies from the median, in lengths of that half of the interval it is in: above
/// 1 outside of the interval, infinite outside of one without width.
double conformal_score(const CentralInterval& interval, double outcome);

/// The interval with both halves so many times as long.
CentralInterval stretched(const CentralInterval& interval, double factor);

/// The factor of split-conformal prediction (Vovk, Gammerman and Shafer 2005; Lei et al. 2018): of n
/// scores, the ceil((n + 1) level)-th smallest, or infinity where that is more than n. If the scored
/// rows and a new row are exchangeable, and nothing else depends on them, then the stretched
/// interval holds the new outcome with at least the probability `level`, whatever the law that
/// predicts; and, if no two scores are equal, with at most 1 / (n + 1) more.
///
///     const double scores[] = {0.2, 1.3, 0.7};
///     conformal_factor(scores, Rational(1, 2));  // 0.7
double conformal_factor(std::span<const double> scores, const Rational& level);

/// The least number of rows with which the factor is finite.
std::size_t least_conformal_rows(const Rational& level);

}  // namespace wmi::bnn
