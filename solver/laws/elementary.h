#pragma once

#include "solver/terms/interval.h"
#include "solver/terms/rational.h"

namespace wmi {

/// Enclosures whose width is at most 10^-digits of the value: e^x, the natural logarithm of a
/// positive number, the hyperbolic sine and its inverse, and the square root of a number that is not
/// negative. Throw GaveUp where the value is beyond 2^100000.
Interval exponential(const Rational& x, unsigned digits);
Interval logarithm(const Rational& x, unsigned digits);
Interval hyperbolic_sine(const Rational& x, unsigned digits);
Interval inverse_hyperbolic_sine(const Rational& x, unsigned digits);
Interval square_root(const Rational& x, unsigned digits);

/// sinh(x)/x, the mean of e^(xU) for U uniform on [-1, 1].
Interval hyperbolic_sinc(const Rational& x, unsigned digits);

}  // namespace wmi
