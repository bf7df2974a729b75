#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <sstream>

#include "frontends/check/checker.h"
#include "frontends/python/core/bindings.h"
#include "frontends/python/core/interruptible.h"
#include "frontends/python/core/numbers.h"
#include "frontends/python/core/problems.h"
#include "frontends/python/core/scripts.h"

namespace wmi::python {
namespace {

struct Checked {
  std::vector<std::vector<check::Certified>> answers;  // of each task
  check::Counts counts;
};

/// Throws check::Rejected.
Checked check_all(const Script& tasks, const std::string& certificate) {
  std::istringstream stream(certificate);
  check::Bytes in(stream);
  Checked result;
  try {
    in.expect(check::mark);
    for (const Task& task : tasks) result.answers.push_back(check::check(task, in, result.counts));
    in.expect_end();
  } catch (const std::exception& error) {
    throw check::Rejected("rejected at byte " + std::to_string(in.offset()) + ": " + error.what());
  }
  return result;
}

/// A list, for each query, of (certified, lower, upper, undefined); nodes, cells, open leaves.
py::tuple checked(Script tasks, const std::string& certificate) {
  const Checked found = result_of([tasks = std::move(tasks), certificate](const std::stop_token&) {
                          return check_all(tasks, certificate);
                        }).value();
  py::list answers;
  for (const auto& task : found.answers)
    for (const check::Certified& one : task)
      answers.append(py::make_tuple(
          one.certified, one.value ? to_fraction(one.value->lower) : py::object(py::none()),
          one.value ? to_fraction(one.value->upper) : py::object(py::none()), one.undefined));
  return py::make_tuple(answers, found.counts.nodes, found.counts.cells, found.counts.open);
}

}  // namespace

void bind_certificates(py::module_& module) {
  module.def("check_script", [](const ReadScript& script, const std::string& certificate) {
    return checked(script.tasks, certificate);
  });
  module.def("check_problem", [](const NamedProblem& problem, const py::list& queries,
                                 const std::string& certificate) {
    return checked({make_task(problem, queries)}, certificate);
  });
}

}  // namespace wmi::python
