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

}  // namespace

Verification conclude(const VerificationProblem& problem, const Task& task,
                      const CounterexampleSearch& search, const Enumerator& enumerator,
                      const SolveTask& solve, std::optional<Solution> known,
                      const std::optional<Point>& largest_known) {
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
    result.witness = find_witness(problem, *point);
  if (!result.witness) result.witness = search.witness;
  if (!result.witness) result.no_witness = "none of the points tried was confirmed";
  return result;
}

}  // namespace wmi::frontends
