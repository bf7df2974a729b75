#include "solver/answers/satisfiability.h"

#include <optional>

#include "solver/enumerators/smt.h"

namespace wmi {

std::vector<Answer> satisfiability_answers(const Task& task, const std::stop_token& stop) {
  std::vector<Answer> answers(task.queries.size());
  std::optional<bool> satisfiable;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (task.queries[i].kind != Query::Kind::satisfiable) continue;
    if (!satisfiable) {
      Smt smt(task.problem.terms, stop);
      for (const Formula assertion : task.problem.assertions) smt.add(assertion);
      satisfiable = smt.check().has_value();
    }
    answers[i].text = *satisfiable ? "sat" : "unsat";
  }
  return answers;
}

}  // namespace wmi
