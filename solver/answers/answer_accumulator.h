#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "solver/answer.h"
#include "solver/answers/evaluation.h"
#include "solver/answers/problem_bounds.h"
#include "solver/enumerators/cell.h"
#include "solver/enumerators/goal.h"
#include "solver/laws/law.h"
#include "solver/terms/accumulator.h"

namespace wmi {

/// The sums as they stand.
struct Totals {
  std::vector<Interval> values;
  std::vector<std::size_t> counts;
  std::vector<std::string> refusals;
  std::vector<Law> laws;
  std::vector<std::string> law_refusals;
};

/// What a sum may lack, where regions are left open and no weight is negative: the integral over
/// them of the weight times some term.
struct MissingMass {
  std::optional<Rational> weight = Rational(0);  // at most; nothing if it is not bounded
  std::optional<Interval> value = Interval();    // of the whole
  std::optional<Interval> range = {};            // of the term, on all of the regions
  bool any = false;                              // is there a region?

  void add(const std::optional<Rational>& most, const std::optional<Interval>& of_term);
  void add(const MissingMass& other);
};

/// Adds up the integrals of the cells, and makes the answers of them.
class AnswerAccumulator {
 public:
  /// The task has no observations and must outlive this, as must the plan.
  AnswerAccumulator(const Task& task, const Plan& plan, unsigned threads = 1);

  /// Each thread has a number of its own, and sums of its own.
  void add(const Cell& cell, Evaluation::Result result, unsigned thread = 0);
  /// An open cell; `weight` is an upper bound of the weight's integral over it, or nullopt.
  void add_open(const OpenCell& cell, const std::optional<Rational>& weight, unsigned thread = 0);
  /// All cells are in, those included that are left open.
  void close() { closed_ = true; }
  /// Takes all back that was added, and all refusals.
  void clear();

  /// Queries that need the cell's integrals, or all of them, are refused for this reason.
  void refuse(const Cell& cell, const std::string& reason);
  void refuse(const std::string& reason);
  /// True when no query is left to answer.
  bool all_refused() const;

  /// How many cells have been added.
  std::size_t cells() const;

  /// The answers, once all cells are in (of the queries that are answered by a number). Those that
  /// no rational holds have this many digits.
  std::vector<Answer> finish(unsigned digits) const;

  /// What is certain while cells are still missing: bounds, for weights that are nowhere negative.
  /// Any thread may ask at any time. Regions that are left open count for what they are, once all
  /// is in; before, all that is not added yet counts for what can be said of the whole problem.
  std::vector<Answer> bounds() const;

  /// True when certainly no weight is ever negative: only then are there bounds.
  bool non_negative() const;

  /// Keeps bounds that were found before: later ones are no wider.
  void keep_bounds(std::vector<Answer> bounds);

  /// Once all cells are in: the answers, if each is known to within `gap`, those that are not exact
  /// as enclosures. Nothing if one is not. Requires weights that are nowhere negative.
  std::optional<std::vector<Answer>> within(const Rational& gap, unsigned digits) const;
  /// The most that any sum lacks of the weight, as far as that is bounded.
  Rational most_missing() const;

 private:
  /// Lines of memory that two threads write to go to and fro between them.
  static constexpr std::size_t line = 64;

  struct alignas(line) Share {
    mutable std::mutex mutex;
    std::vector<Accumulator> sums;
    std::vector<std::size_t> counts;  // cells in each sum
    std::vector<TruncatedPowers> laws;
    std::vector<MissingMass> lacks;  // of each sum
  };

  std::shared_ptr<const ProblemBounds> whole_problem() const;
  std::vector<MissingMass> lacks() const;
  bool complete(const Plan::Parts& parts, const std::vector<MissingMass>& lacks) const;
  Totals totals() const;
  void find_laws(Totals& totals) const;

  const Task& task_;
  const Plan& plan_;
  std::vector<Share> shares_;  // one for each thread
  mutable std::mutex mutex_;
  std::vector<std::string> refusals_;                           // of each sum: why it cannot be had
  std::vector<Answer> known_;                                   // bounds found before, if any
  mutable std::shared_ptr<const ProblemBounds> whole_problem_;  // once somebody asks
  std::atomic<bool> closed_ = false;
  alignas(line) std::atomic<std::size_t> cells_ = 0;
};

}  // namespace wmi
