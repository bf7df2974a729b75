#pragma once

#include <acb.h>

#include <optional>

#include "solver/numeric/ball.h"
#include "solver/terms/function.h"

namespace wmi {

/// The value of the function on a ball of real numbers; not finite where it is not defined on all of
/// them. `result` may be `at`. Private to the solver's sources.
void evaluate(arb_ptr result, Function function, arb_srcptr at, slong bits);

/// The same on a ball of complex numbers; not finite unless the function is analytic on it: poles and
/// branch cuts are outside.
void evaluate(acb_ptr result, Function function, acb_srcptr at, slong bits);

/// Encloses the values on an interval; nullopt where it is not defined on all of it, or unbounded.
std::optional<Interval> range(Function function, const Interval& argument);
/// The same on all of the line, if it is bounded there.
std::optional<Interval> everywhere(Function function);

}  // namespace wmi
