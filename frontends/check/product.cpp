#include "frontends/check/product.h"

#include <map>

namespace wmi::check {
namespace {

/// The only part with all that these depend on.
Part& owner(std::vector<Part>& parts, const Path::Needs& needs) {
  const auto has_all = [&](const Part& part) {
    return within(needs.reals, part.reals) && within(needs.booleans, part.booleans);
  };
  const auto found = std::ranges::find_if(parts, has_all);
  if (found == parts.end()) throw Rejected("the parts of a product hang together");
  return *found;
}

Set reals_of(const Polynomial& polynomial) {
  Set result;
  for (const Variable real : polynomial.variables()) mpz_setbit(result.get_mpz_t(), real);
  return result;
}

}  // namespace

Product read_product(const CheckState& state) {
  const Path& path = state.path;
  if (state.refuting) throw Rejected("a product where an equation that must hold does not");
  path.require_pinned();
  Set reals = state.part.reals, booleans = state.undecided();
  Product result{std::vector<Part>(state.in.count(size(reals) + size(booleans))), {}};
  for (Part& part : result.parts) {
    part.reals = state.in.share(reals);
    part.booleans = state.in.share(booleans);
  }
  if (result.parts.empty() || reals != 0)
    throw Rejected("the parts of a product do not share out its reals");
  for (const Row& row : state.rows)
    if (!row.implied && state.in_part(row.form))
      owner(result.parts, {{}, reals_of(row.form.polynomial())});  // there must be one

  std::vector<std::size_t> goals;
  std::vector<Formula> conditions;
  for (const std::size_t goal : members(state.part.active)) {
    const std::vector<Formula> own = path.conjuncts(state.part.goals[goal].conditions);
    if (path.any_false(own)) continue;
    if (!goals.empty() && conditions != own)
      throw Rejected("the integrals of a product have different conditions");
    conditions = own;
    goals.push_back(goal);
  }
  conditions.insert(conditions.end(), state.part.formulas.begin(), state.part.formulas.end());
  // A false condition needs nothing, and makes any part 0.
  for (const Formula formula : path.conjuncts(std::move(conditions)))
    owner(result.parts, path.needs({{formula}, {}})).formulas.push_back(formula);

  Polynomial common = Rational(Integer(1) << size(booleans));
  for (const Weight* const weight : state.part.weights) {
    const Truth condition = path.truth(weight->condition);
    if (condition == Truth::no) continue;
    if (condition == Truth::unknown || !path.known(weight->value)) {
      const Path::Needs needs = path.needs({{weight->condition}, {weight->value}});
      owner(result.parts, needs).weights.push_back(weight);
      continue;
    }
    const Polynomial value = path.value(weight->value);
    const auto part = std::ranges::find_if(
        result.parts, [&](const Part& one) { return within(reals_of(value), one.reals); });
    if (value.constant() || part == result.parts.end())
      common = common * value;
    else
      part->weights.push_back(weight);
  }
  std::vector<std::map<Monomial, std::size_t>> numbers(result.parts.size());  // of the goals
  for (const std::size_t number : goals) {
    const Goal& goal = state.part.goals[number];
    if (goal.at) throw Rejected("a density in a product");
    if (goal.order > 0 && !path.known(goal.term))
      throw Rejected("a term is not determined at a product");
    const Polynomial integrand =
        goal.order > 0 ? common * power(path.value(goal.term), goal.order) : common;
    if (!within(reals_of(integrand), state.part.reals))
      throw Rejected("an integrand has reals that are not of its part");
    for (const auto& [monomial, coefficient] : integrand.terms()) {
      Product::Term& term = result.terms.emplace_back(Product::Term{number, coefficient, {}});
      for (std::size_t p = 0; p < numbers.size(); ++p) {
        std::vector<Goal>& own = result.parts[p].goals;
        Monomial factor;
        for (const Power& power : monomial)
          if (contains(result.parts[p].reals, power.variable)) factor.push_back(power);
        term.factors.push_back(numbers[p].try_emplace(factor, own.size()).first->second);
        if (term.factors.back() == own.size()) own.push_back({{}, Polynomial({{factor, 1}}), 1});
      }
    }
  }
  for (Part& part : result.parts) part.active = (Integer(1) << part.goals.size()) - 1;
  return result;
}

void Product::multiply(std::vector<Goal>& whole) const {
  std::vector<std::vector<Interval>> totals(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (const Goal& goal : parts[p].goals) totals[p].push_back(goal.sum.total());
  for (const auto& [goal, coefficient, factors] : terms) {
    Interval product = coefficient;
    for (std::size_t p = 0; p < factors.size(); ++p) product = product * totals[p][factors[p]];
    whole[goal].sum.add(product);
  }
}

}  // namespace wmi::check
