#pragma once

#include <cstddef>

#include "solver/laws/independent_sums/boxes.h"

namespace wmi {

class Ball;

/// The exact tail integral (see tilted.h; order 0 or 1, any x) of boxes without a Gaussian, as a
/// sum over the corners of the product of all boxes. A lone box keeps its density at its ends.
Rational exact_tail(const Boxes& law, unsigned order, const Rational& x);

/// How many corners the product of the first `groups` kinds of boxes has, equal ones counted once.
double corner_count(const Boxes& law, std::size_t groups);

/// A tail integral (order 0 or 1, any x) with the first `groups` kinds of boxes taken corner by
/// corner, and the rest, which must not be a point, by tilted inversion.
Ball split_tail(const Boxes& law, std::size_t groups, unsigned order, const Rational& x, long bits);

/// How many kinds of boxes to take by corners, so that the least work is left. When it is all of
/// them and there is no Gaussian, use `exact_tail`.
std::size_t best_split(const Boxes& law, unsigned order, const Rational& x, long bits);

}  // namespace wmi
