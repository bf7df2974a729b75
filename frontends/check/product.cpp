#include "frontends/check/product.h"

namespace wmi::check {
namespace {

constexpr std::size_t nowhere = ~std::size_t{0};

}  // namespace

Product::Product(Bytes& in, const Place& here) : part_of_(here.part.reals.size(), nowhere) {
  const Path& path = here.path;
  if (here.refuting) throw Rejected("a product where an equation that must hold does not");
  if (path.unpinned()) throw Rejected("a derived real is not pinned at a product");
  read_parts(in, here);
  for (const Row& row : here.rows) {
    if (row.implied || !here.in_part(row.form)) continue;
    Path::Waiting waiting;
    for (const auto& [variable, coefficient] : row.form.coefficients)
      waiting.reals.insert(variable);
    owner(path, waiting);
  }

  std::vector<std::size_t> goals;  // those that are not 0
  std::vector<Formula> conditions;
  for (const std::size_t goal : here.part.active) {
    const std::vector<Formula> own = path.conjuncts(here.part.goals[goal].conditions);
    if (path.any_false(own)) continue;
    if (!goals.empty() && conditions != own)
      throw Rejected("the integrals of a product have different conditions");
    conditions = own;
    goals.push_back(goal);
  }
  std::vector<Formula> formulas = here.part.formulas;
  formulas.insert(formulas.end(), conditions.begin(), conditions.end());
  for (const Formula formula : path.conjuncts(std::move(formulas))) {
    if (path.truth(formula) == Truth::no) throw Rejected("a product where the formula is false");
    parts[owner(path, path.waiting({{formula}, {}}))].formulas.push_back(formula);
  }

  Polynomial common = Rational(Integer(1) << (here.free_booleans() - boolean_parts_.size()));
  for (const Weight* const weight : here.part.weights) {
    const Truth condition = path.truth(weight->condition);
    if (condition == Truth::no) continue;
    if (condition == Truth::unknown || !path.known(weight->value)) {
      const Path::Waiting waiting = path.waiting({{weight->condition}, {weight->value}});
      parts[owner(path, waiting)].weights.push_back(weight);
      continue;
    }
    const Polynomial value = path.value(weight->value);
    std::set<std::size_t> owners;
    for (const Variable real : value.variables()) owners.insert(part_of_[real]);
    if (owners.size() == 1)
      parts[*owners.begin()].weights.push_back(weight);
    else
      common = common * value;
  }
  numbers_.resize(parts.size());
  for (const std::size_t goal : goals) share_out(here.part.goals[goal], goal, here, common);
  for (Part& part : parts) part.activate_all();
}

void Product::read_parts(Bytes& in, const Place& here) {
  const std::vector<bool>& reals = here.part.reals;
  const char* const shared = "the parts of a product do not share out its reals";
  std::size_t left = static_cast<std::size_t>(std::ranges::count(reals, true));
  parts.resize(in.count(reals.size() + here.part.booleans.size()),
               {std::vector<bool>(reals.size())});
  if (parts.empty()) throw Rejected("a product has no parts");
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (std::size_t count = in.count(left); count > 0; --count, --left) {
      const std::size_t real = in.count(reals.size() - 1);
      if (!reals[real] || part_of_[real] != nowhere) throw Rejected(shared);
      parts[p].reals[real] = true;
      part_of_[real] = p;
    }
    for (std::size_t count = in.count(here.part.booleans.size()); count > 0; --count) {
      const auto boolean = static_cast<std::uint32_t>(in.count(*here.part.booleans.rbegin()));
      if (!here.part.booleans.contains(boolean) || !here.undecided(boolean) ||
          !boolean_parts_.emplace(boolean, p).second)
        throw Rejected("a Boolean is in two parts of a product, or decided");
      parts[p].booleans.insert(boolean);
    }
  }
  if (left > 0) throw Rejected(shared);
}

/// The one part that has all that is waited for.
std::size_t Product::owner(const Path& path, const Path::Waiting& waiting) const {
  std::set<std::size_t> owners;
  for (const std::uint32_t boolean : waiting.booleans) {
    const auto place = boolean_parts_.find(boolean);
    owners.insert(place == boolean_parts_.end() ? nowhere : place->second);
  }
  const auto add = [&](const Polynomial& value) {
    for (const Variable real : value.variables()) owners.insert(part_of_[real]);
  };
  for (const std::uint32_t atom : waiting.atoms) add(path.form_of(atom).polynomial());
  for (const Variable variable : waiting.reals) add(path.value(Polynomial::variable(variable)));
  if (owners.size() != 1 || owners.contains(nowhere))
    throw Rejected("the parts of a product hang together");
  return *owners.begin();
}

/// Makes goals of the parts: the monomials that the integrand needs.
void Product::share_out(const Goal& goal, std::size_t number, const Place& here,
                        const Polynomial& common) {
  if (goal.at) throw Rejected("a density in a product");
  if (goal.order > 0 && !here.path.known(goal.term))
    throw Rejected("a term is not determined at a product");
  const Polynomial integrand =
      goal.order > 0 ? common * power(here.path.value(goal.term), goal.order) : common;
  for (const Polynomial::Term& term : integrand.terms()) {
    std::vector<Monomial> monomials(parts.size());
    for (const Power& power : term.monomial)
      monomials.at(part_of_[power.variable]).push_back(power);
    Term& target = terms_.emplace_back(Term{number, term.coefficient, {}});
    for (std::size_t p = 0; p < parts.size(); ++p) {
      std::vector<Goal>& goals = parts[p].goals;
      const auto [place, fresh] = numbers_[p].try_emplace(monomials[p], goals.size());
      if (fresh) goals.push_back({{}, Polynomial({{monomials[p], 1}}), 1});
      target.goals.push_back(place->second);
    }
  }
}

void Product::multiply(std::vector<Goal>& goals) const {
  std::vector<std::vector<Interval>> totals;
  for (const Part& part : parts) {
    std::vector<Interval>& own = totals.emplace_back();
    for (const Goal& goal : part.goals) own.push_back(goal.sum.total());
  }
  for (const Term& term : terms_) {
    Interval number = term.coefficient;
    for (std::size_t p = 0; p < parts.size(); ++p) number = number * totals[p][term.goals[p]];
    goals[term.goal].sum.add(number);
  }
}

}  // namespace wmi::check
