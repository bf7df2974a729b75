#include "solver/solve.h"

#include "solver/answers.h"
#include "solver/error.h"
#include "solver/flatness.h"
#include "solver/smt.h"
#include "solver/substitution.h"

namespace wmi {
namespace {

/// `region is unbounded in direction (0, 1); bound 'y' above`
Error explain(const Unbounded& unbounded, const Task& task) {
  std::string help;
  Variable coordinate = 0;
  for (Variable variable = 0; variable < task.problem.integrated.size(); ++variable) {
    if (!task.problem.integrated[variable]) continue;
    const int sign =
        coordinate < unbounded.direction().size() ? sgn(unbounded.direction()[coordinate]) : 0;
    if (sign != 0 && help.empty())
      help = "; bound '" + task.problem.terms.real_name(variable) + "' " +
             (sign > 0 ? "above" : "below");
    ++coordinate;
  }
  return Error(unbounded.what() + help, task.queries.empty() ? Location{} : task.queries[0].where);
}

/// The queries that are not answered by a number.
void answer_in_words(const Task& task, std::vector<Answer>& answers, const std::stop_token& stop) {
  std::optional<bool> satisfiable;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (task.queries[i].kind == Query::Kind::echo) {
      answers[i].text = task.queries[i].text;
      answers[i].complete = true;
    } else if (task.queries[i].kind == Query::Kind::satisfiable && answers[i].complete) {
      if (!satisfiable) {
        Smt smt(task.problem.terms, stop);
        for (const Formula assertion : task.problem.assertions) smt.add(assertion);
        satisfiable = smt.check().has_value();
      }
      answers[i].text = *satisfiable ? "sat" : "unsat";
    }
  }
}

}  // namespace

void Watch::started(const Answers&) {}
void Watch::added(std::size_t) {}
void Watch::ended() {}

Solution solve(const Task& task, const Enumerator& enumerator, const Integrator& integrator,
               std::stop_token stop, Watch* watch) {
  Watch quiet;
  Watch& watcher = watch != nullptr ? *watch : quiet;
  Task sliced = observed(task);
  const Plan plan = make_plan(sliced);
  Answers answers(sliced, plan);
  Solution solution;
  watcher.started(answers);
  try {
    if (!plan.goals.empty()) {
      const auto cells = enumerator.start(sliced.problem, plan.goals, stop);
      while (const std::optional<Cell> cell = cells->next()) {
        answers.add(*cell, integrator.integrate(cell->integrands, cell->region()));
        watcher.added(answers.cells());
      }
      if (answers.cells() == 0)
        if (auto warning = explain_flatness(sliced.problem, enumerator, stop))
          solution.warnings.push_back(std::move(*warning));
    }
    solution.answers = answers.finish();
    answer_in_words(sliced, solution.answers, stop);
  } catch (const Stopped&) {
    solution.answers = answers.bounds();
    answer_in_words(sliced, solution.answers, {});
  } catch (const Unbounded& unbounded) {
    watcher.ended();
    throw explain(unbounded, sliced);
  } catch (const Error& error) {
    watcher.ended();
    throw error.where().line != 0 || sliced.queries.empty()
        ? error
        : Error(error.what(), sliced.queries[0].where);
  } catch (...) {
    watcher.ended();
    throw;
  }
  watcher.ended();
  return solution;
}

}  // namespace wmi
