#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "solver/answer.h"
#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/terms/query.h"

namespace wmi {

class AnswerAccumulator;

/// What a caller may want to see of a running solve; `added` is called from any of its threads.
class ProgressObserver {
 public:
  virtual ~ProgressObserver() = default;
  /// Until `ended`, any thread may ask `answers` for its bounds.
  virtual void started(const AnswerAccumulator& answers);
  virtual void added(std::size_t cells);
  virtual void ended();
};

struct Solution {
  std::vector<Answer> answers;  // one for each query; not complete if the solve was stopped
  std::vector<std::string> warnings;
};

/// The whole pipeline: a problem falls apart into convex cells, each cell is integrated, and the
/// sums are the answers.
///
///     const Task task = read("relu.smt2");
///     solve(task, *make_split(), *make_auto({})).answers[0].value;
///
/// The answers do not depend on the number of threads. A quantile that is no rational number is
/// enclosed to so many digits.
///
/// With a `gap`, and weights that are nowhere negative, it is enough to know each answer to within
/// that much: such answers are enclosures. The largest open regions are searched first, as far as
/// that can be had in the memory of one path: by one search after the other, each of which leaves
/// open what is smaller than a threshold, the next one with a lower threshold. So the answers do
/// not depend on the number of threads here either.
Solution solve(const Task& task, const Enumerator& enumerator, const Integrator& integrator,
               std::stop_token stop = {}, ProgressObserver* watch = nullptr, unsigned threads = 1,
               unsigned digits = 20, const std::optional<Rational>& gap = {});

}  // namespace wmi
