#include "solver/solve.h"

#include "solver/answers.h"
#include "solver/crew.h"
#include "solver/error.h"
#include "solver/evaluation.h"
#include "solver/flatness.h"
#include "solver/smt.h"
#include "solver/substitution.h"

namespace wmi {
namespace {

/// `region is unbounded in direction (0, 1); bound 'y' above`
std::string explain(const Unbounded& unbounded, const Cell& cell, const Terms& terms) {
  std::size_t i = 0;
  while (unbounded.direction()[i] == 0) ++i;
  return std::string(unbounded.what()) + "; bound '" + terms.real_name(cell.variables[i]) + "' " +
         (unbounded.direction()[i] > 0 ? "above" : "below");
}

/// The queries that are not answered by a number.
void answer_in_words(const Task& task, std::vector<Answer>& answers, const std::stop_token& stop) {
  std::optional<bool> satisfiable;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (task.queries[i].kind == Query::Kind::echo) {
      answers[i].text = task.queries[i].text;
    } else if (task.queries[i].kind == Query::Kind::satisfiable) {
      if (!satisfiable) {
        Smt smt(task.problem.terms, stop);
        for (const Formula assertion : task.problem.assertions) smt.add(assertion);
        satisfiable = smt.check().has_value();
      }
      answers[i].text = *satisfiable ? "sat" : "unsat";
    }
    answers[i].complete = !answers[i].text.empty();
  }
}

/// Integrates the cells one by one. What is wrong with the problem is the answer to its queries.
void add_cells(const Problem& problem, const Plan& plan, const Enumerator& enumerator,
               const Evaluation& evaluation, const std::stop_token& stop, Watch& watch,
               Answers& answers) {
  try {
    const auto cells = enumerator.start(problem, plan.goals, stop);
    while (const std::optional<Cell> cell = cells->next()) {
      try {
        answers.add(*cell, evaluation(*cell));
        watch.added(answers.cells());
      } catch (const Unbounded& unbounded) {
        answers.refuse(*cell, explain(unbounded, *cell, problem.terms));
        if (answers.hopeless()) return;
      }
    }
  } catch (const Error& error) {
    answers.refuse(error.what());
  }
}

/// The same with several threads. False when anything is wrong with the problem: in which cell that
/// is seen first depends on the threads, and what is said of it should not.
bool add_cells_together(const Problem& problem, const Plan& plan, const Enumerator& enumerator,
                        const Evaluation& evaluation, const std::stop_token& stop, Watch& watch,
                        Answers& answers, unsigned threads) {
  try {
    share(enumerator.start(problem, plan.goals, stop), threads,
          [&](const Cell& cell, unsigned thread) {
            answers.add(cell, evaluation(cell), thread);
            watch.added(answers.cells());
          });
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

void Watch::started(const Answers&) {}
void Watch::added(std::size_t) {}
void Watch::ended() {}

Solution solve(const Task& task, const Enumerator& enumerator, const Integrator& integrator,
               std::stop_token stop, Watch* watch, unsigned threads, unsigned digits) {
  Watch quiet;
  Watch& watcher = watch != nullptr ? *watch : quiet;
  Task sliced = observed(task);
  const Plan plan = make_plan(sliced);
  Answers answers(sliced, plan, threads);
  watcher.started(answers);
  const std::unique_ptr<Watch, void (*)(Watch*)> ending(&watcher, [](Watch* w) { w->ended(); });

  const Evaluation evaluation(enumerator, integrator, stop);
  std::vector<Answer> words(task.queries.size());
  Solution solution;
  try {
    answer_in_words(sliced, words, stop);
    if (!plan.goals.empty() &&
        (threads == 1 || !add_cells_together(sliced.problem, plan, enumerator, evaluation, stop,
                                             watcher, answers, threads))) {
      answers.clear();
      add_cells(sliced.problem, plan, enumerator, evaluation, stop, watcher, answers);
    }
    solution.answers = answers.finish(digits);
    if (!plan.goals.empty() && answers.cells() == 0 && !answers.hopeless())
      if (auto warning = explain_flatness(sliced.problem, enumerator, stop))
        solution.warnings.push_back(std::move(*warning));
  } catch (const Stopped&) {
    if (solution.answers.empty()) solution.answers = answers.bounds();
  }
  for (Answer& answer : solution.answers) answer.exact_with_respect_to = task.assumptions;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i].complete && !words[i].text.empty()) solution.answers[i] = words[i];
  return solution;
}

}  // namespace wmi
