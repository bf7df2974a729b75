#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace wmi::frontends {

/// Solves a problem by every enumerator and integrator and compares all that must agree: exact
/// answers, enclosures, laws, their moments and distribution functions, complements of events,
/// other orders of the assertions, other numbers of threads, the file that is written of it, events
/// that are asserted, weights that are scaled. The answers are certified and the certificate
/// checked.
///
/// What is wrong, in one line; nothing when all is right. Throws Error for a text that cannot be
/// read.
std::optional<std::string> find_fault(const std::string& text);

/// What `find_fault` has done so far.
struct Tally {
  std::size_t comparisons = 0;
  std::size_t certificates = 0;  // accepted, with the same answers
  std::size_t uncertified = 0;   // problems of which there is no certificate
};

Tally tally();

}  // namespace wmi::frontends
