#pragma once

#include <acb.h>

#include <functional>

#include "solver/laws/univariate.h"
#include "solver/numeric/ball.h"

namespace wmi {

/// A function of a complex number, computed with the given number of bits. If `analytic` is set,
/// the result must not be finite where the ball z meets a branch cut.
using Analytic = std::function<void(acb_ptr result, acb_srcptr z, bool analytic, slong bits)>;

/// The integral of a polynomial times a function that is analytic around [from, to], enclosed
/// rigorously (adaptive Gauss-Legendre with bounds on ellipses: Johansson, "Numerical integration
/// in arbitrary-precision ball arithmetic", 2018). Private to the solver's sources.
Ball integrate(const Univariate& polynomial, const Analytic& function, const Rational& from,
               const Rational& to, slong bits);

}  // namespace wmi
