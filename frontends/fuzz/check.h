#pragma once

#include <optional>
#include <string>

namespace wmi::frontends {

/// Solves a problem by every enumerator and integrator and compares all that must agree: exact
/// answers, enclosures, laws, their moments and distribution functions, complements of events,
/// other orders of the assertions, other numbers of threads, and the file that is written of it.
///
/// What is wrong, in one line; nothing when all is right. Throws Error for a text that cannot be
/// read.
std::optional<std::string> find_fault(const std::string& text);

/// How many comparisons `find_fault` has made so far.
std::size_t comparisons();

}  // namespace wmi::frontends
