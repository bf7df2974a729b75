#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "frontends/python/core/interruptible.h"
#include "solver/solve.h"

namespace wmi::python {

/// How a task is to be solved.
struct Request {
  unsigned digits = 0;  // of each answer that are enough; 0: all
  std::optional<Rational> gap = {};
  std::optional<Seconds> timeout = {};
  unsigned threads = 0;  // 0: all cores
  bool certify = false;
};

struct Outcome {
  Solution solution;
  std::string certificate;  // empty if none was asked for, or the search was stopped before
};

/// Solves a task in the calling thread until it is asked to stop, and then gives the bounds reached
/// so far. Throws Error, GaveUp.
Outcome solve_until(const std::stop_token& stop, Task task, const Request& request);

/// An upper bound of the number of cells of a task, or nullopt if it is not small.
///
/// n atoms cut d-dimensional space into at most the sum of n over i, i <= d, regions; each Boolean
/// and each choice doubles that.
std::optional<std::size_t> most_cells(const Task& task);

/// Answers a task; Python's lock is released meanwhile. Signals are handled unless the task is so
/// small that starting a thread would take longer than solving it. Throws Error, GaveUp, and
/// whatever signal handlers raise.
Outcome answer(Task task, Request request);

}  // namespace wmi::python
