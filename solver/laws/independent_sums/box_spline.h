#pragma once

#include <cstddef>

#include "solver/laws/independent_sums/boxes.h"

namespace wmi {

class Ball;

/// The exact tail integral (see tilted.h; order 0 or 1, any x) of boxes without a Gaussian, as a
/// sum over the corners of the product of all boxes. The density of a single box includes its ends.
Rational exact_tail(const Boxes& law, unsigned order, const Rational& x);

/// The number of corners of the product of the first `groups` kinds of boxes, equal corners counted
/// once.
double corner_count(const Boxes& law, std::size_t groups);

/// A tail integral (order 0 or 1, any x), summed over the corners of the first `groups` kinds of
/// boxes, with tilted inversion for the rest, which must not be a point.
Ball split_tail(const Boxes& law, std::size_t groups, unsigned order, const Rational& x, long bits);

/// The number of kinds of boxes to sum over corners, so that the total work is least. If it is all
/// of them and there is no Gaussian, use `exact_tail`.
std::size_t best_split(const Boxes& law, unsigned order, const Rational& x, long bits);

}  // namespace wmi
