#include "frontends/check/product.h"

namespace wmi::check {
namespace {

/// Which part has what.
struct Shares {
  std::vector<std::size_t> reals;
  std::map<std::uint32_t, std::size_t> booleans = {};

  /// The one part that has all that is needed.
  std::size_t owner(const Path::Needs& needs) const {
    std::set<std::size_t> owners;
    for (const Variable real : needs.reals) owners.insert(reals[real]);
    for (const std::uint32_t boolean : needs.booleans) {
      const auto place = booleans.find(boolean);
      owners.insert(place == booleans.end() ? nowhere : place->second);
    }
    if (owners.size() != 1 || owners.contains(nowhere))
      throw Rejected("the parts of a product hang together");
    return *owners.begin();
  }
};

Shares read_parts(const Place& here, std::vector<Part>& parts) {
  const std::vector<bool>& reals = here.part.reals;
  const char* const unshared = "the parts of a product do not share out its reals";
  Shares result{std::vector<std::size_t>(reals.size(), nowhere)};
  std::set<std::uint32_t> booleans = here.undecided();
  auto left = static_cast<std::size_t>(std::ranges::count(reals, true));
  parts.resize(here.in.count(left + booleans.size()), {std::vector<bool>(reals.size())});
  if (parts.empty()) throw Rejected("a product has no parts");
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (std::size_t count = here.in.count(left); count > 0; --count, --left) {
      const std::size_t real = here.in.count(reals.size() - 1);
      if (!reals[real] || result.reals[real] != nowhere) throw Rejected(unshared);
      parts[p].reals[real] = true;
      result.reals[real] = p;
    }
    for (std::size_t count = here.in.count(booleans.size()); count > 0; --count) {
      const auto boolean = static_cast<std::uint32_t>(here.in.count(*booleans.rbegin()));
      if (booleans.erase(boolean) == 0)
        throw Rejected("a Boolean is in two parts of a product, or decided");
      parts[p].booleans.insert(boolean);
      result.booleans[boolean] = p;
    }
  }
  if (left > 0) throw Rejected(unshared);
  return result;
}

}  // namespace

Product read_product(const Place& here) {
  const Path& path = here.path;
  if (here.refuting) throw Rejected("a product where an equation that must hold does not");
  if (path.unpinned()) throw Rejected("a derived real is not pinned at a product");
  std::vector<Part> parts;
  const Shares shares = read_parts(here, parts);
  for (const Row& row : here.rows) {
    if (row.implied || !here.in_part(row.form)) continue;
    Path::Needs needs;
    for (const auto& [variable, coefficient] : row.form.coefficients) needs.reals.insert(variable);
    shares.owner(needs);
  }

  std::vector<std::size_t> goals;
  std::vector<Formula> conditions;
  for (const std::size_t goal : here.part.active) {
    const std::vector<Formula> own = path.conjuncts(here.part.goals[goal].conditions);
    if (path.any_false(own)) continue;
    if (!goals.empty() && conditions != own)
      throw Rejected("the integrals of a product have different conditions");
    conditions = own;
    goals.push_back(goal);
  }
  conditions.insert(conditions.end(), here.part.formulas.begin(), here.part.formulas.end());
  for (const Formula formula : path.conjuncts(std::move(conditions))) {
    if (path.truth(formula) == Truth::no) throw Rejected("a product where the formula is false");
    parts[shares.owner(path.needs({{formula}, {}}))].formulas.push_back(formula);
  }

  Polynomial common = Rational(Integer(1) << (here.undecided().size() - shares.booleans.size()));
  for (const Weight* const weight : here.part.weights) {
    const Truth condition = path.truth(weight->condition);
    if (condition == Truth::no) continue;
    Path::Needs needs;
    const bool open = condition == Truth::unknown || !path.known(weight->value);
    const Polynomial value = open ? Polynomial() : path.value(weight->value);
    std::set<std::size_t> owners;
    for (const Variable real : value.variables()) owners.insert(shares.reals[real]);
    if (open) owners = {shares.owner(path.needs({{weight->condition}, {weight->value}}))};
    if (owners.size() == 1)
      parts[*owners.begin()].weights.push_back(weight);
    else
      common = common * value;
  }

  std::vector<Polynomial> integrands;
  for (const std::size_t number : goals) {
    const Goal& goal = here.part.goals[number];
    if (goal.at) throw Rejected("a density in a product");
    if (goal.order > 0 && !path.known(goal.term))
      throw Rejected("a term is not determined at a product");
    integrands.push_back(goal.order > 0 ? common * power(path.value(goal.term), goal.order)
                                        : common);
  }
  Factored factored(integrands, shares.reals, parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (const Monomial& monomial : factored.monomials[p])
      parts[p].goals.push_back({{}, Polynomial({{monomial, 1}}), 1});
    parts[p].activate_all();
  }
  return {std::move(parts), std::move(goals), std::move(factored)};
}

void Product::multiply(std::vector<Goal>& whole) const {
  std::vector<std::vector<Interval>> totals;
  for (const Part& part : parts) {
    std::vector<Interval>& own = totals.emplace_back();
    for (const Goal& goal : part.goals) own.push_back(goal.sum.total());
  }
  const std::vector<Interval> sums = integrands.sums(totals);
  for (std::size_t i = 0; i < goals.size(); ++i) whole[goals[i]].sum.add(sums[i]);
}

}  // namespace wmi::check
