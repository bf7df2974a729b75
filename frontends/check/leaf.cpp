#include "frontends/check/leaf.h"

#include "frontends/check/weight.h"

namespace wmi::check {
namespace {

void require_known(const Path& path, const std::vector<Formula>& formulas, const char* what) {
  for (const Formula formula : formulas)
    if (path.truth(formula) == Truth::unknown)
      throw Rejected(std::string(what) + " is not determined in a cell");
}

Polynomial summed_weight(CheckState& state) {
  const Path& path = state.path;
  const auto needs = [&](const Weight& weight) {
    const Truth condition = path.truth(weight.condition);
    if (condition == Truth::no || (condition == Truth::yes && path.known(weight.value)))
      return Set();
    Set result = path.needs({{weight.condition}, {weight.value}}).booleans;
    if (result == 0) throw Rejected("a weight is not determined in a cell");
    return result;
  };
  const auto factor = [&](const Weight& weight) { return path.value(weight.value); };
  return summed(state.path, state.part.weights, state.undecided(), needs, factor);
}

void integrate(CheckState& state, Cell& cell) {
  const Polynomial weight = summed_weight(state);
  std::vector<Polynomial> integrands;
  std::vector<Accumulator*> sums;
  const Polynomial* last = nullptr;  // the term computed last
  Polynomial term, in_axes;
  for (const std::size_t i : members(state.part.active)) {
    Goal& goal = state.part.goals[i];
    if (state.path.any_false(goal.conditions)) continue;
    require_known(state.path, goal.conditions, "the condition or event of a query");
    if (goal.order > 0 && (last == nullptr || *last != goal.term)) {
      if (!state.path.known(goal.term)) throw Rejected("a term is not determined in a cell");
      last = &goal.term;
      term = state.path.value(goal.term);
      in_axes = term.degree() > 1 ? term : cell.in_axes(LinearForm(term));
    }
    Polynomial integrand = weight;
    if (goal.at) {
      LinearForm form(term - Polynomial(*goal.at));
      if (!form.is_constant()) {
        const Rational first = form.coefficients[0].second;
        form.make_primitive();
        const int side = cell.side(form);
        if (side == 0) throw Rejected("a cell lies on both sides of the value of a density");
        integrand *= form.coefficients[0].second / first;  // the gradient was scaled
        Accumulator& limit = side < 0 ? goal.left : goal.right;
        limit.add(cell.integrals({integrand}, &form)[0]);
      }
      if (!form.is_constant() || form.constant != 0) continue;
    } else if (goal.order > 0) {
      integrand = weight * power(in_axes, goal.order);
    }
    integrands.push_back(std::move(integrand));
    sums.push_back(&goal.sum);
  }
  const std::vector<Rational> integrals = cell.integrals(std::move(integrands));
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i]->add(integrals[i]);
}

}  // namespace

void check_false(const CheckState& state) {
  const Part& part = state.part;
  if (state.path.any_false(part.formulas)) return;
  const auto vanishes = [&](const Weight* weight) {
    return state.path.truth(weight->condition) == Truth::yes && state.path.vanishes(weight->value);
  };
  const auto idle = [&](std::size_t i) { return state.path.any_false(part.goals[i].conditions); };
  if (state.refuting || (std::ranges::none_of(part.weights, vanishes) &&
                         !std::ranges::all_of(members(part.active), idle)))
    throw Rejected("the formula is not false under the path");
}

void check_thin(const CheckState& state) {
  std::map<Variable, Integer> sum;
  Integer constant;
  std::size_t next = 0;
  for (std::size_t left = state.in.count(state.rows.size()); left > 0; --left) {
    const std::size_t row = state.in.count(state.rows.size() - 1);
    const Integer multiplier = state.in.natural();
    if (row < next || multiplier == 0)
      throw Rejected("the multipliers of a thin leaf are not in order, or 0");
    next = row + 1;
    const LinearForm& form = state.rows[row].form;
    constant += multiplier * form.constant.get_num();
    for (const auto& [variable, coefficient] : form.coefficients)
      sum[variable] += multiplier * coefficient.get_num();
  }
  if (next == 0 || constant < 0 ||
      std::ranges::any_of(sum, [](const auto& entry) { return entry.second != 0; }))
    throw Rejected("the multipliers do not show that the path has no volume");
}

void on_cell(CheckState& state, const std::function<void(Cell&)>& action) {
  if (state.refuting) throw Rejected("a cell where an equation that must hold does not");
  std::vector<const LinearForm*> rows;  // without rows of other parts and implied ones
  for (const Row& row : state.rows)
    if (state.in_part(row.form)) rows.push_back(&row.form);
  Cell cell(state.in, state.problem.integrated.size(), state.part.reals, rows);
  state.path.mark();
  state.path.enter(&cell);
  action(cell);
  state.path.enter(nullptr);
  state.path.undo();
}

void check_cell(CheckState& state) {
  on_cell(state, [&](Cell& cell) {
    ++state.counts.cells;
    if (state.path.any_false(state.part.formulas)) return;
    require_known(state.path, state.part.formulas, "an assertion");
    state.path.require_pinned();
    integrate(state, cell);
  });
}

}  // namespace wmi::check
