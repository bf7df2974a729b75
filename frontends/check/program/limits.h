#pragma once

#include <cstddef>

namespace wmi::check {

/// Ends the process with one line and exit status 3 after so many seconds, whatever it is at.
void limit_time(double seconds);

/// Likewise, from now on, when there is no more memory.
void end_without_memory();

/// Likewise when it wants more memory than this: then there is no more. It is the address space
/// that is limited.
void limit_memory(std::size_t bytes);

}  // namespace wmi::check
