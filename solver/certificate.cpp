// A search for a proof.
//
// The search is that of the `split` enumerator: decisions on a path (Branch), and the region of the
// path with its vertices (Blocks). What it writes is the path itself, so that a reader sees every
// point of the space go one way or the other. Where the region alone decides an atom nothing is
// written: at a cell the reader sees it from the vertices. Only where the formula is false because
// of such atoms are they written as splits of which one way is thin, with Farkas multipliers.
//
// Derived reals are pinned: an equation that the formula cannot hold without, written together with
// the proof that it cannot, replaces one of them by an affine form in the others.
//
// A query asks for integrals under conditions: its goals. At a leaf of the formula and the weights
// the goals that are determined share the cell, and each other goal has a tree of its own below a
// fork. Where what is open falls apart into components that share nothing, each has a tree of its
// own below a product.

#include "solver/certificate.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "solver/blocks.h"
#include "solver/certificate_writer.h"
#include "solver/enumerators/branch.h"
#include "solver/enumerators/components.h"
#include "solver/enumerators/weighing.h"
#include "solver/error.h"
#include "solver/farkas.h"
#include "solver/goal.h"
#include "solver/substitution.h"

namespace wmi {
namespace {

LinearForm opposite(LinearForm form) {
  form.constant = -form.constant;
  for (auto& [variable, coefficient] : form.coefficients) coefficient = -coefficient;
  return form;
}

/// An integral as a search sees it: over the models that satisfy the conditions, of the weight
/// times a power of a term.
struct Aim {
  std::vector<Formula> conditions = {};
  std::optional<Polynomial> term = {};
  bool sliced = false;  // at term = at
  Rational at = {};
};

/// In the order in which a certificate numbers them.
std::vector<Aim> aims(Terms& terms, const Query& query) {
  const std::vector<Formula> given{query.given};
  switch (query.kind) {
    case Query::Kind::wmi:
      return {{{query.event}}};
    case Query::Kind::probability:
      return {{given}, {{query.given, query.event}}};
    case Query::Kind::cdf:
      return {{given}, {{query.given, terms.less_equal(query.term, query.at)}}};
    case Query::Kind::density:
      return {{given}, {given, query.term, true, query.at}};
    case Query::Kind::variance:
      return {{given}, {given, query.term}, {given, query.term}};
    default:
      return {{given}, {given, query.term}};
  }
}

/// What a tree is about: the problem with its goals, or a component of it.
struct Scope {
  std::vector<Formula> formulas;
  std::vector<std::uint32_t> weights;  // by number
  std::vector<Variable> coordinates;   // ascending
  std::vector<Aim> aims;
};

class Prover {
 public:
  Prover(Problem& problem, std::vector<Aim> aims, std::ostream& out, const std::stop_token& stop)
      : problem_(problem),
        scope_{problem.assertions, {}, {}, std::move(aims)},
        out_(out),
        stop_(stop),
        weighing_(problem_),
        branch_(problem_, nodes()),
        region_(0) {
    for (Variable variable = 0; variable < problem_.integrated.size(); ++variable)
      if (problem_.integrated[variable]) {
        coordinates_[variable] = static_cast<Variable>(variables_.size());
        scope_.coordinates.push_back(coordinates_[variable]);
        variables_.push_back(variable);
      }
    region_ = Blocks(variables_.size());
    for (std::uint32_t i = 0; i < problem_.weights.size(); ++i) scope_.weights.push_back(i);
    activate_all();
  }

  void prove() {
    while (!done_) {
      if (stop_.stop_requested()) throw Stopped();
      advance();
    }
  }

 private:
  struct Step {  // one move on the path, and how to take it back
    bool decided = false, cut = false, pinned = false;
    std::optional<std::uint32_t> silent = {};  // an atom that the region decides
    std::optional<Blocks> region_before = {};
    std::optional<Decision> other = {};        // the way not taken yet, if it is one of the branch
    std::optional<LinearForm> other_row = {};  // and its row, if it has one
    std::optional<Blocks> other_region = {};
    std::vector<std::vector<std::size_t>> waiting = {};  // of a fork: the goals of other trees
    std::vector<std::size_t> active_before = {};
    std::vector<Scope> parts = {};  // of a product: those of other trees
    std::optional<Scope> scope_before = {};
    std::size_t rows_before = 0;
  };

