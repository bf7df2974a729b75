// The formula is asserted for two copies of the derived reals over the same integrated reals: a cell
// with volume on which the copies differ is a region with two values.

#include "solver/enumerators/single_valued.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "solver/enumerators/z3_search.h"
#include "solver/terms/error.h"
#include "solver/terms/substitution.h"

namespace wmi {

void check_single_valued(const Problem& problem, const std::stop_token& stop) {
  const Terms& terms = problem.terms;
  Problem twice;
  Substitution first(terms, twice.terms), second(terms, twice.terms);
  std::vector<std::pair<Variable, Variable>> copies;
  for (Variable variable = 0; variable < problem.integrated.size(); ++variable) {
    const Variable original = twice.terms.declare_real(terms.real_name(variable));
    first.set_real(variable, Polynomial::variable(original));
    second.set_real(variable, Polynomial::variable(original));
    twice.integrated.push_back(problem.integrated[variable]);
  }
  for (Variable variable = 0; variable < problem.integrated.size(); ++variable) {
    if (problem.integrated[variable]) continue;
    const Variable copy = twice.terms.declare_real(terms.real_name(variable));
    second.set_real(variable, Polynomial::variable(copy));
    twice.integrated.push_back(false);
    copies.emplace_back(variable, copy);
  }
  for (std::uint32_t boolean = 0; boolean < terms.boolean_count(); ++boolean) {
    const Formula same = twice.terms.declare_boolean(terms.boolean_name(boolean));
    first.set_boolean(boolean, same);
    second.set_boolean(boolean, same);
  }
  std::vector<Formula> differ;
  differ.reserve(copies.size());
  for (const auto& [original, copy] : copies)
    differ.push_back(
        !twice.terms.equal(Polynomial::variable(original), Polynomial::variable(copy)));
  twice.assertions.push_back(twice.terms.any(differ));
  for (const Formula assertion : problem.assertions) {
    twice.assertions.push_back(first(assertion));
    twice.assertions.push_back(second(assertion));
  }

  const Goal volume{truth, {{Polynomial(1), 0}}, {}};
  Z3Search search(twice, std::span(&volume, 1), stop, Undetermined::skip);
  while (const std::optional<Cell> cell = search.next()) {
    if (std::holds_alternative<OpenCell>(cell->kind)) continue;
    try {
      if (make_region(cell->variables.size(), std::get<PlainCell>(cell->kind).bounds).flat)
        continue;
    } catch (const Unbounded&) {  // has volume
    }
    const std::vector<Rational>& point = search.at_leaf().reals;
    for (const auto& [original, copy] : copies) {
      if (point[original] == point[copy]) continue;
      std::string where;
      for (Variable variable = 0; variable < problem.integrated.size(); ++variable)
        if (problem.integrated[variable])
          where += (where.empty() ? "" : ", ") + terms.real_name(variable) + " = " +
                   to_string(point[variable]);
      for (std::uint32_t boolean = 0; boolean < terms.boolean_count(); ++boolean)
        where += (where.empty() ? "" : ", ") +
                 std::string(search.at_leaf().booleans[boolean] ? "" : "not ") +
                 terms.boolean_name(boolean);
      throw Error("'" + terms.real_name(original) + "' has two values where " + where + ": " +
                  to_string(point[original]) + " and " + to_string(point[copy]) +
                  "; a real that is not integrated must be a function of the others");
    }
  }
}

}  // namespace wmi
