#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "frontends/wmi/jobs/job.h"
#include "frontends/wmi/jobs/job_subject.h"
#include "frontends/wmi/jobs/job_work.h"

namespace wmi::frontends {

/// The work on a job: its tasks, divided, solved in parts, and joined.
class JobRun {
 public:
  /// Both must outlive this.
  JobRun(Job& job, JobSubject& subject);

  /// Divides all tasks into places, and integrates the cells found on the way: the root of the
  /// current round. Throws Error, Stopped.
  UnitRecord divide(const std::stop_token& stop);

  /// As JobWork says.
  using Pause = JobWork::Pause;
  UnitRecord solve(const std::string& unit, const std::vector<SearchPath>& places,
                   const Pause& pause, std::size_t into);

  /// A solution for each task. Throws Error if a record does not fit the problem. Of a job with
  /// proofs, `certificate` is written if it is not empty.
  std::vector<CountedSolution> join(const FoundUnits& found, unsigned digits,
                                    const std::stop_token& stop,
                                    const std::string& certificate = "");

  /// How the precision of each task must rise for its answers to have the digits that are asked for.
  std::vector<Climb> climbs(std::span<const CountedSolution> solutions) const;
  /// Begins a round with more precise integrals.
  void begin_round(std::vector<Climb> climbs, const std::stop_token& stop);

 private:
  std::unique_ptr<DividedTask> in_units(std::size_t task,
                                        std::optional<std::vector<std::size_t>> searched) const;
  std::vector<UnitResult> results_of(std::size_t task, const DividedTask& whole,
                                     const FoundUnits& found, CountedSolution& solution) const;
  void keep_proof(UnitRecord& record, std::vector<std::vector<std::string>> pieces_of_places) const;
  void make_integrators();
  DigitLadder ladder(std::size_t task) const;
  SmoothLadder smooth_ladder(std::size_t task) const;
  bool smooth(std::size_t task) const;
  std::vector<std::vector<std::size_t>> searched_goals(const UnitRecord& root) const;

  Job& job_;
  JobSubject& subject_;
  const std::optional<EmbeddedScript> embedded_;  // of proofs
  const std::unique_ptr<Enumerator> enumerator_;
  const std::unique_ptr<Enumerator> observed_;            // by the subject; may be null
  std::vector<std::unique_ptr<Integrator>> integrators_;  // of each task
};

}  // namespace wmi::frontends
