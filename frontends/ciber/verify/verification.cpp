#include "frontends/ciber/verify/verification.h"

#include <iterator>
#include <utility>

#include "frontends/ciber/verify/largest_cell.h"
#include "frontends/ciber/verify/observed_enumerator.h"
#include "solver/answers/bounded_query.h"
#include "solver/enumerators/goal.h"

namespace wmi::frontends {
namespace {

/// The question whether the input region has any mass at all.
Task region_task(Task task) {
  Query query;
  query.kind = Query::Kind::wmi;
  query.event = task.queries[0].given;
  task.queries = {query};
  return task;
}

/// The solution of a task whose property has probability 0, unless the input region has none either.
Solution excluded(const Task& task, const Enumerator& enumerator, const SolveTask& solve) {
  const Solution mass = solve(region_task(task), enumerator);
  Solution result;
  for (std::size_t i = 0; i < task.queries.size(); ++i) {
    Answer answer = mass.answers[0];
    if (answer.value && answer.value->exact() && answer.value->lower == 0) {
      answer.value.reset();
      answer.undefined = "the input region has probability 0";
    } else if (lower_bound(answer) && *lower_bound(answer) > 0) {
      answer = zero_probability({});
    }
    result.answers.push_back(std::move(answer));
  }
  return result;
}

/// Whether the property holds on all of the input region, up to points without volume: the search for
/// others ends without a cell. It is given up where that would take long.
bool holds_everywhere(Task task, const Enumerator& enumerator, const std::stop_token& stop) {
  constexpr int most_long_searches = 200;  // which an open cell ends
  Query others;
  others.kind = Query::Kind::wmi;
  others.event = task.problem.terms.both(task.queries[0].given, !task.queries[0].event);
  task.queries = {others};
  task.problem.weights.clear();
  const Plan plan = make_plan(task);
  const std::unique_ptr<Cells> cells = enumerator.start(task.problem, plan.goals, stop);
  int long_searches = 0;
  try {
    while (const std::optional<Cell> cell = cells->next()) {
      if (std::holds_alternative<OpenCell>(cell->kind) && ++long_searches == most_long_searches)
        return false;
      if (adds_to(*cell, *plan.parts[0].first) && interior_point(*cell)) return false;
    }
  } catch (const Stopped&) {
    return false;
  }
  return true;
}

/// Under laws whose integrals are enclosures, a probability of 1 is shown without them.
std::optional<Answer> certainty(const VerificationProblem& problem, const Task& task,
                                const Enumerator& enumerator, const std::stop_token& stop) {
  if (!task.problem.terms.smooth() || problem.regions.size() > 1 || has_shape(problem) ||
      !problem.inputs.bounded || !holds_everywhere(task, enumerator, stop))
    return std::nullopt;
  Answer result;
  result.value = Interval(Rational(1));
  return result;
}

}  // namespace

Verification conclude(const VerificationProblem& problem, const Task& task,
                      const CounterexampleSearch& search, const Enumerator& enumerator,
                      const SolveTask& solve, std::optional<Solution> known,
                      const std::optional<Point>& largest_known, const std::stop_token& stop) {
  const bool nothing = search.outcome == CounterexampleSearch::Outcome::none;
  Verification result;
  result.no_counterexample = excludes_all(problem, search);
  if (nothing && !known && !has_shape(problem)) {
    result.probability = zero_probability(task.assumptions);
    if (problem.regions.size() > 1)
      result.regions.assign(problem.regions.size(), result.probability);
    return result;
  }
  Task planned = task;
  LargestCell largest(*make_plan(planned).parts[0].first);
  const ObservedEnumerator observed(enumerator, task.problem.integrated.size(),
                                    [&](const Cell& cell) { largest.add(cell); });
  if (!known && !nothing)
    if (std::optional<Answer> answer = certainty(problem, task, enumerator, stop))
      known = Solution{std::vector(task.queries.size(), *std::move(answer)), {}};
  if (!known) known = nothing ? excluded(task, enumerator, solve) : solve(task, observed);
  std::vector<Answer> answers = enclosed(task, std::move(known->answers));
  for (Answer& answer : answers) answer.assumptions = task.assumptions;
  result.probability = std::move(answers[0]);
  result.regions.assign(std::make_move_iterator(answers.begin() + 1),
                        std::make_move_iterator(answers.end()));
  if (has_masks(problem.network)) {
    result.no_witness = "the masks of dropout are not searched for one";
    return result;
  }
  if (const std::optional<Point> point = largest_known ? largest_known : largest.point())
    result.witness = find_witness(problem, point_in_box(problem.inputs, *point));
  if (!result.witness) result.witness = search.witness;
  if (!result.witness) result.no_witness = "none of the points tried was confirmed";
  return result;
}

}  // namespace wmi::frontends
