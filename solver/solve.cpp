#include "solver/solve.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "solver/answers/answer_accumulator.h"
#include "solver/answers/evaluation.h"
#include "solver/answers/flatness.h"
#include "solver/answers/part_integrator.h"
#include "solver/answers/satisfiability.h"
#include "solver/answers/smooth_queries.h"
#include "solver/answers/unbounded_reason.h"
#include "solver/enumerators/threshold.h"
#include "solver/enumerators/work_sharing.h"
#include "solver/integrators/enclosed_faces.h"
#include "solver/messages/answered_goals.h"
#include "solver/terms/error.h"
#include "solver/terms/substitution.h"

namespace wmi {
namespace {

/// Thrown when every query is refused.
struct AllQueriesRefused {};

/// A search of all cells, or with some left open, whose integrals are accumulated.
class Pass {
 public:
  using Start = std::function<std::unique_ptr<Cells>()>;

  Pass(const Problem& problem, const Evaluation& evaluation, ProgressObserver& observer,
       AnswerAccumulator& answers)
      : problem_(problem), evaluation_(evaluation), observer_(observer), answers_(answers) {}

  /// With several threads; again with one if the problem has an error: which cell shows it first
  /// depends on the threads, and the message should not.
  void operator()(const Start& start, unsigned threads) const {
    answers_.clear();
    if (threads > 1) {
      try {
        return share_cells(start(), threads, [this](const Cell& cell, unsigned thread) {
          if (add(cell, thread)) throw Error("refused");
        });
      } catch (const Error&) {
        answers_.clear();
      }
    }
    one_by_one(start);
  }

 private:
  /// Returns whether an integral is refused.
  bool add(const Cell& cell, unsigned thread) const {
    if (const auto* const open = std::get_if<OpenCell>(&cell.kind)) {
      answers_.add_open(*open, evaluation_.most_weight(cell), thread);
      return false;
    }
    Evaluation::Result found = evaluation_(cell);
    const std::vector<Refusal> refusals = std::move(found.refusals);
    for (std::size_t i = 0; i < refusals.size(); ++i)
      if (!refusals[i].empty()) answers_.refuse(cell.sums[i], refusals[i]);
    answers_.add(cell, std::move(found), thread);
    observer_.added(answers_.cells());
    return !refusals.empty();
  }

  void share_cells(std::unique_ptr<Cells> cells, unsigned threads,
                   const std::function<void(const Cell&, unsigned)>& work) const {
    const bool all = share_work(std::move(cells), threads, work);
    answers_.close();
    if (!all) throw Stopped();
  }

  /// An error of the problem is the answer to its queries, and one of a cell to those that need it.
  void one_by_one(const Start& start) const {
    bool any_refused = false;
    try {
      share_cells(start(), 1, [&](const Cell& cell, unsigned) {
        const bool smooth = any_refused && !cell.functions.empty();
        try {
          if (!(smooth ? add(answers_.needed(cell), 0) : add(cell, 0))) return;
        } catch (const Unbounded& unbounded) {
          answers_.refuse(cell, {unbounded_reason(unbounded, cell, problem_.terms)});
        }
        any_refused = true;
        if (answers_.all_refused()) throw AllQueriesRefused();
      });
    } catch (const AllQueriesRefused&) {
    } catch (const Error& error) {
      answers_.refuse({error.what()});
    }
  }

