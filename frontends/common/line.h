#pragma once

#include <string>
#include <string_view>

#include "solver/terms/error.h"

namespace wmi::frontends {

/// `text` with control characters and bytes that are not UTF-8 escaped as `\n`, `\x1b`, `\xff`, so
/// that text from a file cannot control the terminal. Characters in `kept` stay.
std::string printable(std::string_view text, std::string_view kept = {});

/// `text` as one line of a message: printable, with the middle of a very long text left out.
///
///     one_line("a\tb");  // a\tb, the tab written as two characters
std::string one_line(std::string_view text);

/// `FILE:3:9: WHAT` on one line; `FILE: WHAT` if the location is unknown.
std::string message(std::string_view file, Location where, std::string_view what);

}  // namespace wmi::frontends
