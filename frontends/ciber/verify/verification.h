#pragma once

#include <functional>
#include <optional>
#include <stop_token>

#include "frontends/ciber/verify/counterexample_search.h"
#include "frontends/ciber/verify/verdict.h"
#include "frontends/ciber/verify/verification_problem.h"
#include "solver/enumerator.h"
#include "solver/solve.h"

namespace wmi::frontends {

/// Solves a task with an enumerator; an answer that was stopped is incomplete.
using SolveTask = std::function<Solution(const Task&, const Enumerator&)>;

/// What is known of a property after the search for counterexamples: its probability, 0 if they were
/// excluded and otherwise solved for, and a witness from the largest cell.
///
/// `task` is that of `probability_task`, and `known` its solution, if there is one already;
/// `largest` is then a point of the largest cell, if that is known.
Verification conclude(const VerificationProblem& problem, const Task& task,
                      const CounterexampleSearch& search, const Enumerator& enumerator,
                      const SolveTask& solve, std::optional<Solution> known = {},
                      const std::optional<Point>& largest = {}, const std::stop_token& stop = {});

}  // namespace wmi::frontends