  const Problem& problem_;
  const Evaluation& evaluation_;
  ProgressObserver& observer_;
  AnswerAccumulator& answers_;
};

/// The volume of a bounded region, or of a box around it where that takes too long.
Rational most_volume(const ProductRegion& region, const Integrator& integrator) {
  const Polynomial one(1);
  Rational result = 1;
  const Region simplified = region.simplified().region();
  for (const Region::Factor& factor : simplified.factors)
    result *= integrator.integrate(std::span(&one, 1), factor.polytope)[0].upper;
  return result;
}

std::optional<Rational> most_volume(const EnclosedPolytope& region) {
  const std::optional<DoubleInterval> volume = enclose_volume(region);
  return volume && std::isfinite(volume->upper) ? std::optional(Rational(volume->upper))
                                                : std::nullopt;
}

/// One search after the other, until all answers are known to within the gap, or completely.
std::vector<Answer> narrowed(const std::optional<Rational>& gap, unsigned digits,
                             AnswerAccumulator& answers,
                             const std::function<void(const std::optional<Threshold>&)>& search) {
  Narrowing narrowing;
  for (;;) {
    search(narrowing.threshold());
    if (!narrowing.threshold()) return answers.finish(digits);
    if (gap)
      if (std::optional<std::vector<Answer>> reached = answers.within(*gap, digits))
        return *reached;
    answers.keep_bounds(answers.bounds());
    narrowing.lower(answers.cells(), answers.most_missing());
  }
}

/// Answers the quantiles of a task with smooth weights, by solving for the cdf again and again.
void answer_quantiles(const Task& task, const Enumerator& enumerator, const Integrator& integrator,
                      SolveOptions options, std::vector<Answer>& answers) {
  const unsigned digits = options.smooth_digits > 2 ? options.smooth_digits - 2 : 1;
  options.smooth_digits += 2;  // the cdf must be known better than the places where it is asked for
  options.observer = nullptr;
  options.gap.reset();
  for (std::size_t i = 0; i < task.queries.size(); ++i) {
    if (task.queries[i].kind != Query::Kind::quantile || !task.queries[i].refused.empty()) continue;
    const std::size_t cells = answers[i].cells;
    answers[i] = smooth_quantile(task.queries[i].at, digits, [&](const Rational& at) {
      Task asked = task;
      asked.queries = {task.queries[i]};
      asked.queries[0].kind = Query::Kind::cdf;
      asked.queries[0].at = at;
      return solve(asked, enumerator, integrator, options).answers.at(0);
    });
    answers[i].cells = cells;
  }
}

/// A law, and a quantile of one, has no bounds before all cells are added.
bool needs_all(const Task& task) {
  return std::any_of(task.queries.begin(), task.queries.end(), [](const Query& query) {
    return query.kind == Query::Kind::distribution || query.kind == Query::Kind::quantile;
  });
}

bool within_gap(const std::vector<Answer>& answers) {
  return std::any_of(answers.begin(), answers.end(),
                     [](const Answer& answer) { return answer.within_gap; });
}

}  // namespace

void ProgressObserver::started(const AnswerAccumulator&) {}
void ProgressObserver::added(std::size_t) {}
void ProgressObserver::proved(double) {}
void ProgressObserver::ended() {}

Solution solve(const Task& task, const Enumerator& enumerator, const Integrator& integrator,
               const SolveOptions& options) {
  const unsigned threads = options.threads;
  const std::stop_token& stop = options.stop;
  ProgressObserver silent;
  ProgressObserver& observer = options.observer != nullptr ? *options.observer : silent;
  Task sliced = apply_observations(task);
  const bool smooth = has_smooth_weights(sliced.problem);
  if (smooth) refuse_laws(sliced);
  Plan plan = make_plan(sliced);
  for (Goal& goal : plan.goals) goal.encloses = options.significant_digits.has_value();
  AnswerAccumulator answers(sliced, plan, threads);
  observer.started(answers);
  const std::unique_ptr<ProgressObserver, void (*)(ProgressObserver*)> ending(
      &observer, [](ProgressObserver* started) { started->ended(); });

  const Problem& problem = sliced.problem;
  const Evaluation evaluation(integrator, enumerate_parts(enumerator, stop), options.smooth_digits);
  const Pass pass(problem, evaluation, observer, answers);
  std::vector<Answer> texts(task.queries.size());
  Solution solution;
  try {
    texts = satisfiability_answers(sliced, stop);
    AnsweredGoals separated =
        answer_by_messages(problem, plan.goals, enumerator, stop, options.significant_digits);
    solution.messages = separated.counts;
    const bool searches = !separated.others.empty();
    for (MessagePassing::Result& result : separated.results)
      answers.keep(std::move(result.cell), std::move(result.found));
    if (!separated.results.empty()) observer.added(answers.cells());
    const bool step_by_step =
        searches && (options.gap ||
                     (options.may_be_stopped && enumerator.in_doubles(problem, separated.others)));
    if (step_by_step && !needs_all(task) && answers.non_negative()) {
      const std::unique_ptr<Integrator> exact = make_auto({});
      LeaveOpen leave_open{{},
                           [&](const ProductRegion& region) { return most_volume(region, *exact); },
                           [](const EnclosedPolytope& region) { return most_volume(region); }};
      solution.answers = narrowed(
          options.gap, options.digits, answers, [&](const std::optional<Threshold>& threshold) {
            pass(
                [&] {
                  if (!threshold || threshold->least == Rational(0))
                    return enumerator.start(problem, separated.others, stop);
                  leave_open.least = threshold->least;
                  return enumerator.start_above(leave_open, problem, separated.others, stop);
                },
                threads);
          });
    } else {
      if (searches)
        pass([&] { return enumerator.start(problem, separated.others, stop); }, threads);
      solution.answers = answers.finish(options.digits);
    }
    if (smooth) answer_quantiles(task, enumerator, integrator, options, solution.answers);
    if (!plan.goals.empty() && answers.cells() == 0 && !answers.all_refused() &&
        !within_gap(solution.answers))
      if (auto warning = explain_flatness(problem, enumerator, stop))
        solution.warnings.push_back(std::move(*warning));
  } catch (const Stopped&) {
    if (solution.answers.empty()) solution.answers = answers.bounds();
  }
  for (Answer& answer : solution.answers) answer.assumptions = task.assumptions;
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (!texts[i].text.empty()) solution.answers[i] = texts[i];
  return solution;
}

}  // namespace wmi
