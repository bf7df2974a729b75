#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "frontends/python/core/expressions.h"
#include "solver/terms/query.h"

namespace wmi::python {

/// A problem of the engine, and its variables by name.
struct NamedProblem {
  Problem problem;
  Names names;
  std::vector<std::string> assumptions = {};
};

/// The problem of a task that was read, without its queries.
NamedProblem named(const Task& task);

/// A problem as a value: SMT-LIB text, in which each name that is no variable is asked for by a query
/// of its own, these names in order, and the assumptions.
struct ProblemState {
  std::string text;
  std::vector<std::string> names, assumptions;
};
ProblemState state_of(const NamedProblem& problem);
/// Throws Error.
NamedProblem of_state(const ProblemState& state);

/// What `ciber.Problem` collects; see there.
struct ProblemParts {
  py::list variables;     // declared, used or not
  py::list bounds;        // (variable, lower or None, upper or None)
  py::list assertions;    // formulas
  py::list weights;       // (formula, term)
  py::list observations;  // (variable, number)
  py::object integrated;  // a list of variables, or None: all
};

/// Throws Error.
NamedProblem make_problem(const ProblemParts& parts);

/// The problem, extended. The parts have no variables of their own.
NamedProblem make_problem(const NamedProblem& base, const ProblemParts& parts);

/// The problem and queries: tuples (kind, event, given, term, order, at), where None stands for what
/// a query does not have. Throws Error.
Task make_task(const NamedProblem& problem, const py::list& queries);

/// The same with the numbers that the problem's own variables have, also of defined reals.
Task make_literal_task(const NamedProblem& problem, const py::list& queries);

}  // namespace wmi::python
