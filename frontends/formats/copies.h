#pragma once

#include <string>

#include "frontends/common/caps.h"
#include "solver/terms/error.h"
#include "solver/terms/query.h"

namespace wmi::frontends {

/// Counts what the tasks of a file copy. Each task is a value with terms of its own, so that many
/// small changes of a large state ask for far more than the file is long.
class Copies {
 public:
  /// One more task, whose first command is at `where`. The first task costs nothing: it is no longer
  /// than the file.
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
