#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "solver/answer.h"
#include "solver/cell.h"
#include "solver/goal.h"
#include "solver/sum.h"

namespace wmi {

/// The sums as they stand.
struct Totals {
  std::vector<Interval> values;
  std::vector<std::size_t> counts;
  std::vector<std::string> refusals;
};

/// Adds up the integrals of the cells, and makes the answers of them.
class Answers {
 public:
  /// The task has no observations and must outlive this, as must the plan.
  Answers(const Task& task, const Plan& plan);

  void add(const Cell& cell, std::span<const Interval> integrals);

  /// Queries that need the cell's integrals, or all of them, are refused for this reason.
  void refuse(const Cell& cell, const std::string& reason);
  void refuse(const std::string& reason);
  /// True when no query is left to answer.
  bool hopeless() const;

  /// How many cells have been added.
  std::size_t cells() const;

  /// The answers, once all cells are in (of the queries that are answered by a number).
  std::vector<Answer> finish() const;

  /// What is certain while cells are still missing: bounds, for weights that are nowhere negative.
  /// Any thread may ask at any time.
  std::vector<Answer> bounds() const;

 private:
  Totals totals() const;

  const Task& task_;
  const Plan& plan_;
  mutable std::mutex mutex_;
  std::vector<Sum> sums_;
  std::vector<std::size_t> counts_;    // cells in each sum
  std::vector<std::string> refusals_;  // of each sum: why it cannot be had
  std::size_t cells_ = 0;
};

}  // namespace wmi
