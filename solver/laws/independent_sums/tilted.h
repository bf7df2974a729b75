#pragma once

#include "solver/laws/independent_sums/boxes.h"

namespace wmi {

class Ball;

/// The tail integrals of the law R of `law`, by exponential tilting and Fourier inversion:
/// for order 0 its density at x, for order 1 P(R > x), for order n E[max(R - x, 0)^(n-1)] / (n-1)!.
///
/// The relative error is about 2^-bits however small the value is; the ball has the actual one. For
/// x >= 0; `law` must not be a point, and the series must converge (see `tail_work`).
Ball tail_integral(const Boxes& law, unsigned order, const Rational& x, long bits);

/// The number of sines that `tail_integral` would compute; infinite if it is impossible.
double tail_work(const Boxes& law, unsigned order, const Rational& x, long bits);

}  // namespace wmi
