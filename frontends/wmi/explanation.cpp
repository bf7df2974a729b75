#include "frontends/wmi/explanation.h"

#include <algorithm>
#include <map>
#include <utility>

#include "frontends/formats/smtlib_writer.h"
#include "solver/terms/substitution.h"

namespace wmi::frontends {

NamedExplanation explain(const Task& task, const Enumerator& enumerator,
                         const Integrator& integrator, const std::stop_token& stop) {
  const bool as_is = task.problem.observations.empty();
  const Task plain = as_is ? task : apply_observations(task);  // which numbers its variables anew
  const std::map<Variable, UnitName> given_names =
      as_is ? task.names : std::map<Variable, UnitName>();
  const Terms& terms = plain.problem.terms;
  std::vector<Formula> formulas;
  std::vector<Polynomial> polynomials;
  for (const Query& query : plain.queries) {
    formulas.insert(formulas.end(), {query.event, query.given});
    polynomials.push_back(query.term);
  }
  std::vector<Variable> defined;
  for (const std::uint32_t node : terms.below(formulas, polynomials))
    if (terms.node(node).kind == Kind::definition) {
      const Variable variable = terms.definition(terms.node(node).index).variable;
      if (given_names.empty() || given_names.contains(variable)) defined.push_back(variable);
    }
  std::sort(defined.begin(), defined.end());
  Explanation found = wmi::explain(plain.problem, defined, enumerator, integrator, stop);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < found.definitions.size(); ++i) {
    const Variable variable = found.definitions[i];
    const Definition& definition =
        terms.definition(terms.node(terms.defining_node(variable)).index);
    const auto given = given_names.find(variable);
    names.push_back(given != given_names.end() ? given->second.text
                                               : formula_text(terms, definition.condition));
    if (given != given_names.end() && given->second.reversed)
      for (Pattern& pattern : found.patterns) pattern.holds[i] = !pattern.holds[i];
  }
  return {std::move(found), std::move(names)};
}

}  // namespace wmi::frontends
