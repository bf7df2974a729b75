#pragma once

#include <functional>

#include "tests/fuzz/differential/generate.h"

namespace wmi::fuzz {

/// A smaller problem that still `fails`: leaves out commands, then replaces terms by their parts or
/// by small numbers, as long as one of these succeeds (delta debugging).
Commands shrink(Commands commands, const std::function<bool(const Commands&)>& fails);

}  // namespace wmi::fuzz
