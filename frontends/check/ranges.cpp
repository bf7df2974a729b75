#include "frontends/check/ranges.h"

#include <span>

namespace wmi::check {

/// Choices first, those that others are made of before these: no recursion on the input.
Interval Ranges::of(const Polynomial& polynomial) {
  for (const std::uint32_t node : terms_.below({}, std::span(&polynomial, 1))) {
    if (terms_.node(node).kind != Kind::definition) continue;
    const Definition& definition = terms_.definition(terms_.node(node).index);
    if (!choices_.contains(definition.variable))
      choices_.emplace(definition.variable, of_choice(definition));
  }
  const std::optional<Interval> result = of_terms(polynomial);
  if (!result) throw Rejected("a term has reals that are not bounded where a place is left open");
  return *result;
}

std::optional<Interval> Ranges::of_choice(const Definition& definition) const {
  if (const Polynomial whole = Polynomial::variable(definition.variable);
      path_.known(whole) && path_.value(whole).degree() <= 1)
    return cell_.range(LinearForm(path_.value(whole)));
  const Truth condition = path_.truth(definition.condition);
  if (condition == Truth::yes) return of_terms(definition.then);
  if (condition == Truth::no) return of_terms(definition.otherwise);
  const std::optional<Interval> then = of_terms(definition.then),
                                otherwise = of_terms(definition.otherwise);
  return then && otherwise ? std::optional(hull(*then, *otherwise)) : std::nullopt;
}

/// Of one whose choices have theirs.
std::optional<Interval> Ranges::of_terms(const Polynomial& polynomial) const {
  if (path_.known(polynomial))
    if (const Polynomial value = path_.value(polynomial); value.degree() <= 1)
      return cell_.range(LinearForm(value));
  Interval result;
  for (const Polynomial::Term& term : polynomial.terms()) {
    Interval product(term.coefficient);
    for (const Power& factor : term.monomial) {
      const auto choice = choices_.find(factor.variable);
      const std::optional<Interval> base =
          choice != choices_.end()
              ? choice->second
              : cell_.range(LinearForm(path_.value(Polynomial::variable(factor.variable))));
      if (!base) return std::nullopt;
      product = product * power(*base, factor.exponent);
    }
    result += product;
  }
  return result;
}

}  // namespace wmi::check
