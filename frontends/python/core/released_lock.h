#pragma once

#include <pybind11/pybind11.h>

namespace wmi::python {

/// Releases Python's lock until the end of a scope.
///
/// When the interpreter ends, a daemon thread that wants the lock back is unwound by force, through
/// code that must not be, which aborts the process. So from `end_questions` on, such a thread waits
/// for the end of the process instead.
class ReleasedLock {
 public:
  ReleasedLock();
  ReleasedLock(const ReleasedLock&) = delete;
  ReleasedLock& operator=(const ReleasedLock&) = delete;
  ~ReleasedLock();

 private:
  PyThreadState* state_;
};

/// To be called at the end of the interpreter, with the lock: lets the threads through that are
/// waiting for it, and holds up all that come later.
void end_questions();

}  // namespace wmi::python
