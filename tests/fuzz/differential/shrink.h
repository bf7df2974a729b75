#pragma once

#include <functional>

#include "tests/fuzz/differential/generate.h"

namespace wmi::frontends {

/// A smaller problem of which `fails` still holds: commands are left out, then terms replaced by
/// their parts or by small numbers, as long as that succeeds.
Commands shrink(Commands commands, const std::function<bool(const Commands&)>& fails);

}  // namespace wmi::frontends
