#include "solver/enumerators/derived.h"

#include <algorithm>

namespace wmi {

Polynomial Elimination::operator()(const Polynomial& polynomial) const {
  const std::vector<Variable> variables = polynomial.variables();
  if (std::none_of(variables.begin(), variables.end(),
                   [&](Variable variable) { return values[variable].has_value(); }))
    return polynomial;
  return polynomial.substitute([&](Variable variable) {
    return values[variable] ? *values[variable] : Polynomial::variable(variable);
  });
}

Elimination eliminate(const Problem& problem, std::span<const LinearForm> equations) {
  Elimination result;
  result.values.resize(problem.integrated.size());
  for (const LinearForm& equation : equations) {
    const LinearForm rest(result(equation.polynomial()));
    const auto pivot =
        std::find_if(rest.coefficients.begin(), rest.coefficients.end(),
                     [&](const auto& entry) { return !problem.integrated[entry.first]; });
    if (pivot == rest.coefficients.end()) {  // nothing derived is left in it
      if (!rest.is_constant() || rest.constant != 0) result.flat = true;
      continue;
    }
    const auto& [variable, coefficient] = *pivot;
    Polynomial solved = rest.polynomial() - coefficient * Polynomial::variable(variable);
    solved *= -1 / coefficient;
    for (std::optional<Polynomial>& value : result.values)
      if (value)
        *value = value->substitute([&](Variable other) {
          return other == variable ? solved : Polynomial::variable(other);
        });
    result.values[variable] = std::move(solved);
  }
  for (Variable variable = 0; variable < problem.integrated.size(); ++variable) {
    if (problem.integrated[variable] || result.undetermined) continue;
    if (!result.values[variable]) {
      result.undetermined = variable;
      continue;
    }
    for (const Variable other : result.values[variable]->variables())
      if (!problem.integrated[other]) result.undetermined = variable;
  }
  return result;
}

}  // namespace wmi
