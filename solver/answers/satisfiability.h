#pragma once

#include <stop_token>
#include <vector>

#include "solver/answer.h"
#include "solver/terms/query.h"

namespace wmi {

/// For each query of the task: sat or unsat, if that is what it asks, else an empty answer.
std::vector<Answer> satisfiability_answers(const Task& task, const std::stop_token& stop);

}  // namespace wmi
