#pragma once

#include <mpfr.h>

#include <functional>

#include "solver/laws/univariate.h"
#include "solver/terms/rational.h"

namespace wmi::tests {

/// The integral from a to b to about 200 digits, by an independent method: the double exponential
/// rule in MPFR, without error bound. The function must be smooth inside; it may have a singularity
/// like that of a logarithm at either end.
Rational reference_integral(const std::function<void(mpfr_ptr value, mpfr_srcptr x)>& function,
                            const Rational& a, const Rational& b);

/// A number computed by MPFR's functions, to about 200 digits.
Rational reference(const std::function<void(mpfr_ptr value)>& make);

/// The value of a polynomial.
void at(mpfr_ptr value, const Univariate& polynomial, mpfr_srcptr x);

/// Whether a value agrees with a reference, up to the error of the reference.
bool close_to(const Rational& reference, const Rational& value);

}  // namespace wmi::tests
