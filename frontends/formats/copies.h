#pragma once

#include <string>

#include "frontends/common/caps.h"
#include "solver/terms/error.h"
#include "solver/terms/query.h"

namespace wmi::frontends {

/// Limits the total size of the tasks of a file. Each task has a copy of the terms, so many small
/// changes of a large state need far more memory than the file.
class Copies {
 public:
  /// Counts a task whose first command is at `where`; throws Error beyond `caps::states`. The first
  /// task is free, since it is no larger than the file.
  void add(const Task& task, Location where) {
    const Terms& terms = task.problem.terms;
    if (tasks_++ > 0) copied_ += terms.size() + terms.real_count() + terms.boolean_count();
    if (copied_ > caps::states)
      throw Error("the queries see " + std::to_string(tasks_) +
                      " different states, which add up to more than " +
                      std::to_string(caps::states) +
                      " terms; ask more queries of one state, or use several files",
                  where);
  }

 private:
  std::size_t tasks_ = 0;
  std::size_t copied_ = 0;
};

}  // namespace wmi::frontends
