// AllSMT with Z3, the reference.
//
// A depth-first search over the atoms and Booleans that matter. A node of the search is a partial
// assignment (Branch) together with the same literals on Z3's stack, and a model of them. While the
// formula or a weight is not yet determined by the assignment, some atom in it is decided both
// ways: the way of the model is known to be feasible, the other is asked of Z3. An atom with one
// feasible way, once the formula is true, bounds nothing and is left out. The leaves are
// disjoint by construction, atoms that no longer matter are never split on, and memory is that of
// one path: blocking clauses, the other way to enumerate, grow with the number of cells.
//
// At a leaf each goal either is determined too, or a search of its own goes on below the leaf: the
// atoms of one query never multiply with those of another.
//
// Faces have no volume. So an atom in integrated reals alone is asked as an open halfspace, either
// way, and Z3 says "feasible" only for cells with volume. Atoms with derived reals are asked as
// they are written: their strictness matters until the derived reals are substituted.

#include <algorithm>
#include <cassert>
#include <deque>

#include "solver/enumerator.h"
#include "solver/enumerators/branch.h"
#include "solver/enumerators/derived.h"
#include "solver/enumerators/goal_searches.h"
#include "solver/enumerators/leaf.h"
#include "solver/enumerators/smt.h"
#include "solver/terms/error.h"
#include "solver/terms/substitution.h"

namespace wmi {
namespace {

/// What to do with a cell that leaves a derived real open.
enum class Undetermined : std::uint8_t { refuse, skip };

class Search final : public Cells {
 public:
  Search(const Problem& problem, std::span<const Goal> goals, const std::stop_token& stop,
         Undetermined undetermined = Undetermined::refuse)
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

  std::optional<Cell> next() override {
    while (ready_.empty() && !done_) advance();
    if (ready_.empty()) return std::nullopt;
    Cell cell = std::move(ready_.front());
    ready_.pop_front();
    return cell;
  }

  /// A point of the leaf that was reached last.
  const Smt::Model& at_leaf() const { return *at_leaf_; }

 private:
  struct Step {
    std::optional<Smt::Model> other;  // of the way not taken yet
    bool assumed;                     // its literal is on Z3's stack
  };

  void keep_off_faces();
  void advance();
  Inspection inspect() const;
  bool take_units();
  void split(Decision decision);
  void require(Decision decision);
  std::optional<bool> model_says(const Decision& decision) const;
  bool settled() const;
  void assume(const Decision& decision);
  std::optional<Smt::Model> ask(const Decision& decision);
  void enter(Decision decision, Smt::Model model, std::optional<Smt::Model> other);
  void backtrack();
  void reach_leaf();
  std::optional<Leaf> leaf();
  Elimination elimination();
  void emit(const Leaf& leaf, std::span<const std::size_t> goals);
  bool reaches(const LinearForm& form, bool above);

