#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "frontends/wmi/jobs/job.h"
#include "frontends/wmi/jobs/job_subject.h"

namespace wmi::frontends {

/// The work on a job: its tasks, divided, solved in parts, and joined.
class JobRun {
 public:
  /// Both must outlive this.
  JobRun(Job& job, JobSubject& subject);

  /// Divides all tasks into places, and integrates the cells found on the way: the root of the
  /// current round. Throws Error, Stopped.
  UnitRecord divide(const std::stop_token& stop);

  /// Solves a unit until the deadline, or until it is told to stop, and makes units of the rest: at
  /// most `into` of them. With `calls`, it is paused exactly after so many cells instead.
  struct Pause {
    std::optional<std::chrono::steady_clock::time_point> deadline = {};
    std::stop_token stop = {};
    std::size_t calls = 0;
  };
  UnitRecord solve(const std::string& unit, const std::vector<SearchPath>& places,
                   const Pause& pause, std::size_t into);

  /// All that is known: the records of the units that are done, and the places of the others.
  struct Found {
    std::vector<UnitRecord> records;
    std::vector<std::string> open;      // names of units
    std::vector<SearchPath> places;     // of these
    std::vector<std::string> problems;  // files that cannot be used
  };
  Found find() const;

  /// A solution for each task. Throws Error if a record does not fit the problem.
  std::vector<CountedSolution> join(const Found& found, unsigned digits,
                                    const std::stop_token& stop);

  /// How the precision of each task must rise for its answers to have the digits that are asked for.
  std::vector<Climb> climbs(std::span<const CountedSolution> solutions) const;
  /// Begins a round with more precise integrals.
  void begin_round(std::vector<Climb> climbs, const std::stop_token& stop);

  /// Solves a unit that is done once more. Throws Error if the record is not the same.
  void recheck(const UnitRecord& record, const std::stop_token& stop);

 private:
  TaskInUnits in_units(std::size_t task, std::optional<std::vector<std::size_t>> searched) const;
  void make_integrators();
  DigitLadder ladder(std::size_t task) const;
  std::vector<std::vector<std::size_t>> searched_goals(const UnitRecord& root) const;

  Job& job_;
  JobSubject& subject_;
  const std::unique_ptr<Enumerator> enumerator_;
  const std::unique_ptr<Enumerator> observed_;            // by the subject; may be null
  std::vector<std::unique_ptr<Integrator>> integrators_;  // of each task
};

}  // namespace wmi::frontends
