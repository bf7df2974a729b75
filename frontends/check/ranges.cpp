#include "frontends/check/ranges.h"

namespace wmi::check {

/// Those that others are made of come before these.
Ranges::Ranges(const Terms& terms, const Path& path, const Cell& cell) : path_(path), cell_(cell) {
  for (std::uint32_t node = 0; node < terms.size(); ++node) {
    if (terms.node(node).kind != Kind::definition) continue;
    const auto& [variable, condition, then, otherwise] = terms.definition(terms.node(node).index);
    const Truth holds = path.truth(condition);
    std::optional<Interval> one = range(holds == Truth::no ? otherwise : then);
    const std::optional<Interval> other = range(holds == Truth::yes ? then : otherwise);
    if (one && other) one = hull(*one, *other);
    choices_.emplace(variable, other ? one : std::nullopt);
  }
}

Interval Ranges::of(const Polynomial& polynomial) const {
  const std::optional<Interval> result = range(polynomial);
  if (!result) throw Rejected("a term has reals that are not bounded where a place is left open");
  return *result;
}

std::optional<Interval> Ranges::range(const Polynomial& polynomial) const {
  if (path_.known(polynomial))
    if (const Polynomial value = path_.value(polynomial); value.degree() <= 1)
      return cell_.range(LinearForm(value));
  Interval result;
  for (const Polynomial::Term& term : polynomial.terms()) {
    Interval product(term.coefficient);
    for (const auto& [variable, exponent] : term.monomial) {
      const auto choice = choices_.find(variable);
      const std::optional<Interval> base =
          choice != choices_.end()
              ? choice->second
              : cell_.range(LinearForm(path_.value(Polynomial::variable(variable))));
      if (!base) return std::nullopt;
      product = product * power(*base, exponent);
    }
    result += product;
  }
  return result;
}

}  // namespace wmi::check
