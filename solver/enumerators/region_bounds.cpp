#include "solver/enumerators/region_bounds.h"

#include <algorithm>
#include <numeric>

#include "solver/numeric/function_range.h"

namespace wmi {

Interval signed_product_bounds(const Interval& a, const Interval& b) {
  const Rational up = std::max(a.upper, Rational(0)), down = std::max<Rational>(-a.lower, 0),
                 high = std::max(b.upper, Rational(0)), low = std::max<Rational>(-b.lower, 0);
  return {-(up * low + down * high), up * high + down * low};
}

std::optional<Interval> RegionBounds::of_form(const LinearForm& form) const {
  if (!to_coordinates_) return region_.range(form);
  const std::optional<LinearForm> own = to_coordinates_(form);
  return own ? region_.range(*own) : std::nullopt;
}

/// Of a declared real, or of a defined one whose parts are known already.
std::optional<Interval> RegionBounds::of_variable(Variable variable) {
  if (const auto found = known_.find(variable); found != known_.end()) return found->second;
  const Terms& terms = problem_.terms;
  std::optional<Interval> result;
  const std::uint32_t node = terms.defining_node(variable);
  const Polynomial* const value = node == 0 ? nullptr : branch_.value(variable);
  const Function function =
      node == 0 ? Function::none : terms.definition(terms.node(node).index).function;
  if (node == 0) {
    result = of_form(LinearForm(Polynomial::variable(variable)));
  } else if (function != Function::none) {
    const std::optional<Interval> argument =
        of_terms(terms.definition(terms.node(node).index).then);
    if (argument) result = wmi::range(function, *argument);
    if (!result) result = everywhere(function);
  } else if (value != nullptr && value->degree() <= 1 && !has_functions(*value)) {
    result = of_form(LinearForm(*value));
  } else {
    const Definition& definition = terms.definition(terms.node(node).index);
    const Truth condition = branch_.truth(definition.condition);
    const std::optional<Interval> then =
        condition == Truth::no ? std::nullopt : of_terms(definition.then);
    const std::optional<Interval> otherwise =
        condition == Truth::yes ? std::nullopt : of_terms(definition.otherwise);
    if (condition != Truth::unknown)
      result = condition == Truth::yes ? then : otherwise;
    else if (then && otherwise)
      result = hull(*then, *otherwise);
  }
  known_.emplace(variable, result);
  return result;
}

bool RegionBounds::has_functions(const Polynomial& value) const {
  return (problem_.terms.smooth() || branch_.names_products()) &&
         std::ranges::any_of(value.variables(), [&](Variable variable) {
           return variable >= problem_.integrated.size();
         });
}

std::optional<Interval> RegionBounds::of_terms(const Polynomial& polynomial) {
  const bool affine = polynomial.degree() <= 1;
  const std::vector<Variable> variables = polynomial.variables();
  if (affine && std::all_of(variables.begin(), variables.end(), [&](Variable variable) {
        const Polynomial* const value = branch_.value(variable);
        return problem_.terms.defining_node(variable) == 0 ||
               (value != nullptr && value->degree() <= 1 && !has_functions(*value));
      }))
    return of_form(LinearForm(branch_.resolved(polynomial)));
  Interval result;
  for (const Polynomial::Term& term : polynomial.terms()) {
    Interval product(term.coefficient);
    for (const Power& factor : term.monomial) {
      const std::optional<Interval> base = of_variable(factor.variable);
      if (!base) return std::nullopt;
      product = product * power(*base, factor.exponent);
    }
    result += product;
  }
  return result;
}

/// Definitions first, children before parents: no recursion on the input.
std::optional<Interval> RegionBounds::range(const Polynomial& polynomial) {
  const Terms& terms = problem_.terms;
  const std::vector<Variable> variables = polynomial.variables();
  if (std::any_of(variables.begin(), variables.end(), [&](Variable variable) {
        return terms.defining_node(variable) != 0 && !known_.contains(variable);
      }))
    for (const std::uint32_t node : terms.below({}, std::span(&polynomial, 1)))
      if (terms.node(node).kind == Kind::definition)
        of_variable(terms.definition(terms.node(node).index).variable);
  return of_terms(polynomial);
}

/// The sum over the undecided Booleans. A weight whose condition is one of them counts for one of its
/// values only.
std::optional<Interval> RegionBounds::weight(std::span<const std::uint32_t> weights,
                                             std::span<const std::uint32_t> booleans,
                                             bool positive) {
  const Terms& terms = problem_.terms;
  struct Factors {
    Interval if_true{0, 1}, if_false{0, 1};
  };
  std::map<std::uint32_t, Factors> of_booleans;  // by node
  Interval result(0, 1);
  for (const std::uint32_t number : weights) {
    const Weight& weight = problem_.weights[number];
    const Truth condition = branch_.truth(weight.condition);
    if (condition == Truth::no) continue;
    std::optional<Interval> value = range(weight.value);
    if (!value) return std::nullopt;
    if (positive) value->lower = std::max(value->lower, Rational(0));
    if (positive) value->upper = std::max(value->upper, Rational(0));
    if (condition == Truth::yes) {
      result = signed_product_bounds(result, *value);
    } else if (terms.node(weight.condition.node()).kind == Kind::boolean) {
      Factors& factors = of_booleans[weight.condition.node()];
      Interval& factor = weight.condition.negated() ? factors.if_false : factors.if_true;
      factor = signed_product_bounds(factor, *value);
    } else {
      result = signed_product_bounds(result, hull(*value, Interval(Rational(1))));
    }
  }
  for (const auto& [node, factors] : of_booleans)
    result = signed_product_bounds(result, factors.if_true + factors.if_false);
  const auto open = std::count_if(booleans.begin(), booleans.end(), [&](std::uint32_t node) {
    return branch_.truth(Formula(node, false)) == Truth::unknown;
  });
  const std::size_t free = static_cast<std::size_t>(open) - of_booleans.size();
  for (Rational* const end : {&result.lower, &result.upper})
    mpq_mul_2exp(end->get_mpq_t(), end->get_mpq_t(), free);
  return result;
}

std::optional<Rational> RegionBounds::most_weight() {
  std::vector<std::uint32_t> weights(problem_.weights.size()), booleans;
  std::iota(weights.begin(), weights.end(), std::uint32_t{0});
  for (std::uint32_t i = 0; i < problem_.terms.boolean_count(); ++i)
    booleans.push_back(problem_.terms.boolean(i).node());
  const std::optional<Interval> range = weight(weights, booleans, true);
  return range ? std::optional(range->upper) : std::nullopt;
}

}  // namespace wmi
