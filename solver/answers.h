#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "solver/answer.h"
#include "solver/bounds.h"
#include "solver/cell.h"
#include "solver/goal.h"
#include "solver/sum.h"

namespace wmi {

/// Adds up the integrals of the cells, and makes the answers of them.
class Answers {
 public:
  /// `task` has no observations and must outlive this.
  Answers(const Task& task, Plan plan);

  void add(const Cell& cell, std::span<const Interval> integrals);

  std::size_t cells() const;

  /// The answers, once all cells are in. Throws Error where a density meets a point mass.
  std::vector<Answer> finish() const;

  /// What is certain while cells are still missing: bounds, for weights that are nowhere negative.
  /// Any thread may ask at any time.
  std::vector<Answer> bounds() const;

 private:
  Interval total(std::size_t sum) const;

  const Task& task_;
  const Plan plan_;
  const WeightRange range_;
  mutable std::mutex mutex_;
  std::vector<Sum> sums_;
  std::size_t cells_ = 0;
};

}  // namespace wmi