  struct Pin {
    Variable variable;
    LinearForm value;
  };

  std::vector<std::uint32_t> nodes() const {
    std::vector<Goal> goals;
    for (const Aim& aim : scope_.aims) {
      for (const Formula condition : aim.conditions) goals.push_back({condition, {}, {}});
      if (aim.term) goals.push_back({truth, {{*aim.term, 0}}, {}});
    }
    return cone(problem_, goals);
  }

  void activate_all() {
    active_.resize(scope_.aims.size());
    std::iota(active_.begin(), active_.end(), std::size_t{0});
  }

  void advance();
  bool take_unit();
  bool pin(const Decision& unit);
  void refuse_to_hold(const Decision& decision, const LinearForm* row);
  bool take(std::uint32_t node);
  void decide_silently(std::uint32_t node, bool holds, std::optional<LinearForm> row);
  void split(std::uint32_t node, const LinearForm& form);
  void cut(const LinearForm& form);
  bool settle(Formula formula);
  bool settle(const Polynomial& polynomial);
  bool settle_aim(const Aim& aim);
  Truth condition(const Aim& aim) const;
  bool determined(const Aim& aim) const;
  bool closed() const;
  bool closed_for_active() const;
  bool ready_for_cell() const;
  bool fall_apart();
  std::vector<Formula> open_conditions(const Aim& aim) const;
  void write_product(const std::vector<Component>& found);
  void fork_or_cell();
  void fork(std::vector<std::vector<std::size_t>> trees);
  void write_cell();
  void write_falsehood();
  void show(const std::vector<std::uint32_t>& atoms);
  void backtrack();

  std::vector<std::uint32_t> reasons() const;
  LinearForm reduced(const LinearForm& form) const;
  bool has_derived(const LinearForm& form) const { return !in_integrated(problem_, form); }
  LinearForm placed(const LinearForm& form) const;

