#include "solver/enumerators/filtered/factored_weights.h"

#include <algorithm>
#include <span>
#include <utility>

#include "solver/smooth/smooth_integrand.h"

namespace wmi {
namespace {

/// The functions in a term, arguments first; nullopt if it depends on a choice.
std::optional<std::vector<AppliedFunction>> functions_in(const Terms& terms,
                                                         const Polynomial& term) {
  std::vector<AppliedFunction> result;
  for (const std::uint32_t number : terms.below({}, std::span(&term, 1))) {
    const Node& node = terms.node(number);
    if (node.kind == Kind::constant) continue;
    if (node.kind != Kind::definition) return std::nullopt;
    const Definition& definition = terms.definition(node.index);
    if (definition.function == Function::none) return std::nullopt;
    result.push_back({definition.variable, definition.function, definition.then});
  }
  return result;
}

}  // namespace

std::optional<FactoredWeights> FactoredWeights::of(const Problem& problem) {
  FactoredWeights result;
  if (!problem.terms.smooth()) {
    result.polynomials = problem.weights;
    return result;
  }
  Polynomial smooth(1);
  for (const Weight& weight : problem.weights) {
    if (problem.terms.function_in(weight.value) == Function::none)
      result.polynomials.push_back(weight);
    else if (weight.condition != truth)
      return std::nullopt;
    else
      smooth = smooth * weight.value;
  }
  if (smooth == Polynomial(1)) return result;
  const auto functions = functions_in(problem.terms, smooth);
  if (!functions) return std::nullopt;
  const std::vector<SmoothIntegrand> products =
      smooth_products(smooth, *functions, problem.integrated.size());
  if (products.size() != 1) return std::nullopt;
  result.density = ExponentialDensity::of(products[0]);
  if (!result.density) return std::nullopt;
  if (products[0].factor != Polynomial(1))
    result.polynomials.push_back({truth, products[0].factor});
  return result;
}

}  // namespace wmi
