#include "frontends/ciber/verify/counterexample_search.h"

#include <atomic>
#include <mutex>
#include <variant>

#include "frontends/ciber/verify/attack.h"
#include "frontends/ciber/verify/continuity.h"
#include "frontends/ciber/verify/largest_cell.h"
#include "solver/enumerators/goal.h"
#include "solver/enumerators/work_sharing.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

/// The cells of the search so far; from any thread. Asks to stop when they are enough.
class Candidates {
 public:
  Candidates(const VerificationProblem& problem, const CounterexampleOptions& options,
             std::size_t sum)
      : problem_(problem), options_(options), sum_(sum), checkable_(!has_masks(problem.network)) {}

  /// Before the search: an attack that costs next to nothing.
  void begin() { try_attack(cheap_runs(problem_.network)); }

  void add(const Cell& cell) {
    if (stop_.stop_requested()) return;
    if (std::holds_alternative<OpenCell>(cell.kind) && ++long_searches_ == long_without)
      try_attack(more_runs * cheap_runs(problem_.network));
    if (!adds_to(cell, sum_)) return;
    const std::optional<InteriorPoint> inside = interior_point(cell);
    if (!inside) return;  // flat
    const std::lock_guard lock(mutex_);
    if (stop_.stop_requested()) return;
    ++result_.cells;
    result_.outcome = CounterexampleSearch::Outcome::found;
    if (checkable_) result_.witness = find_witness(problem_, inside->point);
    if (!checkable_ || result_.witness || result_.cells >= options_.tries) stop_.request_stop();
  }

  std::stop_source& stop() { return stop_; }
  CounterexampleSearch result() && { return std::move(result_); }

 private:
  /// Once the search has found nothing for long, which is counted in the open cells that it returns
  /// meanwhile, an attack is worth more.
  static constexpr std::size_t more_runs = 50, long_without = 512;

  void try_attack(std::size_t runs) {
    if (!checkable_) return;
    std::optional<Witness> witness = attack(problem_, runs, options_.stop);
    if (!witness) return;
    const std::lock_guard lock(mutex_);
    result_.outcome = CounterexampleSearch::Outcome::found;
    result_.witness = std::move(witness);
    stop_.request_stop();
  }

  const VerificationProblem& problem_;
  const CounterexampleOptions& options_;
  const std::size_t sum_;
  const bool checkable_;
  std::stop_source stop_;
  std::atomic<std::size_t> long_searches_ = 0;
  std::mutex mutex_;
  CounterexampleSearch result_;
};

}  // namespace

CounterexampleSearch search_counterexample(const VerificationProblem& problem,
                                           const Enumerator& enumerator,
                                           const CounterexampleOptions& options) {
  using Outcome = CounterexampleSearch::Outcome;
  Task task = relaxed_task(problem);
  const Plan plan = make_plan(task);
  Candidates candidates(problem, options, *plan.parts[0].first);
  candidates.begin();
  const std::stop_callback stopping(options.stop, [&] { candidates.stop().request_stop(); });
  bool all = false;
  try {
    all = share_work(enumerator.start(task.problem, plan.goals, candidates.stop().get_token()),
                     options.threads, [&](const Cell& cell, unsigned) { candidates.add(cell); });
  } catch (const Stopped&) {
  }
  CounterexampleSearch result = std::move(candidates).result();
  const bool everywhere = all && problem.inputs.bounded;
  if (!everywhere && result.outcome == Outcome::none) result.outcome = Outcome::stopped;
  return result;
}

bool excludes_all(const VerificationProblem& problem, const CounterexampleSearch& search) {
  return search.outcome == CounterexampleSearch::Outcome::none && is_continuous(problem.network);
}

}  // namespace wmi::frontends