  Problem& problem_;
  Scope scope_;
  CertificateWriter out_;
  const std::stop_token& stop_;
  const Weighing weighing_;
  Branch branch_;
  Blocks region_;
  std::map<Variable, Variable> coordinates_;
  std::vector<Variable> variables_;  // of the coordinates
  std::vector<LinearForm> rows_;     // of the path: none is above 0
  std::vector<Pin> pins_;
  std::map<std::uint32_t, LinearForm> silent_;  // atoms that the region decides: <= 0 there
  std::vector<Step> path_;
  std::vector<std::size_t> active_;
  bool done_ = false;
};

LinearForm Prover::placed(const LinearForm& form) const {
  LinearForm result = form;
  for (auto& [variable, coefficient] : result.coefficients) variable = coordinates_.at(variable);
  return result;
}

/// With the pinned reals replaced, and primitive.
LinearForm Prover::reduced(const LinearForm& form) const {
  if (!has_derived(form)) return form;
  Polynomial polynomial = form.polynomial();
  for (const Pin& pin : pins_) {
    const Rational coefficient = LinearForm(polynomial).coefficient(pin.variable);
    if (coefficient == 0) continue;
    polynomial -= coefficient * Polynomial::variable(pin.variable);
    polynomial += coefficient * pin.value.polynomial();
  }
  LinearForm result(polynomial);
  if (!result.is_constant()) result.make_primitive();
  return result;
}

bool Prover::closed() const {
  return std::any_of(scope_.formulas.begin(), scope_.formulas.end(),
                     [&](Formula formula) { return branch_.truth(formula) == Truth::no; }) ||
         weighing_.vanishes(branch_);
}

Truth Prover::condition(const Aim& aim) const {
  Truth result = Truth::yes;
  for (const Formula part : aim.conditions) {
    if (branch_.truth(part) == Truth::no) return Truth::no;
    if (branch_.truth(part) == Truth::unknown) result = Truth::unknown;
  }
  return result;
}

/// Formula and weights are determined, and the region has vertices.
bool Prover::ready_for_cell() const {
  return std::all_of(scope_.formulas.begin(), scope_.formulas.end(),
                     [&](Formula formula) { return branch_.truth(formula) == Truth::yes; }) &&
         !weighing_.open_in(branch_, scope_.weights) &&
         region_.restricted(scope_.coordinates).bounded();
}

bool Prover::closed_for_active() const {
  return std::all_of(active_.begin(), active_.end(),
                     [&](std::size_t i) { return condition(scope_.aims[i]) == Truth::no; });
}

void Prover::advance() {
  if (closed()) {
    write_falsehood();
    return backtrack();
  }
  if (closed_for_active()) {
    // At a cell a reader sees what the region decides, which would otherwise be shown one by one.
    if (reasons().size() > 1 && ready_for_cell())
      write_cell();
    else
      write_falsehood();
    return backtrack();
  }
  if (take_unit() || fall_apart()) return;
  bool stuck = false;
  for (const Formula formula : scope_.formulas) {
    if (branch_.truth(formula) != Truth::unknown) continue;
    if (settle(formula)) return;
    stuck = true;
  }
  if (stuck) throw GaveUp("no certificate: a derived real is not pinned by equations");
  if (const auto decision = weighing_.open_in(branch_, scope_.weights)) {
    if (!take(decision->node)) throw GaveUp("no certificate: a derived real is not pinned");
    return;
  }
  if (active_.size() == 1 && settle_aim(scope_.aims[active_[0]])) return;
  fork_or_cell();
}

/// Decides something in the formula; false if nothing in it can be decided yet.
bool Prover::settle(Formula formula) {
  std::optional<std::uint32_t> best;
  std::size_t most = 0;
  for (const std::uint32_t node : branch_.open_below(std::span(&formula, 1), {})) {
    if (problem_.terms.node(node).kind == Kind::atom) {
      const Atom* const atom = branch_.atom(node);
      if (atom == nullptr) continue;
      const LinearForm form = reduced(atom->form);
      if (has_derived(form)) continue;
      if (form.is_constant() || atom->comparison == Comparison::equal ||
          region_.sides(placed(form)) != Sides::both)
        return take(node);
    }
    if (const std::size_t uses = branch_.uses(node); !best || uses > most) {
      best = node;
      most = uses;
    }
  }
  return best && take(*best);
}

bool Prover::settle(const Polynomial& polynomial) {
  const auto decision = branch_.open_in(polynomial);
  if (!decision) return false;
  if (!take(decision->node)) throw GaveUp("no certificate: a derived real is not pinned");
  return true;
}

/// Decides what the goal waits for; false if it waits for nothing.
bool Prover::settle_aim(const Aim& aim) {
  for (const Formula part : aim.conditions) {
    if (branch_.truth(part) != Truth::unknown) continue;
    if (!settle(part)) throw GaveUp("no certificate: a derived real is not pinned");
    return true;
  }
  if (aim.term && settle(*aim.term)) return true;
  if (determined(aim)) return false;
  LinearForm form = reduced(LinearForm(branch_.resolved(*aim.term) - aim.at));
  form.make_primitive();
  cut(form);
  return true;
}

bool Prover::determined(const Aim& aim) const {
  const Truth known = condition(aim);
  if (known != Truth::yes) return known == Truth::no;
  if (aim.term && branch_.open_in(*aim.term)) return false;
  if (!aim.sliced) return true;
  LinearForm form = reduced(LinearForm(branch_.resolved(*aim.term) - aim.at));
  if (form.is_constant()) return true;
  form.make_primitive();
  return region_.sides(placed(form)) != Sides::both;
}

/// The conditions that are not known yet.
std::vector<Formula> Prover::open_conditions(const Aim& aim) const {
  std::vector<Formula> result;
  std::copy_if(aim.conditions.begin(), aim.conditions.end(), std::back_inserter(result),
               [&](Formula part) { return branch_.truth(part) == Truth::unknown; });
  return result;
}

/// Into components that share nothing, for goals that have the same conditions and whose terms are
/// known. Where there are others, into groups of goals, if it helps the formula.
bool Prover::fall_apart() {
  if (variables_.size() < problem_.integrated.size()) return false;  // derived reals
  if (region_.block_count() < 2 && problem_.terms.boolean_count() == 0) return false;
  std::vector<std::vector<Formula>> conditions;
  std::vector<std::vector<std::size_t>> groups;
  std::vector<std::size_t> unfit;
  for (const std::size_t i : active_) {
    const Aim& aim = scope_.aims[i];
    if (condition(aim) == Truth::no) {
      unfit.push_back(i);
      continue;
    }
    if (aim.sliced || (aim.term && branch_.open_in(*aim.term))) {
      unfit.push_back(i);
      continue;
    }
    std::vector<Formula> open = open_conditions(aim);
    const auto same = std::find(conditions.begin(), conditions.end(), open);
    if (same == conditions.end()) {
      conditions.push_back(std::move(open));
      groups.push_back({i});
    } else {
      groups[static_cast<std::size_t>(same - conditions.begin())].push_back(i);
    }
  }
  if (groups.empty()) return false;
  std::vector<Formula> formulas = scope_.formulas;
  if (groups.size() == 1)
    formulas.insert(formulas.end(), conditions[0].begin(), conditions[0].end());
  const std::vector<Component> found = components(
      problem_, branch_, weighing_, region_, weighing_.large(branch_), formulas, scope_.weights);
  if (found.size() < 2) return false;
  if (!unfit.empty()) groups.push_back(unfit);
  if (groups.size() == 1)
    write_product(found);
  else
    fork(std::move(groups));
  return true;
}

void Prover::write_product(const std::vector<Component>& found) {
  std::vector<Scope> parts;
  std::vector<Variable> rest = scope_.coordinates;
  for (const Component& component : found) {
    parts.push_back({component.formulas, component.weights, component.coordinates, {Aim{}}});
    std::erase_if(rest, [&](Variable coordinate) {
      return std::binary_search(component.coordinates.begin(), component.coordinates.end(),
                                coordinate);
    });
  }
  if (!rest.empty()) parts.push_back({{}, {}, rest, {Aim{}}});
  Step step;
  step.rows_before = rows_.size();
  std::vector<std::uint32_t> silent;
  for (const auto& [node, row] : silent_) silent.push_back(node);
  show(silent);
  out_.tag(CertificateNode::product);
  out_.natural(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    out_.natural(parts[i].coordinates.size());
    for (const Variable coordinate : parts[i].coordinates) out_.natural(variables_[coordinate]);
    out_.natural(i < found.size() ? found[i].booleans.size() : 0);
    for (std::size_t j = 0; i < found.size() && j < found[i].booleans.size(); ++j)
      out_.natural(problem_.terms.node(found[i].booleans[j]).index);
  }
  step.active_before = std::move(active_);
  step.scope_before = std::exchange(scope_, std::move(parts[0]));
  step.parts.assign(std::make_move_iterator(parts.rbegin()),
                    std::make_move_iterator(parts.rend() - 1));
  activate_all();
  path_.push_back(std::move(step));
}

/// A literal without which the formula cannot hold.
bool Prover::take_unit() {
  std::vector<Decision> units;
  for (const Formula formula : scope_.formulas)
    if (branch_.truth(formula) == Truth::unknown)
      for (const Decision& unit : branch_.units_of(formula)) units.push_back(unit);
  std::stable_sort(units.begin(), units.end(), [](const Decision& a, const Decision& b) {
    const auto width = [](const Decision& unit) {
      return unit.atom ? unit.atom->form.coefficients.size() : 0;
    };
    return width(a) < width(b);
  });
  for (const Decision& unit : units) {
    if (unit.atom == nullptr) {
      const std::uint32_t index = problem_.terms.node(unit.node).index;
      out_.tag(unit.holds ? CertificateNode::branch_false_first
                          : CertificateNode::branch_true_first);
      out_.natural(index);
      refuse_to_hold(unit, nullptr);
      branch_.decide(unit);
      path_.push_back({.decided = true});
      return true;
    }
    const LinearForm form = reduced(unit.atom->form);
    if (has_derived(form)) {
      if (unit.atom->comparison == Comparison::equal && unit.holds) return pin(unit);
      continue;
    }
    if (form.is_constant() || unit.atom->comparison == Comparison::equal ||
        region_.sides(placed(form)) != Sides::both)
      return take(unit.node);
    const LinearForm row = unit.holds ? form : opposite(form);
    out_.tag(CertificateNode::split);
    const LinearForm away = opposite(row);
    out_.form(away);
    refuse_to_hold(unit, &away);
    Blocks half = unit.holds ? region_.below(placed(form)) : region_.above(placed(form));
    Step step{.decided = true, .cut = true, .region_before = std::move(region_)};
    region_ = std::move(half);
    rows_.push_back(row);
    branch_.decide(unit);
    path_.push_back(std::move(step));
    return true;
  }
  return false;
}

/// The way on which the literal fails: there the formula is false.
void Prover::refuse_to_hold(const Decision& decision, const LinearForm* row) {
  Decision failing = decision;
  failing.holds = !decision.holds;
  branch_.decide(failing);
  if (row != nullptr) rows_.push_back(*row);
  if (!closed()) throw GaveUp("no certificate: a literal that must hold was not refuted");
  write_falsehood();
  if (row != nullptr) rows_.pop_back();
  branch_.undo();
}

/// An equation that must hold and has a derived real in it.
bool Prover::pin(const Decision& unit) {
  const LinearForm form = reduced(unit.atom->form);
  out_.tag(CertificateNode::pin);
  out_.form(form);
  refuse_to_hold(unit, nullptr);
  const auto pivot =
      std::find_if(form.coefficients.begin(), form.coefficients.end(),
                   [&](const auto& entry) { return !problem_.integrated[entry.first]; });
  Polynomial value = form.polynomial() - pivot->second * Polynomial::variable(pivot->first);
  value *= -1 / pivot->second;
  pins_.push_back({pivot->first, LinearForm(value)});
  branch_.decide(unit);
  path_.push_back({.decided = true, .pinned = true});
  return true;
}

/// Decides a Boolean or an atom, both ways if it can go both ways. False if it has derived reals
/// that are not pinned.
bool Prover::take(std::uint32_t node) {
  const Atom* const atom = branch_.atom(node);
  if (problem_.terms.node(node).kind == Kind::boolean) {
    out_.tag(CertificateNode::branch_true_first);
    out_.natural(problem_.terms.node(node).index);
    Step step{.decided = true};
    step.other = branch_.decision_on(node, false);
    branch_.decide(branch_.decision_on(node, true));
    path_.push_back(std::move(step));
    return true;
  }
  const LinearForm form = reduced(atom->form);
  if (has_derived(form)) return false;
  if (form.is_constant()) {
    decide_silently(node, holds(form.constant, atom->comparison), {});
  } else if (atom->comparison == Comparison::equal) {
    decide_silently(node, false, {});
  } else if (const Sides sides = region_.sides(placed(form)); sides != Sides::both) {
    decide_silently(node, sides == Sides::below, sides == Sides::below ? form : opposite(form));
  } else {
    split(node, form);
  }
  return true;
}

void Prover::decide_silently(std::uint32_t node, bool holds, std::optional<LinearForm> row) {
  Step step{.decided = true};
  if (row) {
    silent_.emplace(node, std::move(*row));
    step.silent = node;
  }
  branch_.decide(branch_.decision_on(node, holds));
  path_.push_back(std::move(step));
}

void Prover::split(std::uint32_t node, const LinearForm& form) {
  cut(form);
  Step& step = path_.back();
  step.decided = true;
  step.other = branch_.decision_on(node, false);
  branch_.decide(branch_.decision_on(node, true));
}

void Prover::cut(const LinearForm& form) {
  auto [below, above] = region_.cut(placed(form));
  out_.tag(CertificateNode::split);
  out_.form(form);
  Step step{.cut = true};
  step.other_row = opposite(form);
  step.other_region = std::move(above);
  step.region_before = std::move(region_);
  region_ = std::move(below);
  rows_.push_back(form);
  path_.push_back(std::move(step));
}

/// Formula and weights are determined.
void Prover::fork_or_cell() {
  std::vector<std::size_t> together;
  std::vector<std::vector<std::size_t>> trees;
  for (const std::size_t i : active_) {
    if (determined(scope_.aims[i]))
      together.push_back(i);
    else
      trees.push_back({i});
  }
  if (trees.empty()) {
    write_cell();
    return backtrack();
  }
  if (!together.empty()) trees.insert(trees.begin(), together);
  fork(std::move(trees));
}

void Prover::fork(std::vector<std::vector<std::size_t>> trees) {
  out_.tag(CertificateNode::fork);
  out_.natural(trees.size());
  for (const std::vector<std::size_t>& tree : trees) {
    out_.natural(tree.size());
    for (const std::size_t i : tree) out_.natural(i);
  }
  Step step;
  step.active_before = std::move(active_);
  active_ = std::move(trees[0]);
  step.waiting.assign(trees.rbegin(), trees.rend() - 1);
  path_.push_back(std::move(step));
}

void Prover::write_cell() {
  const Region region = region_.restricted(scope_.coordinates).region();
  out_.tag(CertificateNode::cell);
  out_.natural(region.factors.size());
  for (const Region::Factor& factor : region.factors) {
    out_.natural(factor.coordinates.size());
    for (const Variable coordinate : factor.coordinates)
      out_.natural(variables_[scope_.coordinates[coordinate]]);
    const Polytope& polytope = factor.polytope;
    out_.natural(polytope.vertex_count());
    for (std::size_t v = 0, k = 0; v < polytope.vertex_count(); ++v) {
      out_.natural(polytope.corners()[k++]);
      for (std::size_t j = 0; j < polytope.dimension(); ++j) out_.integer(polytope.corners()[k++]);
    }
  }
}

/// The atoms decided by the region alone that make the formula false (or the weight 0, or the
/// conditions of all queries false): a walk down from what is false.
std::vector<std::uint32_t> Prover::reasons() const {
  const Terms& terms = problem_.terms;
  std::vector<std::uint32_t> open, result;
  std::vector<bool> seen(terms.size());
  const auto visit = [&](std::uint32_t node) {
    if (!seen[node]) open.push_back(node);
    seen[node] = true;
  };
  const auto visit_variable = [&](Variable variable) {
    if (const std::uint32_t node = terms.defining_node(variable); node != 0) visit(node);
  };
  const auto is_false = [&](Formula formula) { return branch_.truth(formula) == Truth::no; };
  const auto false_formula = std::find_if(scope_.formulas.begin(), scope_.formulas.end(), is_false);
  if (false_formula != scope_.formulas.end()) {
    visit(false_formula->node());
  } else if (weighing_.vanishes(branch_)) {
    const auto weight = std::find_if(problem_.weights.begin(), problem_.weights.end(),
                                     [&](const Weight& candidate) {
                                       return branch_.truth(candidate.condition) == Truth::yes &&
                                              branch_.vanishes(candidate.value);
                                     });
    visit(weight->condition.node());
    for (const Polynomial::Term& term : weight->value.terms())
      for (const Power& power : term.monomial)
        if (const Polynomial* value = branch_.value(power.variable);
            value != nullptr && value->zero()) {
          visit_variable(power.variable);
          break;
        }
  } else {
    for (const std::size_t i : active_) {
      const std::vector<Formula>& parts = scope_.aims[i].conditions;
      visit(std::find_if(parts.begin(), parts.end(), is_false)->node());
    }
  }
  while (!open.empty()) {
    const std::uint32_t number = open.back();
    open.pop_back();
    const Node& node = terms.node(number);
    switch (node.kind) {
      case Kind::constant:
      case Kind::boolean:
        break;
      case Kind::atom:
        if (silent_.contains(number)) result.push_back(number);
        for (const auto& [variable, coefficient] : terms.atom(node.index).form.coefficients)
          visit_variable(variable);
        break;
      case Kind::conjunction:
        if (branch_.truth(Formula(number, false)) == Truth::yes) {
          for (const Formula child : node.children) visit(child.node());
        } else {
          visit(std::find_if(node.children.begin(), node.children.end(), [&](Formula child) {
                  return branch_.truth(child) == Truth::no;
                })->node());
        }
        break;
      case Kind::choice:
        switch (branch_.truth(node.children[0])) {
          case Truth::yes:
            visit(node.children[0].node());
            visit(node.children[1].node());
            break;
          case Truth::no:
            visit(node.children[0].node());
            visit(node.children[2].node());
            break;
          case Truth::unknown:
            visit(node.children[1].node());
            visit(node.children[2].node());
        }
        break;
      case Kind::definition: {
        const Definition& definition = terms.definition(node.index);
        visit(definition.condition.node());
        const bool then = branch_.truth(definition.condition) == Truth::yes;
        for (const Variable variable : (then ? definition.then : definition.otherwise).variables())
          visit_variable(variable);
        break;
      }
    }
  }
  return result;
}

void Prover::write_falsehood() {
  const std::size_t before = rows_.size();
  show(reasons());
  rows_.resize(before);
  out_.tag(CertificateNode::falsehood);
}

/// Writes atoms that the region alone decides as splits of which one way is thin.
void Prover::show(const std::vector<std::uint32_t>& atoms) {
  for (const std::uint32_t node : atoms) {
    const LinearForm& row = silent_.at(node);
    if (std::find(rows_.begin(), rows_.end(), row) != rows_.end()) continue;
    const std::optional<std::vector<Rational>> multipliers = implied_by(row, rows_);
    if (!multipliers) throw GaveUp("no certificate: an atom is not implied by the path");
    out_.tag(CertificateNode::split);
    out_.form(opposite(row));
    out_.tag(CertificateNode::thin);
    Integer common = 1;
    std::size_t count = 1;
    for (const Rational& multiplier : *multipliers) {
      common = lcm(common, multiplier.get_den());
      count += multiplier != 0;
    }
    out_.natural(count);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if ((*multipliers)[i] == 0) continue;
      out_.natural(i);
      out_.natural(Integer((*multipliers)[i] * common));
    }
    out_.natural(rows_.size());
    out_.natural(common);
    rows_.push_back(row);
  }
}

/// To the last step with a way that is still open.
void Prover::backtrack() {
  while (!path_.empty()) {
    Step& step = path_.back();
    if (step.decided) branch_.undo();
    if (step.silent) silent_.erase(*step.silent);
    if (step.pinned) pins_.pop_back();
    if (step.cut) rows_.pop_back();
    if (!step.waiting.empty()) {
      active_ = std::move(step.waiting.back());
      step.waiting.pop_back();
      return;
    }
    if (!step.parts.empty()) {
      scope_ = std::move(step.parts.back());
      step.parts.pop_back();
      return activate_all();
    }
    if (step.scope_before) {
      scope_ = *std::move(step.scope_before);
      rows_.resize(step.rows_before);
    }
    if (!step.active_before.empty()) active_ = std::move(step.active_before);
    if (step.other || step.other_row) {
      if (step.other_row) {
        rows_.push_back(*step.other_row);
        region_ = std::move(*step.other_region);
      }
      if (step.other) branch_.decide(*step.other);
      step.decided = step.other.has_value();
      step.other.reset();
      step.other_row.reset();
      step.other_region.reset();
      return;
    }
    if (step.region_before) region_ = std::move(*step.region_before);
    path_.pop_back();
  }
  done_ = true;
}

void write_claim(CertificateWriter& out, const std::vector<Interval>& values) {
  const bool exact = std::all_of(values.begin(), values.end(),
                                 [](const Interval& value) { return value.exact(); });
  out.tag(exact ? CertificateClaim::exact : CertificateClaim::enclosed);
  for (const Interval& value : values) {
    out.rational(value.lower);
    if (!exact) out.rational(value.upper);
  }
}

}  // namespace

