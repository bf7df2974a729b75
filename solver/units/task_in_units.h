#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "solver/answers/answer_accumulator.h"
#include "solver/answers/evaluation.h"
#include "solver/enumerator.h"
#include "solver/enumerators/goal.h"
#include "solver/integrators/vertex_counter.h"
#include "solver/solve.h"

namespace wmi {

/// Why some sums cannot be computed, and where in the search that was found.
struct UnitRefusal {
  std::vector<std::uint32_t> position;  // branches: the place that the search goes on from
  std::vector<std::size_t> sums;        // empty: all of them
  std::string reason;

  friend bool operator==(const UnitRefusal&, const UnitRefusal&) = default;
};

/// What a part of a search found.
struct UnitResult {
  CellSums sums;
  std::vector<UnitRefusal> refusals;
  std::size_t vertices = 0;
  bool used_doubles = false;
  SearchTree tree;  // of the whole task, with what is not its part elsewhere
};

/// A task that is solved in parts, by any number of processes: the places of its search tree are
/// shared out, each is searched for by itself, and the exact sums are added.
///
///     void example(const Task& task) {
///       const auto enumerator = make_split();
///       const auto integrator = make_auto({});
///       TaskInUnits whole(task, *enumerator, *integrator);
///       std::vector<UnitResult> results = {whole.divide(10, {})};
///       for (const OpenPlace& place : open_places(results[0].tree))
///         results.push_back(whole.solve({place.path}, [] { return false; }));
///       whole.join(results, {}, 20, {}).answers;  // those of solve(task, ...)
///     }
class TaskInUnits {
 public:
  /// The task, the enumerator and the integrator must outlive this. `searched` are the goals of the
  /// plan that are searched for, as `searched()` says; nullopt: to be found out by `divide`.
  TaskInUnits(const Task& task, const Enumerator& enumerator, const Integrator& integrator,
              std::optional<std::vector<std::size_t>> searched = {});

  /// Answers what messages answer, and divides the rest into places: so many, or a few more, or
  /// fewer if there are no more. Throws Stopped, and Error if the search cannot be divided.
  /// With `significant_digits`, enclosures to so many digits are enough (SolveOptions).
  UnitResult divide(std::size_t parts, const std::stop_token& stop,
                    std::optional<unsigned> significant_digits = {});
  /// The goals that messages have not answered.
  const std::vector<std::size_t>& searched() const { return *searched_; }

  /// Searches the parts below these places, until `pause` says so between two cells: then the tree
  /// says what is open. Throws LostPlace if there is no such place.
  UnitResult solve(const std::vector<SearchPath>& places, const std::function<bool()>& pause) const;

  /// The answers, once nothing is open; else certified bounds.
  Solution join(std::span<const UnitResult> results, std::span<const SearchPath> open,
                unsigned digits, const std::stop_token& stop) const;

  const Plan& plan() const { return plan_; }

 private:
  class Collector;

  const Task& task_;
  const Enumerator& enumerator_;
  const Integrator& integrator_;
  Task sliced_;
  const Plan plan_;
  std::optional<std::vector<std::size_t>> searched_;
  std::vector<Goal> goals_;  // those that are searched for
};

}  // namespace wmi
