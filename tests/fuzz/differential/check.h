#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace wmi::fuzz {

/// Solves a problem by every enumerator and integrator and compares what must agree:
///
/// - exact answers, enclosures and laws, by all of them, with two threads, and with the assertions
///   in reversed order;
/// - an event and its complement with the whole; a law's moments and distribution function with
///   the queries for them; an event with the problem that asserts it, its weights scaled;
/// - the problem with what is written and read back; the answers with their certificate.
///
/// Returns the first disagreement in one line, or nullopt. Throws Error for a text that cannot be
/// read.
std::optional<std::string> find_fault(const std::string& text);

/// What `find_fault` has compared so far.
struct Tally {
  std::size_t comparisons = 0;
  std::size_t certificates = 0;  // accepted, with the same answers
  std::size_t uncertified = 0;   // problems too large to certify
};

Tally tally();

}  // namespace wmi::fuzz
