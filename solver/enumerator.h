#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "solver/enumerators/cell.h"
#include "solver/enumerators/goal.h"
#include "solver/enumerators/search_tree.h"
#include "solver/terms/problem.h"

namespace wmi {

/// The cells of a problem, handed out one at a time: memory does not grow with their number.
class Cells {
 public:
  virtual ~Cells() = default;

  /// The next cell, or nullopt at the end. Throws Stopped when told to stop.
  virtual std::optional<Cell> next() = 0;

  /// Splits off about half of the remaining cells, for another thread; null if that cannot be done.
  virtual std::unique_ptr<Cells> fork() { return nullptr; }

  /// Ends the enumeration after it was told to stop: all that was not returned by `next`, most of
  /// it as open cells; nullopt if the rest of the search is unknown.
  virtual std::optional<std::vector<Cell>> rest() { return std::nullopt; }

  /// The next cell that is already found, without searching on.
  virtual std::optional<Cell> found() { return std::nullopt; }

  /// Searches until it can be forked, and forks; null if it has ended or cannot be divided.
  virtual std::unique_ptr<Cells> divide() { return fork(); }

  /// How far it has come, from the root of the whole search; cells that are `found` count as
  /// finished, and what `divide` has split off is elsewhere (what `fork` has is not known any more).
  /// Nullopt if the search cannot be continued elsewhere.
  virtual std::optional<SearchTree> tree() const { return std::nullopt; }
};

/// Regions that an enumeration may leave open: those whose integral of the weight is certainly at
/// most `least`; without it, all on which it is bounded.
struct LeaveOpen {
  std::optional<Rational> least;
  std::function<Rational(const ProductRegion&)> volume;  // or an upper bound; of bounded regions
  std::function<std::optional<Rational>(const EnclosedPolytope&)> enclosed_volume = {};  // likewise
};

/// What searches in doubles did: how many signs of forms at vertices doubles decided, and how many
/// exact numbers; in how many regions bounds decided a formula early.
struct SearchCounts {
  std::size_t signs_in_doubles = 0;
  std::size_t exact_signs = 0;
  std::size_t early_decisions = 0;

  SearchCounts& operator+=(const SearchCounts& other) {
    signs_in_doubles += other.signs_in_doubles;
    exact_signs += other.exact_signs;
    early_decisions += other.early_decisions;
    return *this;
  }
};

/// Cuts a problem into disjoint convex cells.
class Enumerator {
 public:
  virtual ~Enumerator() = default;

  /// Whether it searches this problem in doubles with proven errors.
  virtual bool in_doubles(const Problem& /*problem*/, std::span<const Goal> /*goals*/) const {
    return false;
  }

  /// Whether problems may be taken apart at single variables first (solver/messages).
  virtual bool separates() const { return false; }

  /// Of all searches that have ended.
  virtual SearchCounts counts() const { return {}; }

  /// One enumeration serves all goals: a goal's own atoms refine a cell for that goal alone.
  /// The problem (which must outlive the cells) has no observations. Throws Error if a derived
  /// real has no value or two values somewhere.
  virtual std::unique_ptr<Cells> start(const Problem& problem, std::span<const Goal> goals,
                                       std::stop_token stop) const = 0;

  /// The same for weights that are nowhere negative, but small regions may be left open. Which ones
  /// does not depend on the threads.
  virtual std::unique_ptr<Cells> start_above(const LeaveOpen& /*leave_open*/,
                                             const Problem& problem, std::span<const Goal> goals,
                                             std::stop_token stop) const {
    return start(problem, goals, std::move(stop));
  }

  /// The part of the search `start` below a place of its tree: the same cells. Throws Error if there
  /// is no such place.
  virtual std::unique_ptr<Cells> start_at(const SearchPath& path, const Problem& problem,
                                          std::span<const Goal> goals,
                                          std::stop_token stop) const = 0;
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
/// Where `split` decides in doubles with proven errors, because the exact numbers are long, this one
/// computes with exact numbers alone; and it searches the whole problem, where that one takes it
/// apart: to compare with.
std::unique_ptr<Enumerator> make_exact_split();

/// What `split` decides next: of the open atoms and Booleans of the formula, the one that most of its
/// open nodes depend on, the one that cuts the region most evenly, or the first; then those that the
/// weights depend on (or these before the formula). The answers are the same; docs/performance.md
/// compares the numbers of cells.
enum class Branching { most_used, most_even, first, weight_first };
/// In exact numbers.
std::unique_ptr<Enumerator> make_split_by(Branching branching);

}  // namespace wmi
