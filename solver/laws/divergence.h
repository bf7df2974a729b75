#pragma once

#include <optional>

#include "solver/laws/law.h"
#include "solver/terms/interval.h"

namespace wmi {

/// How far two laws are from each other. Each is an enclosure at most 10^-digits wide.

/// The integral of |p - q|, and the sum of |m - n| over point masses, of the measures as they
/// stand: twice the total variation for laws of mass 1. Exactly where all sign changes are
/// rational.
Interval l1_distance(const Law& a, const Law& b, unsigned digits);

/// Minus the integral of p log p, of the law divided by its mass. Throws Error for a law with point
/// masses, whose entropy is -oo, and for one that is negative somewhere.
Interval entropy(const Law& law, unsigned digits);

/// The divergence of Kullback and Leibler of a from b, each divided by its mass: the integral of
/// p log(p/q) plus the sum of m log(m/n) over the point masses of a. Nothing where it is infinite:
/// a has mass where b has none. Throws Error where either is negative.
std::optional<Interval> kl_divergence(const Law& a, const Law& b, unsigned digits);

}  // namespace wmi
