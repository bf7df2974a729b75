#include "solver/enumerators/derived.h"

#include <algorithm>

namespace wmi {

Polynomial Elimination::operator()(const Polynomial& polynomial) const {
  const std::vector<Variable> variables = polynomial.variables();
  const auto has_value = [&](Variable variable) {  // beyond the declared reals are functions
    return variable < values.size() && values[variable].has_value();
  };
  if (std::none_of(variables.begin(), variables.end(), has_value)) return polynomial;
  return polynomial.substitute([&](Variable variable) {
    return has_value(variable) ? *values[variable] : Polynomial::variable(variable);
  });
}

LinearForm Elimination::operator()(const LinearForm& form) const {
  return LinearForm((*this)(form.polynomial()));
}

bool Elimination::solve(const Problem& problem, const LinearForm& form) {
  const auto pivot =
      std::find_if(form.coefficients.begin(), form.coefficients.end(),
                   [&](const auto& entry) { return !problem.integrated[entry.first]; });
  if (pivot == form.coefficients.end()) return false;
  const Variable variable = pivot->first;
  Polynomial solved = form.polynomial() - pivot->second * Polynomial::variable(variable);
  solved *= -1 / pivot->second;
  const auto has_it = [&](const Polynomial& value) {
    return LinearForm(value).coefficient(variable) != 0;
  };
  for (std::optional<Polynomial>& value : values)
    if (value && has_it(*value))
      *value = value->substitute(
          [&](Variable other) { return other == variable ? solved : Polynomial::variable(other); });
  values[variable] = std::move(solved);
  return true;
}

Elimination eliminate(const Problem& problem, std::span<const LinearForm> equations) {
  Elimination result;
  result.values.resize(problem.integrated.size());
  for (const LinearForm& equation : equations) {
    const LinearForm rest = result(equation);
    if (result.solve(problem, rest)) continue;
    if (!rest.is_constant() || rest.constant != 0) result.flat = true;
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
