#pragma once

#include <string>
#include <string_view>

#include "solver/terms/error.h"

namespace wmi::frontends {

/// `text` without control characters and stray bytes, which are written `\n`, `\x1b`, `\xff`: what
/// a stranger's file says must not move a cursor. Those in `kept` stay.
std::string printable(std::string_view text, std::string_view kept = {});

/// `text` as one line of a message: printable, its middle left out when it is very long.
///
///     one_line("weight of 'a\nb'")  // weight of 'a\nb', in one line
std::string one_line(std::string_view text);

/// `FILE:3:9: what is wrong`, in one line; without a place where there is none.
std::string message(std::string_view file, Location where, std::string_view what);

}  // namespace wmi::frontends
