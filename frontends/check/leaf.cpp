#include "frontends/check/leaf.h"

#include "frontends/check/cell.h"
#include "frontends/check/ranges.h"
#include "frontends/check/weight.h"

namespace wmi::check {
namespace {

/// Reads and checks the cell of a path, and decides what its vertices decide.
Cell read_cell(Bytes& in, Place& here) {
  if (here.refuting) throw Rejected("a cell where an equation that must hold does not");
  Cell cell(in, here.part.reals);
  std::vector<LinearForm> rows;  // others have only reals of other parts, or are implied
  for (const Row& row : here.rows)
    if (here.in_part(row.form)) rows.push_back(row.form);
  cell.check(rows);
  Roots all{here.part.formulas, {}};
  for (const Weight* const weight : here.part.weights) add(all, *weight);
  for (const std::size_t i : here.part.active) {
    const Goal& goal = here.part.goals[i];
    all.formulas.insert(all.formulas.end(), goal.conditions.begin(), goal.conditions.end());
    all.polynomials.push_back(goal.term);
  }
  decide(here.path, cell, all);
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
  const Path& path = here.path;
  const Polynomial weight = summed_weight(here, cell);
  std::vector<Integrand> integrands;
  std::vector<std::pair<Sum*, std::size_t>> targets;
  const auto add = [&](Sum& sum, Integrand integrand) {
    const auto same = std::ranges::find(integrands, integrand) - integrands.begin();
    targets.emplace_back(&sum, same);
    if (targets.back().second == integrands.size()) integrands.push_back(std::move(integrand));
  };
  for (const std::size_t i : here.part.active) {
    Goal& goal = here.part.goals[i];
    if (path.any_false(goal.conditions)) continue;
    require_known(path, goal.conditions, "the condition or event of a query");
    if (goal.order > 0 && !path.known(goal.term))
      throw Rejected("a term is not determined in a cell");
    const Polynomial term = goal.order > 0 ? path.value(goal.term) : Polynomial();
    if (!goal.at) {
      if (term.degree() <= 1)
        add(goal.sum, {weight, LinearForm(term), goal.order});
      else
        add(goal.sum, {weight * power(term, goal.order)});
      continue;
    }
    const LinearForm form(term - Polynomial(*goal.at));
    if (form.is_constant()) {
      if (form.constant == 0) add(goal.sum, {weight});
      continue;
    }
    const int side = cell.side(form);
    if (side == 0) throw Rejected("a cell lies on both sides of the value of a density");
    (side < 0 ? goal.left : goal.right)
        .add(cell.integrals(std::vector{Integrand{weight}}, &form)[0]);
  }
  const std::vector<Rational> integrals = cell.integrals(integrands);
  for (const auto& [sum, integrand] : targets) sum->add(integrals[integrand]);
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

void check_thin(Bytes& in, const Place& here) {
  const std::size_t count = in.count(here.rows.size());
  if (count == 0) throw Rejected("a thin leaf has no multipliers");
  Polynomial sum;
  std::size_t next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = in.count(here.rows.size() - 1);
    const Rational multiplier = in.natural();
    if (row < next) throw Rejected("the multipliers of a thin leaf are not in order");
    if (multiplier == 0) throw Rejected("a multiplier is 0");
    next = row + 1;
    sum += multiplier * here.rows[row].form.polynomial();
  }
  if (!sum.constant() || sum.constant_term() < 0)
    throw Rejected("the multipliers do not show that the path has no volume");
}

std::size_t check_cell(Bytes& in, Place& here) {
  here.path.mark();
  Cell cell = read_cell(in, here);
  if (!here.path.any_false(here.part.formulas)) {
    require_known(here.path, here.part.formulas, "an assertion");
    require_pinned(here);
    integrate(here, cell);
  }
  here.path.undo();
  return cell.faces();
}

/// What the place may add: no more than its volume times the ranges of weight and term. Of a
/// density it adds nothing where the term does not come to the value.
std::size_t check_open(Bytes& in, Place& here) {
  here.path.mark();
  Cell cell = read_cell(in, here);
  require_pinned(here);
  Ranges ranges(here.problem.terms, here.path, cell);
  const Interval most =
      range_of_weight(here, ranges) * Interval(cell.integrals(std::vector{Integrand{1}})[0]);
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
  return cell.faces();
}

}  // namespace wmi::check
