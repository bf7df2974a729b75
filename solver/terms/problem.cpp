#include "solver/terms/problem.h"

namespace wmi {

bool has_smooth_weights(const Problem& problem) {
  return problem.terms.smooth() && std::ranges::any_of(problem.weights, [&](const Weight& weight) {
           return problem.terms.function_in(weight.value) != Function::none;
         });
}

std::vector<Formula> conjuncts(const Problem& problem) {
  std::vector<Formula> result, open(problem.assertions.rbegin(), problem.assertions.rend());
  std::vector<bool> seen(2 * problem.terms.size());  // by formula, sign included
  while (!open.empty()) {
    const Formula formula = open.back();
    open.pop_back();
    const std::size_t index = 2 * formula.node() + formula.negated();
    if (seen[index]) continue;
    seen[index] = true;
    const Node& node = problem.terms.node(formula.node());
    if (node.kind == Kind::conjunction && !formula.negated())
      open.insert(open.end(), node.children.rbegin(), node.children.rend());
    else
      result.push_back(formula);
  }
  return result;
}

}  // namespace wmi
