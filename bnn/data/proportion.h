#pragma once

#include <cstddef>

namespace wmi::bnn {

/// An interval for a probability.
struct ProportionInterval {
  double lower;
  double upper;
};

/// The exact interval of Clopper and Pearson for the probability of an event that happened in
/// `hits` of `rows` independent rows: all probabilities under which neither so many hits nor so few
/// have a probability of less than (1 - level) / 2. It has a width at 0 and 1 hits in a row, too.
///
///     proportion_interval(20, 20, 0.95).lower;  // 0.8316, since 0.8316^20 = 0.025
ProportionInterval proportion_interval(std::size_t hits, std::size_t rows, double level);

}  // namespace wmi::bnn
