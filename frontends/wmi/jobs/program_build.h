#pragma once

#include <string>

namespace wmi::frontends {

/// What the linker has called this program: the same for all copies of it, and another one for other
/// code or another compiler. Empty if it has no such name.
std::string program_build();

}  // namespace wmi::frontends
