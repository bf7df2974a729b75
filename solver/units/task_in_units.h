#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "solver/answers/evaluation.h"
#include "solver/enumerator.h"
#include "solver/enumerators/goal.h"
#include "solver/integrators/vertex_counter.h"
#include "solver/units/divided_task.h"

namespace wmi {

/// How much is asked of the answers of a task in units.
struct UnitOptions {
  std::optional<unsigned> significant_digits = {};  // enclosures to so many are enough
  unsigned smooth_digits = 8;                       // of integrals with smooth functions
  std::optional<Rational> gap = {};  // an answer that is known to within this is complete
};

/// The search of an enumerator, divided.
class TaskInUnits final : public DividedTask {
 public:
  /// The task, the enumerator and the integrator must outlive this. `searched` are the goals of the
  /// plan that are searched for, as `searched()` says; nullopt: to be found out by `divide`.
  /// Throws Error if the task cannot be divided.
  TaskInUnits(const Task& task, const Enumerator& enumerator, const Integrator& integrator,
              std::optional<std::vector<std::size_t>> searched = {}, UnitOptions options = {});

  /// Also answers what messages answer.
  UnitResult divide(std::size_t parts, const std::stop_token& stop) override;
  /// The goals that messages have not answered.
  std::vector<std::size_t> searched() const override { return *searched_; }
  UnitResult solve(const std::vector<SearchPath>& places,
                   const std::function<bool()>& pause) const override;
  bool fits(const UnitResult& result) const override;
  JoinedTask join(std::span<const UnitResult> results, std::span<const SearchPath> open,
                  unsigned digits, const std::stop_token& stop) const override;

 private:
  class Collector;

  const Task& task_;
  const Enumerator& enumerator_;
  const Integrator& integrator_;
  const UnitOptions options_;
  Task sliced_;
  const Plan plan_;
  std::optional<std::vector<std::size_t>> searched_;
  std::vector<Goal> goals_;  // those that are searched for
};

}  // namespace wmi
