#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "solver/answers/explain.h"
#include "solver/terms/query.h"

namespace wmi::frontends {

/// The patterns of a task, and the names of its definitions.
struct NamedExplanation {
  Explanation explanation;
  std::vector<std::string> names;
};

/// Of the definitions that have names, or else of all in the terms and events of the queries.
NamedExplanation explain(const Task& task, const Enumerator& enumerator,
                         const Integrator& integrator, const std::stop_token& stop);

}  // namespace wmi::frontends
