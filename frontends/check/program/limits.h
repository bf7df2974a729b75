#pragma once

#include <cstddef>

namespace wmi::check {

/// Ends the process with one line and exit status 3 after so many seconds.
void limit_time(double seconds);

/// From now on, ends the process likewise when memory runs out.
void end_without_memory();

/// Limits the memory (the address space), and ends the process likewise beyond.
void limit_memory(std::size_t bytes);

}  // namespace wmi::check
