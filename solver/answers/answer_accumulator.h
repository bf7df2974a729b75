#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "solver/answer.h"
#include "solver/answers/evaluation.h"
#include "solver/answers/missing_mass.h"
#include "solver/answers/problem_bounds.h"
#include "solver/answers/query_answer.h"
#include "solver/enumerators/cell.h"
#include "solver/enumerators/goal.h"
#include "solver/terms/accumulator.h"

namespace wmi {

/// What some of the cells of a problem add up to.
struct CellSums {
  std::size_t cells = 0;
  std::vector<Interval> sums;         // of a plan
  std::vector<std::size_t> counts;    // cells in each
  std::vector<TruncatedPowers> laws;  // settled
};

/// Adds up the integrals of cells, from several threads, and makes the answers of the sums.
class AnswerAccumulator {
 public:
  /// The task has no observations and must outlive this, as must the plan.
  AnswerAccumulator(const Task& task, const Plan& plan, unsigned threads = 1);

  /// Adds the integrals of a cell. Each thread has a number, and sums of its own.
  void add(const Cell& cell, Evaluation::Result result, unsigned thread = 0);
  /// Adds the whole integrals and laws of a goal, as those of one cell: no other cell adds to them,
  /// and `clear` keeps them.
  void keep(Cell cell, Evaluation::Result result);
  /// An open cell; `weight` is an upper bound of the weight's integral over it, or nullopt.
  void add_open(const OpenCell& cell, const std::optional<Rational>& weight, unsigned thread = 0);
  /// What all cells add up to so far, and what other cells do: of the same plan.
  CellSums sums() const;
  void add(const CellSums& sums);
  /// All cells are added, open ones included.
  void close() { closed_ = true; }
  /// Removes all cells and refusals, but what is kept.
  void clear();

  /// Refuses the queries that need the cell's integrals, or all queries.
  void refuse(const Cell& cell, const Refusal& reason);
  void refuse(const Refusal& reason);
  /// Refuses the queries that need these sums.
  void refuse(const std::vector<std::size_t>& sums, const Refusal& reason);
  /// The cell without integrals that only refused queries need.
  Cell needed(const Cell& cell) const;
  /// True when every query was refused.
  bool all_refused() const;

  /// How many cells have been added.
  std::size_t cells() const;

  /// The answers, once all cells are added (of the queries that are answered by a number). Those
  /// that no rational number holds have this many digits.
  std::vector<Answer> finish(unsigned digits) const;

  /// Certified bounds while cells are missing, for weights that are nowhere negative. Any thread may
  /// ask at any time. After `close`, open cells count with their bounds; before, all that is not
  /// added yet counts with the bounds of the whole problem. Numbers of kept sums alone are complete.
  std::vector<Answer> bounds() const;

  /// True when certainly no weight is ever negative: only then are there bounds.
  bool non_negative() const;

  /// Keeps bounds that were found before: later ones are no wider.
  void keep_bounds(std::vector<Answer> bounds);

  /// After `close`: the answers, enclosures included, if each is known to within `gap`, else
  /// nullopt. Requires weights that are nowhere negative.
  std::optional<std::vector<Answer>> within(const Rational& gap, unsigned digits) const;
  /// The largest missing weight of any sum, as far as it is bounded.
  Rational most_missing() const;

 private:
  /// Threads that write to the same cache line wait for each other.
  static constexpr std::size_t cache_line = 64;

  struct alignas(cache_line) ThreadSums {
    mutable std::mutex mutex;
    std::vector<Accumulator> sums;
    std::vector<std::size_t> counts;  // cells in each sum
    std::vector<TruncatedPowers> laws;
    std::vector<MissingMass> missing;  // of each sum
  };

  struct Kept {
    Cell cell;
    Evaluation::Result found;
  };

  std::shared_ptr<const ProblemBounds> whole_problem() const;
  std::vector<MissingMass> missing() const;
  bool is_whole(const Query& query, const Plan::Parts& parts) const;
  Totals totals() const;
  void find_laws(Totals& totals) const;

  const Task& task_;
  const Plan& plan_;
  std::vector<ThreadSums> threads_;
  mutable std::mutex mutex_;
  std::vector<Refusal> refusals_;  // of each sum
  std::vector<Answer> known_;      // bounds found before, if any
  std::vector<Kept> kept_;
  std::vector<bool> whole_;                                     // of each sum: is it kept?
  mutable std::shared_ptr<const ProblemBounds> whole_problem_;  // on first use
  std::atomic<bool> closed_ = false;
  alignas(cache_line) std::atomic<std::size_t> cells_ = 0;
};

}  // namespace wmi
