#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <vector>

#include "frontends/python/core/answering.h"
#include "frontends/python/core/bindings.h"
#include "frontends/python/core/released_lock.h"
#include "frontends/wmi/jobs/job_run.h"
#include "frontends/wmi/jobs/split_command.h"
#include "solver/answers/bounded_query.h"
#include "solver/terms/error.h"

namespace wmi::python {
namespace {

/// The solution of the first task of a job; nullopt if a further round of units is needed for it.
std::optional<Solution> joined(const std::string& directory) {
  const ReleasedLock released;
  using namespace frontends;
  Terminal terminal;
  Job job = Job::open(directory, "wmi");
  const std::unique_ptr<JobSubject> subject = read_subject(job, wmi_job_commands(), terminal);
  JobRun run(job, *subject);
  const FoundUnits found = find_units(job);
  if (!found.problems.empty()) throw Error(found.problems[0]);
  if (!found.open.empty())
    throw Error(directory + ": units are open, the first is " + found.open[0]);
  const unsigned digits = static_cast<unsigned>(subject->options().style.decimals) + 2;
  std::vector<CountedSolution> solutions = run.join(found, digits, {});
  const std::vector<Climb> climbs = run.climbs(solutions);
  if (std::ranges::any_of(climbs, [](Climb climb) { return climb != Climb::none; })) {
    run.begin_round(climbs, {});
    return std::nullopt;
  }
  Solution result = std::move(solutions.at(0).solution);
  result.answers = enclosed(subject->script()[0], std::move(result.answers));
  return result;
}

}  // namespace

void bind_jobs(py::module_& module) {
  module.def(
      "join_job",
      [](const std::string& directory, const std::vector<std::string>& assumptions) -> py::object {
        std::optional<Solution> solution = joined(directory);
        if (!solution) return py::none();
        py::list records;
        for (Answer& answer : solution->answers) {
          answer.assumptions = assumptions;
          records.append(record(std::move(answer)));
        }
        return py::make_tuple(records, solution->warnings);
      });
}

}  // namespace wmi::python