  const Problem& problem_;
  const Undetermined undetermined_;
  const std::vector<Goal> goals_;
  Branch branch_;
  Smt smt_;
  std::optional<Smt::Model> model_;  // of the literals on the path
  std::vector<Step> path_;           // for each decision of the branch
  GoalSearches searches_;
  std::optional<Smt::Model> at_leaf_;  // a model of it, to start those from
  std::deque<Cell> ready_;
  bool done_ = false;
};

/// Atoms in integrated reals alone: their hyperplanes have no volume, so no model need lie on one.
/// There a derived real may have any value or none; without derived reals it does not matter.
void Search::keep_off_faces() {
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

void Search::advance() {
  if (searches_.of_problem()) {
    if (take_units()) return;
  } else if (auto units = branch_.units_of(goals_[searches_.goal()].condition); !units.empty()) {
    return require(std::move(units[0]));
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

Inspection Search::inspect() const {
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

/// Literals that the formula is a conjunction of hold in every model: no question to Z3, and no
/// need to tell it.
bool Search::take_units() {
  std::vector<Decision> units;
  std::vector<bool> taken(problem_.terms.size());
  for (const Formula assertion : problem_.assertions)
    for (Decision& unit : branch_.units_of(assertion))
      if (!taken[unit.node]) {
        taken[unit.node] = true;
        units.push_back(std::move(unit));
      }
  for (Decision& unit : units) {
    branch_.decide(std::move(unit));
    path_.push_back({std::nullopt, false});
  }
  return !units.empty();
}

/// The decisions alone make the formula true.
bool Search::settled() const {
  return std::all_of(problem_.assertions.begin(), problem_.assertions.end(),
                     [&](Formula assertion) { return branch_.truth(assertion) == Truth::yes; });
}

/// Asks for both ways; the way of the model, if the model decides, needs no question. When only one
/// way is feasible it follows from the formula, or, once that is settled, from the decisions before
/// it: then it bounds nothing.
void Search::split(Decision decision) {
  const std::optional<bool> says = model_says(decision);
  decision.holds = says.value_or(true);
  Decision other = decision;
  other.holds = !decision.holds;
  std::optional<Smt::Model> here = says ? std::move(model_) : ask(decision);
  std::optional<Smt::Model> there = ask(other);
  if (!here && !there) return backtrack();
  if (here && there) return enter(std::move(decision), std::move(*here), std::move(there));
  Decision& only = here ? decision : other;
  only.implied = settled();
  enter(std::move(only), std::move(here ? *here : *there), std::nullopt);
}

/// One way only: the other leads nowhere.
void Search::require(Decision decision) {
  const bool here = model_says(decision) == decision.holds;
  std::optional<Smt::Model> model = here ? std::move(model_) : ask(decision);
  if (!model) return backtrack();
  enter(std::move(decision), std::move(*model), std::nullopt);
}

/// How the model decides; nothing when it lies on a face, which is neither here nor there.
std::optional<bool> Search::model_says(const Decision& decision) const {
  if (!decision.atom) return model_->booleans[problem_.terms.node(decision.node).index];
  const Rational value = decision.atom->form.at(model_->reals);
  if (value == 0 && in_integrated(problem_, decision.atom->form)) return std::nullopt;
  return holds(value, decision.atom->comparison);
}

void Search::assume(const Decision& decision) {
  if (!decision.atom)
    smt_.add(Formula(decision.node, !decision.holds));
  else if (in_integrated(problem_, decision.atom->form))  // open either way
    smt_.add(decision.atom->form, decision.holds ? Comparison::less : Comparison::less_equal,
             decision.holds);
  else
    smt_.add(decision.atom->form, decision.atom->comparison, decision.holds);
}

/// A model of the path that also satisfies the decision.
std::optional<Smt::Model> Search::ask(const Decision& decision) {
  smt_.push();
  assume(decision);
  std::optional<Smt::Model> model = smt_.check();
  smt_.pop();
  return model;
}

void Search::enter(Decision decision, Smt::Model model, std::optional<Smt::Model> other) {
  const bool assumed = !decision.implied;
  if (assumed) {
    smt_.push();
    assume(decision);
  }
  model_ = std::move(model);
  branch_.decide(std::move(decision));
  path_.push_back({std::move(other), assumed});
}

/// To the last split whose other way is still open; below the bottom, to the next goal.
void Search::backtrack() {
  for (;;) {
    while (path_.size() > searches_.bottom()) {
      Decision decision = branch_.decisions().back();
      const Step step = std::move(path_.back());
      path_.pop_back();
      branch_.undo();
      if (step.assumed) smt_.pop();
      if (!step.other) continue;
      decision.holds = !decision.holds;
      return enter(std::move(decision), *step.other, std::nullopt);
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
void Search::reach_leaf() {
  if (const std::optional<Leaf> here = leaf()) {
    emit(*here, searches_.reach_leaf(goals_, branch_));
    at_leaf_ = model_;
    if (searches_.next(path_.size())) return;
  }
  backtrack();
}

/// The derived reals in this cell. Where equations leave one open, it may still be caught between
/// inequalities: one that cannot be strict here is an equation.
Elimination Search::elimination() {
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
bool Search::reaches(const LinearForm& form, bool above) {
  smt_.push();
  smt_.add(form, above ? Comparison::less_equal : Comparison::less, !above);
  const bool result = smt_.check().has_value();
  smt_.pop();
  return result;
}

std::optional<Leaf> Search::leaf() {
  Elimination derived = elimination();
  if (derived.undetermined && undetermined_ == Undetermined::skip) return std::nullopt;
  return make_leaf(problem_, branch_, std::move(derived));
}

void Search::emit(const Leaf& leaf, std::span<const std::size_t> goals) {
  Cell cell{leaf.variables()};
  cell.bounds = leaf.halfspaces();
  const auto share = [&](const Polynomial& factor, std::size_t sum) {
    Polynomial integrand = leaf.integrand(factor);
    if (integrand.zero()) return;
    cell.integrands.push_back(std::move(integrand));
    cell.sums.push_back({sum});
  };
  for (const std::size_t number : goals) {
    const Goal& goal = goals_[number];
    for (const Summand& summand : goal.summands)
      share(power(branch_.resolved(summand.term), summand.order), summand.sum);
    for (const Output& output : goal.outputs)
      cell.images.push_back({output.law,
                             LinearForm(leaf.in_coordinates(branch_.resolved(output.term))),
                             leaf.weight()});
    if (!goal.slice) continue;
    const LinearForm term(leaf.in_coordinates(branch_.resolved(goal.slice->term)) - goal.slice->at);
    if (term.is_constant()) {  // a point mass, here or elsewhere
      if (term.constant == 0) share(Polynomial(1), goal.slice->mass);
      continue;
    }
    std::vector<std::size_t> sums;
    const LinearForm in_problem = leaf.from_coordinates(term);
    if (reaches(in_problem, false)) sums.push_back(goal.slice->left);
    if (reaches(in_problem, true)) sums.push_back(goal.slice->right);
    if (std::optional<Cell> slice =
            slice_of(leaf.halfspaces(), leaf.variables(), leaf.weight(), term, std::move(sums)))
      ready_.push_back(std::move(*slice));
  }
  if (!cell.integrands.empty()) ready_.push_back(std::move(cell));
}

/// Two copies of the derived reals under the same formula: where they can differ on a region with
/// volume, a derived real is no function of the others. Where one has no value at all, the search
/// for cells will say so.
void check_single_valued(const Problem& problem, const std::stop_token& stop) {
  const Terms& terms = problem.terms;
  Problem twice;
  Substitution first(terms, twice.terms), second(terms, twice.terms);
  std::vector<std::pair<Variable, Variable>> copies;
  for (Variable variable = 0; variable < problem.integrated.size(); ++variable) {
    const Variable original = twice.terms.declare_real(terms.real_name(variable));
    first.set_real(variable, Polynomial::variable(original));
    second.set_real(variable, Polynomial::variable(original));
    twice.integrated.push_back(problem.integrated[variable]);
  }
  for (Variable variable = 0; variable < problem.integrated.size(); ++variable) {
    if (problem.integrated[variable]) continue;
    const Variable copy = twice.terms.declare_real(terms.real_name(variable));
    second.set_real(variable, Polynomial::variable(copy));
    twice.integrated.push_back(false);
    copies.emplace_back(variable, copy);
  }
  for (std::uint32_t boolean = 0; boolean < terms.boolean_count(); ++boolean) {
    const Formula same = twice.terms.declare_boolean(terms.boolean_name(boolean));
    first.set_boolean(boolean, same);
    second.set_boolean(boolean, same);
  }
  std::vector<Formula> differ;
  for (const auto& [original, copy] : copies)
    differ.push_back(
        !twice.terms.equal(Polynomial::variable(original), Polynomial::variable(copy)));
  twice.assertions.push_back(twice.terms.any(differ));
  for (const Formula assertion : problem.assertions) {
    twice.assertions.push_back(first(assertion));
    twice.assertions.push_back(second(assertion));
  }

  const Goal volume{truth, {{Polynomial(1), 0}}, {}};
  Search search(twice, std::span(&volume, 1), stop, Undetermined::skip);
  while (const std::optional<Cell> cell = search.next()) {
    try {
      if (cell->region().flat) continue;
    } catch (const Unbounded&) {  // has volume
    }
    const std::vector<Rational>& point = search.at_leaf().reals;
    for (const auto& [original, copy] : copies) {
      if (point[original] == point[copy]) continue;
      std::string where;
      for (Variable variable = 0; variable < problem.integrated.size(); ++variable)
        if (problem.integrated[variable])
          where += (where.empty() ? "" : ", ") + terms.real_name(variable) + " = " +
                   to_string(point[variable]);
      for (std::uint32_t boolean = 0; boolean < terms.boolean_count(); ++boolean)
        where += (where.empty() ? "" : ", ") +
                 std::string(search.at_leaf().booleans[boolean] ? "" : "not ") +
                 terms.boolean_name(boolean);
      throw Error("'" + terms.real_name(original) + "' has two values where " + where + ": " +
                  to_string(point[original]) + " and " + to_string(point[copy]) +
                  "; a real that is not integrated must be a function of the others");
    }
  }
}

class Z3Enumerator final : public Enumerator {
 public:
  std::unique_ptr<Cells> start(const Problem& problem, std::span<const Goal> goals,
                               std::stop_token stop) const override {
    if (std::count(problem.integrated.begin(), problem.integrated.end(), false) > 0)
      check_single_valued(problem, stop);
    return std::make_unique<Search>(problem, goals, stop);
  }
};

}  // namespace

std::unique_ptr<Enumerator> make_z3() { return std::make_unique<Z3Enumerator>(); }

}  // namespace wmi
