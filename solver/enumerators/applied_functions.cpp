#include "solver/enumerators/applied_functions.h"

#include <set>

namespace wmi {

std::vector<AppliedFunction> applied_functions(
    const Problem& problem, const Branch& branch, std::span<const Polynomial> integrands,
    const std::function<Polynomial(const Polynomial&)>& to_coordinates) {
  std::vector<AppliedFunction> result;
  const Terms& terms = problem.terms;
  if (!terms.smooth()) return result;
  std::set<Variable> needed;
  std::vector<Variable> open;
  const auto need = [&](const Polynomial& polynomial) {
    for (const Variable variable : polynomial.variables())
      if (variable >= problem.integrated.size() && needed.insert(variable).second)
        open.push_back(variable);
  };
  for (const Polynomial& integrand : integrands) need(integrand);
  while (!open.empty()) {
    const Variable variable = open.back();
    open.pop_back();
    need(*branch.argument(variable));
  }
  // A function has a larger number than those in its argument.
  for (const Variable variable : needed)
    result.push_back({variable,
                      terms.definition(terms.node(terms.defining_node(variable)).index).function,
                      to_coordinates(*branch.argument(variable))});
  return result;
}

}  // namespace wmi
