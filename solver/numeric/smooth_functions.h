#pragma once

#include <acb.h>

#include "solver/numeric/ball.h"
#include "solver/terms/function.h"

namespace wmi {

/// The value of the function on a ball of real numbers; not finite where it is not defined on all of
/// them. `result` may be `at`. Private to the solver's sources.
void evaluate(arb_ptr result, Function function, arb_srcptr at, slong bits);

/// The same on a ball of complex numbers; not finite unless the function is analytic on it: poles and
/// branch cuts are outside.
void evaluate(acb_ptr result, Function function, acb_srcptr at, slong bits);

}  // namespace wmi
