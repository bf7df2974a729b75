#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include "solver/answer.h"
#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/query.h"

namespace wmi {

class Answers;

/// What a caller may want to see of a running solve; `added` is called from any of its threads.
class Watch {
 public:
  virtual ~Watch() = default;
  /// Until `ended`, any thread may ask `answers` for its bounds.
  virtual void started(const Answers& answers);
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
Solution solve(const Task& task, const Enumerator& enumerator, const Integrator& integrator,
               std::stop_token stop = {}, Watch* watch = nullptr, unsigned threads = 1,
               unsigned digits = 20);

}  // namespace wmi
