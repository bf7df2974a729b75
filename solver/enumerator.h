#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "solver/enumerators/cell.h"
#include "solver/enumerators/goal.h"
#include "solver/terms/problem.h"

namespace wmi {

/// The cells of a problem, handed out one at a time: memory does not grow with their number.
class Cells {
 public:
  virtual ~Cells() = default;

  /// The next cell, or nothing when all are done. Throws Stopped when told to stop.
  virtual std::optional<Cell> next() = 0;

  /// About half of the cells that are left, to be had from another thread; these are then without
  /// them. Nothing where there is no half to give.
  virtual std::unique_ptr<Cells> fork() { return nullptr; }

  /// Ends the enumeration after it was told to stop. What has not been handed out, most of it as
  /// cells that are left open; nothing where nobody can say what that is.
  virtual std::optional<std::vector<Cell>> rest() { return std::nullopt; }
};

/// Takes a problem apart into disjoint convex cells.
class Enumerator {
 public:
  virtual ~Enumerator() = default;

  /// One enumeration serves all goals: a goal's own atoms refine a cell for that goal alone.
  /// The problem (which must outlive the cells) has no observations. Throws Error where a derived
  /// real has no value or two.
  virtual std::unique_ptr<Cells> start(const Problem& problem, std::span<const Goal> goals,
                                       std::stop_token stop) const = 0;

  /// The same for weights that are nowhere negative; but a region whose integral of the weight is
  /// certainly at most `least` may be left open (without it, any region with a bounded one). Which
  /// regions these are does not depend on how the cells are shared.
  virtual std::unique_ptr<Cells> start_above(const std::optional<Rational>& /*least*/,
                                             const Problem& problem, std::span<const Goal> goals,
                                             std::stop_token stop) const {
    return start(problem, goals, std::move(stop));
  }
};

struct EnumeratorEntry {
  std::string_view name;
  std::string_view description;
  std::unique_ptr<Enumerator> (*make)();
};

/// The table of enumerators; the first is the default.
std::span<const EnumeratorEntry> enumerators();

std::unique_ptr<Enumerator> make_z3();
std::unique_ptr<Enumerator> make_split();

/// What `split` decides next: of what the formula leaves open, what most of it waits for, what cuts
/// the region most evenly, or what comes first; then what the weights wait for (or these before the
/// formula). The answers are the same; docs/performance.md compares the numbers of cells.
enum class Branching { most_used, most_even, first, weight_first };
std::unique_ptr<Enumerator> make_split_by(Branching branching);

}  // namespace wmi
