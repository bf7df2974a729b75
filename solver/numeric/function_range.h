#pragma once

#include <optional>

#include "solver/terms/function.h"
#include "solver/terms/interval.h"

namespace wmi {

/// Encloses the values on an interval; nullopt where it is not defined on all of it, or unbounded.
std::optional<Interval> range(Function function, const Interval& argument);
/// The same on all of the line, if it is bounded there.
std::optional<Interval> everywhere(Function function);

}  // namespace wmi
