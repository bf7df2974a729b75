#include "solver/enumerators/coordinates.h"

namespace wmi {

Coordinates::Coordinates(const Problem& problem) : numbers_(problem.integrated.size()) {
  for (Variable variable = 0; variable < problem.integrated.size(); ++variable) {
    if (!problem.integrated[variable]) continue;
    numbers_[variable] = static_cast<Variable>(variables_.size());
    variables_.push_back(variable);
  }
}

Polynomial Coordinates::from_reals(const Polynomial& polynomial) const {
  if (variables_.size() == numbers_.size()) return polynomial;
  return polynomial.substitute([&](Variable variable) {  // beyond the declared reals are functions
    return Polynomial::variable(variable < numbers_.size() ? numbers_[variable] : variable);
  });
}

LinearForm Coordinates::from_reals(LinearForm form) const {
  for (auto& [variable, coefficient] : form.coefficients) variable = numbers_[variable];
  return form;
}

LinearForm Coordinates::to_reals(LinearForm form) const {
  for (auto& [coordinate, coefficient] : form.coefficients) coordinate = variables_[coordinate];
  return form;
}

}  // namespace wmi
