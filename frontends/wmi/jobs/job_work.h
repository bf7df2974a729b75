#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/cli/settings.h"
#include "frontends/cli/terminal.h"
#include "frontends/wmi/jobs/job.h"
#include "frontends/wmi/jobs/job_subject.h"

namespace wmi::frontends {

/// All that is known of a job: the records of the units that are done, and the places of the others.
struct FoundUnits {
  std::vector<UnitRecord> records;
  std::vector<std::string> open;      // names of units
  std::vector<SearchPath> places;     // of these
  std::vector<std::string> problems;  // files that cannot be used
};
FoundUnits find_units(const Job& job);

/// What the units of a job do, and what is made of their results.
class JobWork {
 public:
  virtual ~JobWork() = default;

  /// The root, which leaves the first units. Throws Error, Stopped.
  virtual UnitRecord divide(const std::stop_token& stop) = 0;

  /// Solves a unit until the deadline, or until it is told to stop, and makes units of the rest: at
  /// most `into` of them. With `calls`, it is paused exactly after so many steps instead.
  struct Pause {
    std::optional<std::chrono::steady_clock::time_point> deadline = {};
    std::stop_token stop = {};
    std::size_t calls = 0;

    bool due(std::size_t steps) const {
      if (calls > 0) return steps >= calls;
      return stop.stop_requested() || (deadline && std::chrono::steady_clock::now() >= *deadline);
    }
  };
  virtual UnitRecord solve(const std::string& unit, const std::vector<SearchPath>& places,
                           const Pause& pause, std::size_t into) = 0;

  /// Are the open units not needed any more?
  virtual bool enough(const FoundUnits&) { return false; }

  /// Prints the answers, with the settings of `join`, and returns the exit status.
  virtual int join(const Settings& settings, const FoundUnits& found, Terminal& terminal) = 0;
};

/// Solves a unit that is done once more. Throws Error if the record is not the same.
void recheck(JobWork& work, const Job& job, const UnitRecord& record, const std::stop_token& stop);
/// So many random ones of them.
void recheck_some(JobWork& work, const Job& job, std::span<const UnitRecord> records,
                  std::size_t count);

/// Says how many units are open, and what helps. Returns the exit status.
int say_open(const Job& job, const FoundUnits& found, std::string_view advice, Terminal& terminal);

/// A search whose answers are printed by a subject.
std::unique_ptr<JobWork> search_work(Job& job, std::unique_ptr<JobSubject> subject);

/// A command that makes jobs: how its problem is read from a job. An entry of a program's table, with
/// one of the two.
struct JobCommand {
  std::string_view name;
  std::unique_ptr<JobSubject> (*read)(const Job& job, Terminal& terminal);  // of a search
  std::unique_ptr<JobWork> (*open)(Job& job, Terminal& terminal) = nullptr;
};

/// Throws Error.
std::unique_ptr<JobSubject> read_subject(const Job& job, std::span<const JobCommand> table,
                                         Terminal& terminal);
std::unique_ptr<JobWork> open_work(Job& job, std::span<const JobCommand> table, Terminal& terminal);

}  // namespace wmi::frontends
