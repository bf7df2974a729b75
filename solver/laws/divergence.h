#pragma once

#include <optional>

#include "solver/laws/law.h"
#include "solver/terms/interval.h"

namespace wmi {

/// Distances and divergences of laws. Each is an enclosure of width at most 10^-digits.

/// The L1 distance: the integral of |p - q| plus the sum of |m - n| over point masses, without
/// normalising; twice the total variation distance for laws of mass 1. Exact if all sign changes
/// are rational.
Interval l1_distance(const Law& a, const Law& b, unsigned digits);

/// The differential entropy, minus the integral of p log p, of the normalised law. Throws Error for
/// a law with point masses, whose entropy is -oo, and for one that is negative somewhere.
Interval entropy(const Law& law, unsigned digits);

/// The Kullback-Leibler divergence of a from b, both normalised: the integral of p log(p/q) plus
/// the sum of m log(m/n) over the point masses of a. Returns nullopt if it is infinite, that is, if
/// a has mass where b has none. Throws Error if either is negative somewhere.
std::optional<Interval> kl_divergence(const Law& a, const Law& b, unsigned digits);

}  // namespace wmi
