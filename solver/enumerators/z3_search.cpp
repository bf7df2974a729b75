// A depth-first search over the atoms and Booleans that matter. A node of the search is a partial
// assignment (Branch) together with the same literals on Z3's stack, and a model of them. While the
// formula or a weight is not yet determined by the assignment, some atom in it is branched on. The
// model shows that one side is feasible; Z3 is asked about the other. If only one is, and the formula
// is true already, the atom follows from the literals before it: it bounds nothing and is left out.
// The leaves are disjoint by construction, atoms that no longer matter are never split on, and
// memory is that of one path: blocking clauses, the alternative, grow with the number of cells.
//
// At a leaf each goal either is determined too, or a search of its own goes on below the leaf: the
// atoms of one query never multiply with those of another.
//
// Faces have no volume. So an atom in integrated reals alone is asked as an open halfspace, on either
// side, and Z3 says "feasible" only for cells with volume. Atoms with derived reals are asked as they
// are written: their strictness matters until the derived reals are substituted.

#include "solver/enumerators/z3_search.h"

#include <algorithm>
#include <utility>

#include "solver/enumerators/applied_functions.h"
#include "solver/terms/error.h"

namespace wmi {

Z3Search::Z3Search(const Problem& problem, std::span<const Goal> goals, const std::stop_token& stop,
                   Undetermined undetermined)
    : problem_(problem),
      undetermined_(undetermined),
      goals_(goals.begin(), goals.end()),
      branch_(problem, cone(problem, goals)),
      smt_(problem.terms, stop) {
  for (const Formula assertion : problem.assertions) smt_.add(assertion);
  keep_off_faces();
  model_ = smt_.check();
  done_ = !model_;
}

Z3Search::Z3Search(const Problem& problem, std::span<const Goal> goals, const std::stop_token& stop,
                   const SearchPath& path)
    : Z3Search(problem, goals, stop) {
  replay_ = Replay(path);
  while (replay_.active()) {
    if (done_) Replay::fail();
    advance();
  }
  ready_.clear();  // of leaves that goals are below
  above_ = path;
}

std::optional<Cell> Z3Search::next() {
  // A search that finds no cell for long must still be shared: an open cell that misses nothing.
  constexpr std::size_t long_without = 256;
  for (std::size_t steps = 0; ready_.empty() && !done_; ++steps) {
    if (steps == long_without) return Cell{{}, OpenCell()};
    advance();
  }
  return found();
}

std::optional<SearchTree> Z3Search::tree() const {
  SearchTree result = done_ ? SearchTree::leaf(SearchTree::State::finished) : SearchTree();
  result = tree_of_path(searches_, path_.size(), std::move(result),
                        [&](std::size_t i, SearchTree below) {
                          const auto& step = path_[i];
                          const auto& decision = branch_.decisions()[i];
                          return decision_above(decision.node, decision.holds, step.side,
                                                step.other.has_value(), std::move(below));
                        });
  return along(above_, std::move(result));
}

std::optional<Cell> Z3Search::found() {
  if (ready_.empty()) return std::nullopt;
  Cell cell = std::move(ready_.front());
  ready_.pop_front();
  return cell;
}

/// Atoms in integrated reals alone: their hyperplanes have no volume, so no model need lie on one.
/// There a derived real may have any value or none; without derived reals it does not matter.
void Z3Search::keep_off_faces() {
  const Terms& terms = problem_.terms;
  if (std::find(problem_.integrated.begin(), problem_.integrated.end(), false) ==
      problem_.integrated.end())
    return;
  for (std::uint32_t i = 0; i < terms.size(); ++i) {
    if (terms.node(i).kind != Kind::atom) continue;
    const LinearForm& form = terms.atom(terms.node(i).index).form;
    if (std::all_of(form.coefficients.begin(), form.coefficients.end(), [&](const auto& entry) {
          return terms.defining_node(entry.first) == 0 && problem_.integrated[entry.first];
        }))
      smt_.add(form, Comparison::equal, false);
  }
}

void Z3Search::advance() {
  if (searches_.of_problem()) {
    if (take_units()) return;
  } else if (const auto units = branch_.units_of(goals_[searches_.goal()].condition);
             !units.empty()) {
    return require(units[0]);
  }
  const Inspection found =
      searches_.of_problem() ? inspect() : wmi::inspect(goals_[searches_.goal()], branch_);
  switch (found.outcome) {
    case Outcome::closed:
      return backtrack();
    case Outcome::open:
      return split(found.formula ? branch_.open_in(*found.formula) : *found.decision);
    case Outcome::determined:
      if (searches_.of_problem()) return reach_leaf();
      if (const std::optional<Leaf> here = leaf()) emit(*here, searches_.as_list());
      return backtrack();
  }
}

Inspection Z3Search::inspect() const {
  std::optional<Formula> open;
  for (const Formula assertion : problem_.assertions) {
    const Truth value = branch_.truth(assertion);
    if (value == Truth::no) return {Outcome::closed};
    if (value == Truth::unknown && !open) open = assertion;
  }
  for (const Weight& weight : problem_.weights)
    if (branch_.truth(weight.condition) == Truth::yes && branch_.vanishes(weight.value))
      return {Outcome::closed};
  if (open) return {Outcome::open, open};
  for (const Weight& weight : problem_.weights) {
    const Truth value = branch_.truth(weight.condition);
    if (value == Truth::unknown) return {Outcome::open, weight.condition};
    if (value == Truth::no) continue;
    if (auto decision = branch_.open_in(weight.value)) return {Outcome::open, {}, decision};
  }
  return {Outcome::determined};
}

/// Literals that the formula is a conjunction of hold in every model: Z3 is not asked about
/// them, and they need not be asserted.
bool Z3Search::take_units() {
  std::vector<Decision> units;
  std::vector<bool> taken(problem_.terms.size());
  for (const Formula assertion : problem_.assertions)
    for (const Decision& unit : branch_.units_of(assertion))
      if (!taken[unit.node]) {
        taken[unit.node] = true;
        units.push_back(unit);
      }
  for (const Decision& unit : units) {
    branch_.decide(unit);
    path_.push_back({std::nullopt, false});
  }
  return !units.empty();
}

/// The decisions alone make the formula true.
bool Z3Search::settled() const {
  return std::all_of(problem_.assertions.begin(), problem_.assertions.end(),
                     [&](Formula assertion) { return branch_.truth(assertion) == Truth::yes; });
}

/// Asks Z3 about both values; the model, if it decides, shows that one is feasible. If only one is
/// feasible, it follows from the formula, or, once that is settled, from the decisions before it:
/// then it bounds nothing.
void Z3Search::split(Decision decision) {
  const std::optional<bool> says = model_says(decision);
  decision.holds = says.value_or(true);
  Decision other = decision;
  other.holds = !decision.holds;
  std::optional<Smt::Model> here = says ? std::move(model_) : ask(decision);
  std::optional<Smt::Model> there = ask(other);
  if (!here && !there) return backtrack();
  if (here && there && replay_.active()) {
    const bool stays = replay_.holds(decision.node) == decision.holds;
    return stays ? enter(decision, std::move(*here)) : enter(other, std::move(*there));
  }
  if (here && there) return enter(decision, std::move(*here), PathSide::first, std::move(there));
  Decision& only = here ? decision : other;
  only.implied = settled();
  enter(only, std::move(here ? *here : *there));
}

/// The other value leads to no cell.
void Z3Search::require(Decision decision) {
  const bool here = model_says(decision) == decision.holds;
  std::optional<Smt::Model> model = here ? std::move(model_) : ask(decision);
  if (!model) return backtrack();
  enter(decision, std::move(*model));
}

/// The value in the model; nullopt if the model lies on a face, which is on neither side.
std::optional<bool> Z3Search::model_says(const Decision& decision) const {
  if (!decision.atom) return model_->booleans[problem_.terms.node(decision.node).index];
  const Rational value = decision.atom->form.at(model_->reals);
  if (value == 0 && in_integrated(problem_, decision.atom->form)) return std::nullopt;
  return holds(value, decision.atom->comparison);
}

void Z3Search::assume(const Decision& decision) {
  if (!decision.atom)
    smt_.add(Formula(decision.node, !decision.holds));
  else if (in_integrated(problem_, decision.atom->form))  // open either way
    smt_.add(decision.atom->form, decision.holds ? Comparison::less : Comparison::less_equal,
             decision.holds);
  else
    smt_.add(decision.atom->form, decision.atom->comparison, decision.holds);
}

/// A model of the path that also satisfies the decision.
std::optional<Smt::Model> Z3Search::ask(const Decision& decision) {
  smt_.push();
  assume(decision);
  std::optional<Smt::Model> model = smt_.check();
  smt_.pop();
  return model;
}

void Z3Search::enter(Decision decision, Smt::Model model, PathSide side,
                     std::optional<Smt::Model> other) {
  const bool assumed = !decision.implied;
  if (assumed) {
    smt_.push();
    assume(decision);
  }
  model_ = std::move(model);
  branch_.decide(decision);
  path_.push_back({std::move(other), assumed, side});
}

/// To the last decision whose opposite is still open; below the bottom, to the next goal.
void Z3Search::backtrack() {
  for (;;) {
    while (path_.size() > searches_.bottom()) {
      Decision decision = branch_.decisions().back();
      const Step step = std::move(path_.back());
      path_.pop_back();
      branch_.undo();
      if (step.assumed) smt_.pop();
      if (!step.other) continue;
      decision.holds = !decision.holds;
      return enter(decision, *step.other, PathSide::second);
    }
    if (searches_.of_problem()) {
      done_ = true;
      return;
    }
    if (searches_.next(path_.size())) {
      model_ = at_leaf_;
      return;
    }
  }
}

/// The formula and the weights are determined: goals that are determined as well share this cell,
/// the others search below it.
void Z3Search::reach_leaf() {
  if (const std::optional<Leaf> here = leaf()) {
    emit(*here, searches_.reach_leaf(outcomes(goals_, branch_)));
    at_leaf_ = model_;
    if (replay_.active())
      return searches_.select(replay_.branch(SearchNode::Kind::goals, searches_.branches()),
                              path_.size());
    if (searches_.next(path_.size())) return;
  }
  backtrack();
}

/// The derived reals in this cell. Where equations leave one open, it may still be caught between
/// inequalities: one that cannot be strict here is an equation.
Elimination Z3Search::elimination() {
  std::vector<LinearForm> equations;
  for (const Decision& decision : branch_.decisions())
    if (decision.atom && decision.holds && decision.atom->comparison == Comparison::equal)
      equations.push_back(decision.atom->form);
  Elimination result = eliminate(problem_, equations);
  if (!result.undetermined || result.flat) return result;
  for (const Decision& decision : branch_.decisions()) {
    if (!decision.atom || in_integrated(problem_, decision.atom->form)) continue;
    const bool below = decision.atom->comparison == Comparison::less_equal && decision.holds;
    const bool above = decision.atom->comparison == Comparison::less && !decision.holds;
    if ((below || above) && !reaches(decision.atom->form, above))
      equations.push_back(decision.atom->form);
  }
  return eliminate(problem_, equations);
}

/// Is there a point of this cell on which the form is above (below) 0?
bool Z3Search::reaches(const LinearForm& form, bool above) {
  smt_.push();
  smt_.add(form, above ? Comparison::less_equal : Comparison::less, !above);
  const bool result = smt_.check().has_value();
  smt_.pop();
  return result;
}

std::optional<Leaf> Z3Search::leaf() {
  Elimination derived = elimination();
  if (derived.undetermined && undetermined_ == Undetermined::skip) return std::nullopt;
  return make_leaf(problem_, branch_, std::move(derived));
}

void Z3Search::emit(const Leaf& leaf, std::span<const std::size_t> goals) {
  Cell cell{leaf.variables()};
  PlainCell plain{leaf.halfspaces()};
  const auto functions = [&](const std::vector<Polynomial>& integrands) {
    return applied_functions(problem_, branch_, integrands, [&](const Polynomial& argument) {
      return leaf.in_coordinates(argument);
    });
  };
  const auto integrate = [&](const Polynomial& factor, std::size_t sum) {
    Polynomial integrand = leaf.integrand(factor);
    if (integrand.zero()) return;
    cell.integrands.push_back(std::move(integrand));
    cell.sums.push_back({sum});
  };
  for (const std::size_t number : goals) {
    const Goal& goal = goals_[number];
    for (const Summand& summand : goal.summands)
      integrate(power(branch_.resolved(summand.term), summand.order), summand.sum);
    for (const Output& output : goal.outputs)
      plain.images.push_back({output.law,
                              LinearForm(leaf.in_coordinates(branch_.resolved(output.term))),
                              leaf.weight()});
    if (!goal.slice) continue;
    const LinearForm term(leaf.in_coordinates(branch_.resolved(goal.slice->term)) - goal.slice->at);
    if (term.is_constant()) {  // a point mass, here or elsewhere
      if (term.constant == 0) integrate(Polynomial(1), goal.slice->mass);
      continue;
    }
    std::vector<std::size_t> sums;
    const LinearForm in_problem = leaf.from_coordinates(term);
    if (reaches(in_problem, false)) sums.push_back(goal.slice->left);
    if (reaches(in_problem, true)) sums.push_back(goal.slice->right);
    if (std::optional<Cell> slice =
            slice_of(leaf.halfspaces(), leaf.variables(), leaf.weight(), term, std::move(sums),
                     functions(std::vector{leaf.weight()})))
      ready_.push_back(std::move(*slice));
  }
  if (cell.integrands.empty()) return;
  cell.functions = functions(cell.integrands);
  cell.kind = std::move(plain);
  ready_.push_back(std::move(cell));
}

}  // namespace wmi