bool certifiable(const Query& query) {
  switch (query.kind) {
    case Query::Kind::echo:
    case Query::Kind::satisfiable:
    case Query::Kind::distribution:
    case Query::Kind::quantile:
      return false;
    default:
      return true;
  }
}

void certify(const Task& task, std::span<const Answer> answers, std::ostream& out,
             const std::stop_token& stop) {
  Task sliced = observed(task);
  std::vector<Aim> all;
  for (const Query& query : sliced.queries)
    if (certifiable(query))
      for (Aim& aim : aims(sliced.problem.terms, query)) all.push_back(std::move(aim));
  if (all.empty()) return;
  const auto has_no_claim = [&](std::size_t i) {
    return certifiable(task.queries[i]) && task.queries[i].kind != Query::Kind::density &&
           !answers[i].value && answers[i].undefined.empty();
  };
  for (std::size_t i = 0; i < task.queries.size(); ++i)
    if (has_no_claim(i))
      throw Error("no certificate: " + answers[i].refused, task.queries[i].where);
  Prover(sliced.problem, std::move(all), out, stop).prove();
  CertificateWriter writer(out);
  for (std::size_t i = 0; i < task.queries.size(); ++i) {
    if (!certifiable(task.queries[i])) continue;
    const Answer& answer = answers[i];
    if (!answer.undefined.empty()) {
      writer.tag(CertificateClaim::undefined);
    } else if (answer.value) {
      std::vector<Interval> values{*answer.value};
      if (task.queries[i].kind == Query::Kind::density) values.push_back(*answer.left);
      write_claim(writer, values);
    } else {
      writer.tag(CertificateClaim::point_mass);
    }
  }
}

}  // namespace wmi
