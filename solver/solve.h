#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "solver/answer.h"
#include "solver/enumerator.h"
#include "solver/integrator.h"
#include "solver/messages/message_counts.h"
#include "solver/terms/query.h"

namespace wmi {

class AnswerAccumulator;

/// Observes a running solve; `added` is called from any of its threads.
class ProgressObserver {
 public:
  virtual ~ProgressObserver() = default;
  /// Until `ended`, any thread may ask `answers` for its bounds.
  virtual void started(const AnswerAccumulator& answers);
  virtual void added(std::size_t cells);
  /// An estimate of how much of a proof is written, from 0 to 1 (certificate.h).
  virtual void proved(double share);
  virtual void ended();
};

struct Solution {
  std::vector<Answer> answers;  // one for each query; not complete if the solve was stopped
  std::vector<std::string> warnings;
  MessageCounts messages = {};  // of the goals that messages answered
};

struct SolveOptions {
  unsigned threads = 1;        // the answers do not depend on their number
  unsigned digits = 20;        // of a quantile that is not rational
  unsigned smooth_digits = 8;  // of integrals of weights and terms with smooth functions
  /// Sums of very many reals may be enclosed to so many significant digits; nullopt: exactly.
  std::optional<unsigned> significant_digits = {};
  std::optional<Rational> gap = {};  // how well each answer must be known; nullopt: exactly
  bool may_be_stopped = false;       // so bounds should close before the end: see below
  std::stop_token stop = {};         // a stopped solve returns bounds
  ProgressObserver* observer = nullptr;
};

/// The whole pipeline: a problem is cut into convex cells, each cell is integrated, and the sums
/// are the answers. A problem that single variables separate into small blocks is integrated block
/// by block instead (solver/messages).
///
///     Task task;
///     task.queries.push_back({.kind = Query::Kind::wmi});
///     solve(task, *make_split(), *make_auto({})).answers[0].value;
///     solve(task, *make_split(), *make_auto({}), {.threads = 2, .gap = ratio(1, 100)});
///
/// With a `gap`, and weights that are nowhere negative, answers are enclosures no wider than the
/// gap. Several searches follow each other, each of which leaves open the regions whose integral is
/// below a threshold, which falls from search to search: so the largest regions are searched first,
/// in the memory of one path, and the answers do not depend on the threads here either. The same is
/// done without a gap, down to nothing left open, if the solve may be stopped and decides in doubles:
/// its searches are quick, and the bounds of the last one are good.
Solution solve(const Task& task, const Enumerator& enumerator, const Integrator& integrator,
               const SolveOptions& options = {});

}  // namespace wmi
