#pragma once

#include <mpfr.h>

#include <functional>

#include "solver/laws/univariate.h"
#include "solver/terms/rational.h"

namespace wmi::tests {

/// The integral from a to b to about 200 digits, by a route of its own: the double exponential rule
/// in MPFR, no error bound. The function must be smooth inside; it may have a singularity such as
/// that of a logarithm at either end.
Rational reference_integral(const std::function<void(mpfr_ptr value, mpfr_srcptr x)>& function,
                            const Rational& a, const Rational& b);

/// A number that is made by MPFR's functions, to about 200 digits.
Rational reference(const std::function<void(mpfr_ptr value)>& make);

/// The value of a polynomial.
void at(mpfr_ptr value, const Univariate& polynomial, mpfr_srcptr x);

/// Of two numbers that should be the same, one of them a reference.
bool close_to(const Rational& reference, const Rational& value);

}  // namespace wmi::tests
