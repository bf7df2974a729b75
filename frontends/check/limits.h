#pragma once

#include <string>

namespace wmi::check {

/// Ends the process with one line and exit status 3 after so many seconds, whatever it is at.
/// False if this is no such number.
bool limit_time(const std::string& seconds);

/// Likewise when it wants more memory than this: megabytes, or with a unit, 500M, 2G. It is the
/// address space that is limited.
bool limit_memory(const std::string& size);

}  // namespace wmi::check
