#include "frontends/check/leaf.h"

#include "frontends/check/weight.h"

namespace wmi::check {
namespace {

/// The cell of a path, which is checked.
Cell read_cell(Place& here) {
  if (here.refuting) throw Rejected("a cell where an equation that must hold does not");
  std::vector<const LinearForm*> rows;  // others have only reals of other parts, or are implied
  for (const Row& row : here.rows)
    if (here.in_part(row.form)) rows.push_back(&row.form);
  Cell cell(here.in, here.part.reals, rows);
  here.counts.faces += cell.faces();
  return cell;
}

void require_known(const Path& path, const std::vector<Formula>& formulas, const char* what) {
  for (const Formula formula : formulas)
    if (path.truth(formula) == Truth::unknown)
      throw Rejected(std::string(what) + " is not determined in a cell");
}

void require_pinned(const Place& here) {
  if (const std::optional<Variable> variable = here.path.unpinned())
    throw Rejected("'" + here.problem.terms.real_name(*variable) + "' is not pinned in a cell");
}

void integrate(Place& here, Cell& cell) {
  const Polynomial weight = summed_weight(here);
  std::vector<Polynomial> integrands;
  std::vector<Sum*> sums;
  const Polynomial* last = nullptr;  // the term whose value is known
  Polynomial term, in_axes;
  for (const std::size_t i : here.part.active) {
    Goal& goal = here.part.goals[i];
    if (here.path.any_false(goal.conditions)) continue;
    require_known(here.path, goal.conditions, "the condition or event of a query");
    if (goal.order > 0 && (last == nullptr || *last != goal.term)) {
      if (!here.path.known(goal.term)) throw Rejected("a term is not determined in a cell");
      last = &goal.term;
      term = here.path.value(goal.term);
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
        integrand *= form.coefficients[0].second / first;  // as the gradient is longer now
        Sum& limit = side < 0 ? goal.left : goal.right;
        limit.add(cell.integrals(std::span(&integrand, 1), &form)[0]);
      }
      if (!form.is_constant() || form.constant != 0) continue;
    } else if (goal.order > 0) {
      integrand = weight * power(in_axes, goal.order);
    }
    integrands.push_back(std::move(integrand));
    sums.push_back(&goal.sum);
  }
  const std::vector<Interval> integrals = cell.integrals(integrands);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i]->add(integrals[i]);
}

}  // namespace

void check_false(const Place& here) {
  const Part& part = here.part;
  if (here.path.any_false(part.formulas)) return;
  if (here.refuting) throw Rejected("the formula is not false where an equation does not hold");
  if (std::ranges::any_of(part.weights, [&](const Weight* weight) {
        return here.path.truth(weight->condition) == Truth::yes &&
               here.path.vanishes(weight->value);
      }))
    return;
  for (const std::size_t i : part.active)
    if (!here.path.any_false(part.goals[i].conditions))
      throw Rejected("the formula is not false under the path");
}

void check_thin(const Place& here) {
  const std::size_t count = here.in.count(here.rows.size());
  if (count == 0) throw Rejected("a thin leaf has no multipliers");
  std::map<Variable, Integer> sum;
  Integer constant;
  for (std::size_t i = 0, next = 0; i < count; ++i) {
    const std::size_t row = here.in.count(here.rows.size() - 1);
    const Integer multiplier = here.in.natural();
    if (row < next) throw Rejected("the multipliers of a thin leaf are not in order");
    if (multiplier == 0) throw Rejected("a multiplier is 0");
    next = row + 1;
    const LinearForm& form = here.rows[row].form;
    constant += multiplier * form.constant.get_num();
    for (const auto& [variable, coefficient] : form.coefficients)
      sum[variable] += multiplier * coefficient.get_num();
  }
  if (constant < 0 || std::ranges::any_of(sum, [](const auto& entry) { return entry.second != 0; }))
    throw Rejected("the multipliers do not show that the path has no volume");
}

void check_cell(Place& here) {
  Cell cell = read_cell(here);
  here.path.mark();
  here.path.enter(cell);
  if (!here.path.any_false(here.part.formulas)) {
    require_known(here.path, here.part.formulas, "an assertion");
    require_pinned(here);
    integrate(here, cell);
  }
  here.path.undo();
}

/// What the place may add: no more than its volume times the ranges of weight and term. Of a
/// density it adds nothing where the term does not come to the value.
void check_open(Place& here) {
  Cell cell = read_cell(here);
  here.path.mark();
  here.path.enter(cell);
  require_pinned(here);
  const Polynomial one = 1;
  const Ranges ranges(here.problem.terms, here.path, cell);
  const Interval most = range_of_weight(here, ranges) * cell.integrals(std::span(&one, 1))[0];
  for (const std::size_t i : here.part.active) {
    Goal& goal = here.part.goals[i];
    if (here.path.any_false(goal.conditions)) continue;
    const Interval term = ranges.of(goal.term);
    if (!goal.at)
      goal.sum.add(most * power(term, goal.order));
    else if (term.contains(*goal.at))
      goal.unbounded = true;
  }
  here.path.undo();
}

}  // namespace wmi::check
