#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "solver/answer.h"
#include "solver/cell.h"
#include "solver/evaluation.h"
#include "solver/goal.h"
#include "solver/law.h"
#include "solver/sum.h"

namespace wmi {

/// The sums as they stand.
struct Totals {
  std::vector<Interval> values;
  std::vector<std::size_t> counts;
  std::vector<std::string> refusals;
  std::vector<Law> laws;
  std::vector<std::string> law_refusals;
};

/// Adds up the integrals of the cells, and makes the answers of them.
class Answers {
 public:
  /// The task has no observations and must outlive this, as must the plan.
  Answers(const Task& task, const Plan& plan, unsigned threads = 1);

  /// Each thread has a number of its own, and sums of its own.
  void add(const Cell& cell, Evaluation::Result result, unsigned thread = 0);
  /// Takes all back that was added, and all refusals.
  void clear();

  /// Queries that need the cell's integrals, or all of them, are refused for this reason.
  void refuse(const Cell& cell, const std::string& reason);
  void refuse(const std::string& reason);
  /// True when no query is left to answer.
  bool hopeless() const;

  /// How many cells have been added.
  std::size_t cells() const;

  /// The answers, once all cells are in (of the queries that are answered by a number). Those that
  /// no rational holds have this many digits.
  std::vector<Answer> finish(unsigned digits) const;

  /// What is certain while cells are still missing: bounds, for weights that are nowhere negative.
  /// Any thread may ask at any time.
  std::vector<Answer> bounds() const;

 private:
  /// Lines of memory that two threads write to go to and fro between them.
  static constexpr std::size_t line = 64;

  struct alignas(line) Share {
    mutable std::mutex mutex;
    std::vector<Sum> sums;
    std::vector<std::size_t> counts;  // cells in each sum
    std::vector<TruncatedPowers> laws;
  };

  Totals totals() const;
  void find_laws(Totals& totals) const;

  const Task& task_;
  const Plan& plan_;
  std::vector<Share> shares_;  // one for each thread
  mutable std::mutex mutex_;
  std::vector<std::string> refusals_;  // of each sum: why it cannot be had
  alignas(line) std::atomic<std::size_t> cells_ = 0;
};

}  // namespace wmi
