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
//
// The search may also find the answers: then each cell is integrated before it is written, and the
// sums are those that a reader comes to. When it has to stop, or need not go on, it leaves open
// what is left: a region, of which a reader sees how much it can add (Prospect says the same). So
// the sums are intervals, and so are the answers, and what is claimed is what the tree proves.

#include "solver/certificate.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "solver/answers.h"
#include "solver/blocks.h"
#include "solver/bounds.h"
#include "solver/certificate_writer.h"
#include "solver/enumerators/branch.h"
#include "solver/enumerators/components.h"
#include "solver/enumerators/leaf.h"
#include "solver/enumerators/prospect.h"
#include "solver/enumerators/weighing.h"
#include "solver/error.h"
#include "solver/evaluation.h"
#include "solver/farkas.h"
#include "solver/flatness.h"
#include "solver/goal.h"
#include "solver/substitution.h"
#include "solver/sum.h"

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
  unsigned order = 0;   // the power
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
      return {{given}, {given, query.term, 1, true, query.at}};
    case Query::Kind::variance:
      return {{given}, {given, query.term, 1}, {given, query.term, 2}};
    case Query::Kind::moment:
      return {{given}, {given, query.term, query.order}};
    default:
      return {{given}, {given, query.term, 1}};
  }
}

/// What an integral comes to.
struct Tally {
  Sum sum, left, right;    // of a slice, the sum is that of a point mass
  std::size_t cells = 0;   // integrated for it
  bool open = false;       // the sum has what may be in places that are left open
  bool unbounded = false;  // of a slice: nothing is known of what is there
};

/// Which places need not be searched: all that are bounded, or those with an integral of at most so
/// much.
struct Threshold {
  std::optional<Rational> least;
};

/// What a tree is about: the problem with its goals, or a component of it.
struct Scope {
  std::vector<Formula> formulas;
  std::vector<std::uint32_t> weights;  // by number
  std::vector<Variable> coordinates;   // ascending
  std::vector<Aim> aims;
  std::vector<std::uint32_t> booleans = {};  // by node
  std::vector<Tally> tallies = {};           // of the aims, if they are summed up
};

/// An aim of a product: numbers times one aim of each part, added up.
struct Products {
  struct Term {
    Rational coefficient;
    std::vector<std::size_t> aims;
  };
  std::size_t aim;
  std::vector<Term> terms = {};
};

class Prover {
 public:
  /// With an integrator it also sums up, and leaves open what it does not come to; so it does with
  /// what is below a threshold.
  Prover(Problem& problem, std::vector<Aim> aims, std::ostream& out, const std::stop_token& stop,
         const Integrator* integrator = nullptr, std::optional<Threshold> threshold = {},
         Watch* watch = nullptr)
      : problem_(problem),
        scope_{problem.assertions, {}, {}, std::move(aims)},
        out_(out),
        stop_(stop),
        threshold_(std::move(threshold)),
        watch_(watch),
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
    for (std::uint32_t i = 0; i < problem_.terms.boolean_count(); ++i)
      scope_.booleans.push_back(problem_.terms.boolean(i).node());
    if (integrator != nullptr) evaluation_.emplace(*split_, *integrator, std::stop_token());
    activate_all();
  }

  void prove() {
    std::size_t late = 0;  // steps to where something can be left open
    constexpr std::size_t patience = 100'000;
    while (!done_) {
      stopped_ = stopped_ || stop_.stop_requested();
      if (stopped_ && (!evaluation_ || late++ > patience)) throw Stopped();
      advance();
    }
  }

  /// What was summed up.
  const std::vector<Tally>& tallies() const { return scope_.tallies; }
  bool stopped() const { return stopped_; }
  std::size_t cells() const { return cells_; }
  /// The integrals of the weight, at most, over all that is left open.
  const Rational& open() const { return open_; }

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
    std::vector<Scope> done = {};
    std::vector<Products> products = {};
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
    scope_.tallies.resize(scope_.aims.size());
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
  bool ready_for_all() const;
  bool within_product() const {
    return std::any_of(path_.begin(), path_.end(),
                       [](const Step& step) { return step.scope_before.has_value(); });
  }
  bool fall_apart();
  std::vector<Formula> open_conditions(const Aim& aim) const;
  void write_product(const std::vector<Component>& found);
  std::vector<Products> share_aims(const std::vector<Component>& found, std::vector<Scope>& parts);
  void multiply(Step& step);
  void fork_or_cell();
  void fork(std::vector<std::vector<std::size_t>> trees);
  void write_cell();
  void write_region(CertificateNode kind);
  void integrate();
  std::vector<Interval> integrals(std::vector<Polynomial> integrands) const;
  Polynomial in_coordinates(const Polynomial& polynomial) const;
  std::size_t look_around();
  bool leave_open();
  bool bound();
  bool small(const Interval& weight) const;
  void write_falsehood();
  void show(const std::vector<std::uint32_t>& atoms);
  void backtrack();

  std::vector<std::uint32_t> reasons() const;
  LinearForm without_pinned(const LinearForm& form) const;
  LinearForm reduced(const LinearForm& form) const;
  bool pinned() const { return variables_.size() + pins_.size() == problem_.integrated.size(); }
  bool has_derived(const LinearForm& form) const { return !in_integrated(problem_, form); }
  LinearForm placed(const LinearForm& form) const;

  Problem& problem_;
  Scope scope_;
  CertificateWriter out_;
  const std::stop_token& stop_;
  const std::optional<Threshold> threshold_;
  Watch* const watch_;
  const std::unique_ptr<Enumerator> split_ = make_split();
  std::optional<Evaluation> evaluation_;  // if it sums up
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
  std::size_t cells_ = 0;
  Rational open_ = 0;
  bool stopped_ = false, done_ = false;
};

LinearForm Prover::placed(const LinearForm& form) const {
  LinearForm result = form;
  for (auto& [variable, coefficient] : result.coefficients) variable = coordinates_.at(variable);
  return result;
}

/// With the pinned reals replaced.
LinearForm Prover::without_pinned(const LinearForm& form) const {
  Polynomial polynomial = form.polynomial();
  for (const Pin& pin : pins_) {
    const Rational coefficient = LinearForm(polynomial).coefficient(pin.variable);
    if (coefficient == 0) continue;
    polynomial -= coefficient * Polynomial::variable(pin.variable);
    polynomial += coefficient * pin.value.polynomial();
  }
  return LinearForm(polynomial);
}

/// With the pinned reals replaced, and then primitive.
LinearForm Prover::reduced(const LinearForm& form) const {
  if (!has_derived(form)) return form;
  LinearForm result = without_pinned(form);
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

/// All goals are determined as well: it is a cell.
bool Prover::ready_for_all() const {
  return ready_for_cell() && std::all_of(active_.begin(), active_.end(),
                                         [&](std::size_t i) { return determined(scope_.aims[i]); });
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
  if (take_unit()) return;
  if ((stopped_ || (threshold_ && !within_product() && !ready_for_all())) && leave_open())
    return backtrack();
  if (fall_apart()) return;
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
    parts.push_back({component.formulas,
                     component.weights,
                     component.coordinates,
                     {Aim{}},
                     component.booleans});
    std::erase_if(rest, [&](Variable coordinate) {
      return std::binary_search(component.coordinates.begin(), component.coordinates.end(),
                                coordinate);
    });
  }
  if (!rest.empty()) parts.push_back({{}, {}, rest, {Aim{}}});
  Step step;
  if (evaluation_) step.products = share_aims(found, parts);
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

/// Makes aims of the parts: the monomials that the integrands need. Weights that are settled go to
/// the part that has their reals, if it is one; otherwise, they are factors of the integrands.
std::vector<Products> Prover::share_aims(const std::vector<Component>& found,
                                         std::vector<Scope>& parts) {
  std::map<Variable, std::size_t> part_of;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    parts[p].aims.clear();
    for (const Variable coordinate : parts[p].coordinates) part_of[variables_[coordinate]] = p;
  }
  std::vector<std::uint32_t> free = scope_.booleans, common;
  for (const Component& component : found)
    std::erase_if(free, [&](std::uint32_t node) {
      return std::binary_search(component.booleans.begin(), component.booleans.end(), node);
    });
  for (const std::uint32_t weight : scope_.weights) {
    if (!weighing_.settled(branch_, weight) ||
        branch_.truth(problem_.weights[weight].condition) == Truth::no)
      continue;
    std::set<std::size_t> owners;
    for (const Variable real : branch_.resolved(problem_.weights[weight].value).variables())
      owners.insert(part_of.at(real));
    std::vector<std::uint32_t>& target =
        owners.size() == 1 ? parts[*owners.begin()].weights : common;
    if (std::find(target.begin(), target.end(), weight) == target.end()) target.push_back(weight);
  }
  const Polynomial factor = weighing_.weight(branch_, common, free);
  std::vector<std::map<Monomial, std::size_t>> numbers(parts.size());
  std::vector<Products> result;
  for (const std::size_t i : active_) {
    const Aim& aim = scope_.aims[i];
    if (condition(aim) == Truth::no) continue;
    Products& products = result.emplace_back(Products{i});
    const Polynomial integrand =
        aim.term ? factor * power(branch_.resolved(*aim.term), aim.order) : factor;
    for (const Polynomial::Term& term : integrand.terms()) {
      std::vector<Monomial> monomials(parts.size());
      for (const Power& power : term.monomial)
        monomials[part_of.at(power.variable)].push_back(power);
      Products::Term& target = products.terms.emplace_back(Products::Term{term.coefficient, {}});
      for (std::size_t p = 0; p < parts.size(); ++p) {
        std::vector<Aim>& aims = parts[p].aims;
        const auto [place, fresh] = numbers[p].try_emplace(monomials[p], aims.size());
        if (fresh) aims.push_back({{}, Polynomial({{monomials[p], 1}}), 1});
        target.aims.push_back(place->second);
      }
    }
  }
  return result;
}

void Prover::multiply(Step& step) {
  std::vector<std::vector<Interval>> totals(step.done.size());
  bool open = false;
  std::size_t cells = 0;
  for (std::size_t p = 0; p < step.done.size(); ++p)
    for (const Tally& tally : step.done[p].tallies) {
      totals[p].push_back(tally.sum.total());
      open = open || tally.open;
      cells = std::max(cells, tally.cells);
    }
  for (const Products& products : step.products) {
    Tally& tally = scope_.tallies[products.aim];
    tally.open = tally.open || open;
    tally.cells += cells;
    for (const Products::Term& term : products.terms) {
      Interval number = term.coefficient;
      for (std::size_t p = 0; p < totals.size(); ++p) number = number * totals[p][term.aims[p]];
      tally.sum.add(std::move(number));
    }
  }
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

/// A polynomial in the declared reals, in coordinates of the part; pinned reals are replaced.
Polynomial Prover::in_coordinates(const Polynomial& polynomial) const {
  Polynomial result = polynomial;
  for (const Pin& pin : pins_) {
    const Polynomial value = pin.value.polynomial();
    result = result.substitute([&](Variable variable) {
      return variable == pin.variable ? value : Polynomial::variable(variable);
    });
  }
  return result.substitute([&](Variable variable) {
    const auto place = std::lower_bound(scope_.coordinates.begin(), scope_.coordinates.end(),
                                        coordinates_.at(variable));
    return Polynomial::variable(static_cast<Variable>(place - scope_.coordinates.begin()));
  });
}

/// Over the region, in coordinates of the part.
std::vector<Interval> Prover::integrals(std::vector<Polynomial> integrands) const {
  Cell cell{scope_.coordinates};
  cell.bounds = region_.restricted(scope_.coordinates);
  cell.integrands = std::move(integrands);
  cell.sums.resize(cell.integrands.size());
  return (*evaluation_)(cell).integrals;
}

/// Adds what the region, a cell, has of each integral.
void Prover::integrate() {
  if (!pinned()) throw GaveUp("no certificate: a derived real is not pinned");
  const Polynomial weight =
      in_coordinates(weighing_.weight(branch_, scope_.weights, scope_.booleans));
  std::vector<Polynomial> integrands;
  std::vector<Tally*> tallies;
  for (const std::size_t i : active_) {
    const Aim& aim = scope_.aims[i];
    if (condition(aim) == Truth::no) continue;
    Tally& tally = scope_.tallies[i];
    ++tally.cells;
    Polynomial integrand = weight;
    if (aim.term) {
      const Polynomial term = in_coordinates(branch_.resolved(*aim.term));
      const LinearForm form = aim.sliced ? LinearForm(term - aim.at) : LinearForm();
      if (!aim.sliced) {
        integrand = weight * power(term, aim.order);
      } else if (!form.is_constant()) {
        const auto slice = slice_of(region_.halfspaces(), variables_, weight, form, {});
        LinearForm primitive = form;
        primitive.make_primitive();
        Sum& sum = region_.sides(primitive) == Sides::below ? tally.left : tally.right;
        if (slice) sum.add((*evaluation_)(*slice).integrals[0]);
        continue;
      } else if (form.constant != 0) {
        continue;
      }
    }
    integrands.push_back(std::move(integrand));
    tallies.push_back(&tally);
  }
  if (integrands.empty()) return;
  std::vector<Interval> found = integrals(std::move(integrands));
  ++cells_;
  if (watch_ != nullptr) watch_->added(cells_);
  for (std::size_t i = 0; i < found.size(); ++i) tallies[i]->sum.add(std::move(found[i]));
}

/// Is the integral of the weight here certainly below the threshold?
bool Prover::small(const Interval& weight) const {
  if (!threshold_->least) return true;
  const Rational most = std::max(Rational(abs(weight.lower)), Rational(abs(weight.upper)));
  Rational box = most;  // around the region
  for (const Variable coordinate : scope_.coordinates) {
    const Interval side = *region_.range(LinearForm(Polynomial::variable(coordinate)));
    box *= side.upper - side.lower;
  }
  return box <= *threshold_->least ||
         (region_.block_count() < region_.dimension() &&
          most * integrals({Polynomial(1)})[0].upper <= *threshold_->least);
}

/// Decides what matters to the weights and the aims and what the region alone decides, as a reader
/// will; how much there is to take back.
std::size_t Prover::look_around() {
  std::vector<Formula> formulas;
  std::vector<Polynomial> polynomials;
  for (const std::uint32_t number : scope_.weights) {
    formulas.push_back(problem_.weights[number].condition);
    polynomials.push_back(problem_.weights[number].value);
  }
  for (const std::size_t i : active_) {
    const Aim& aim = scope_.aims[i];
    formulas.insert(formulas.end(), aim.conditions.begin(), aim.conditions.end());
    if (aim.term) polynomials.push_back(*aim.term);
  }
  std::size_t decided = 0;
  for (bool progress = true; progress;) {
    progress = false;
    for (const std::uint32_t node : branch_.open_below(formulas, polynomials)) {
      const Atom* const atom = branch_.atom(node);
      if (atom == nullptr || branch_.truth(Formula(node, false)) != Truth::unknown) continue;
      const LinearForm form = reduced(atom->form);
      if (has_derived(form)) continue;
      bool holding = false;
      if (form.is_constant()) {
        holding = holds(form.constant, atom->comparison);
      } else if (atom->comparison != Comparison::equal) {
        const Sides sides = region_.sides(placed(form));
        if (sides == Sides::both) continue;
        holding = sides == Sides::below;
      }
      branch_.decide(branch_.decision_on(node, holding));
      ++decided;
      progress = true;
    }
  }
  return decided;
}

/// What the region may have of each integral, without going on: false where nobody can say, or
/// where it is worth a search.
bool Prover::leave_open() {
  if (!pinned() || !region_.restricted(scope_.coordinates).bounded()) return false;
  std::size_t decided = look_around();
  const bool left = bound();
  for (; decided > 0; --decided) branch_.undo();
  return left;
}

bool Prover::bound() {
  Prospect prospect(problem_, branch_, region_,
                    [this](const LinearForm& form) -> std::optional<LinearForm> {
                      const LinearForm own = without_pinned(form);
                      return has_derived(own) ? std::nullopt : std::optional(placed(own));
                    });
  const std::optional<Interval> weight = prospect.weight(scope_.weights, scope_.booleans);
  if (!weight || (!stopped_ && !small(*weight))) return false;
  std::vector<std::pair<std::size_t, Interval>> ranges;
  for (const std::size_t i : active_) {
    const Aim& aim = scope_.aims[i];
    if (condition(aim) == Truth::no) continue;
    const std::optional<Interval> range =
        aim.term ? prospect.range(*aim.term) : Interval(Rational(1));
    if (!range) return false;
    ranges.emplace_back(i, *range);
  }
  const Interval most = *weight * integrals({Polynomial(1)})[0];
  for (const auto& [i, range] : ranges) {
    Tally& tally = scope_.tallies[i];
    const Aim& aim = scope_.aims[i];
    if (!aim.sliced)
      tally.sum.add(aim.term ? most * power(range, aim.order) : most);
    else if (range.contains(aim.at))
      tally.unbounded = true;
    tally.open = true;
  }
  open_ += std::max(Rational(abs(most.lower)), Rational(abs(most.upper)));
  write_region(CertificateNode::open);
  return true;
}

void Prover::write_cell() {
  if (evaluation_) integrate();
  write_region(CertificateNode::cell);
}

void Prover::write_region(CertificateNode kind) {
  const Region region = region_.restricted(scope_.coordinates).region();
  out_.tag(kind);
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
      step.done.push_back(std::exchange(scope_, std::move(step.parts.back())));
      step.parts.pop_back();
      return activate_all();
    }
    if (step.scope_before) {
      step.done.push_back(std::exchange(scope_, *std::move(step.scope_before)));
      multiply(step);
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

void write_claim(CertificateWriter& out, const Answer& answer) {
  std::optional<Interval> value = answer.value;
  if (!value && answer.lower && answer.upper) value = Interval(*answer.lower, *answer.upper);
  if (value) {
    std::vector<Interval> values{*value};
    if (answer.left) values.push_back(*answer.left);
    write_claim(out, values);
  } else if (!answer.undefined.empty()) {
    out.tag(CertificateClaim::undefined);
  } else {
    out.tag(answer.complete ? CertificateClaim::point_mass : CertificateClaim::nothing);
  }
}

void write_claims(const Task& task, std::span<const Answer> answers, std::ostream& out) {
  CertificateWriter writer(out);
  for (std::size_t i = 0; i < task.queries.size(); ++i)
    if (certifiable(task.queries[i])) write_claim(writer, answers[i]);
}

/// An answer that certainly has no claim to be proved.
void refuse(const Task& task, std::span<const Answer> answers) {
  for (std::size_t i = 0; i < task.queries.size(); ++i)
    if (const Answer& answer = answers[i];
        certifiable(task.queries[i]) && task.queries[i].kind != Query::Kind::density &&
        answer.complete && !answer.value && answer.undefined.empty())
      throw Error("no certificate: " + answer.refused, task.queries[i].where);
}

std::vector<Aim> all_aims(Task& task) {
  std::vector<Aim> result;
  for (const Query& query : task.queries)
    if (certifiable(query))
      for (Aim& aim : aims(task.problem.terms, query)) result.push_back(std::move(aim));
  return result;
}

/// Of a query, what was summed up.
struct Tallies {
  const Tally &total, &first, &second;

  bool open() const { return total.open || first.open || second.open; }

  /// What follows while something is left open; nothing, if nothing does.
  std::optional<Answer> bounds(Query::Kind kind) const {
    const Interval sum = first.sum.total();
    const Interval z = kind == Query::Kind::wmi ? Rational(1) : total.sum.total();
    Answer result;
    result.complete = false;
    result.cells = first.cells;
    if (z.contains(0) || first.unbounded) return result;
    Interval value = sum / z;
    if (kind == Query::Kind::density) {
      if (sum != Interval()) return std::nullopt;  // a point mass
      value = first.right.total() / z;
      result.left = first.left.total() / z;
    }
    if (kind == Query::Kind::variance) value = second.sum.total() / z - power(value, 2);
    result.lower = value.lower;
    result.upper = value.upper;
    return result;
  }
};

std::vector<Tallies> of_queries(const Task& task, const std::vector<Tally>& tallies) {
  std::vector<Tallies> result;
  auto place = tallies.begin();
  static const Tally none;
  for (const Query& query : task.queries) {
    if (!certifiable(query)) {
      result.push_back({none, none, none});
      continue;
    }
    const bool plain = query.kind == Query::Kind::wmi;
    const bool square = query.kind == Query::Kind::variance;
    result.push_back({place[0], plain ? place[0] : place[1], square ? place[2] : place[0]});
    place += plain ? 1 : square ? 3 : 2;
  }
  return result;
}

/// What the sums say: as `Answers` puts it where nothing is left open.
std::vector<Answer> conclusions(const Task& task, const Plan& plan,
                                const std::vector<Tallies>& tallies, unsigned digits) {
  Answers sums(task, plan);
  std::vector<bool> added(plan.sums);
  const auto add = [&](const std::optional<std::size_t>& number, const Sum& sum,
                       std::size_t cells) {
    if (!number || added[*number]) return;
    added[*number] = true;
    Cell cell{{}};
    cell.sums = {{*number}};
    sums.add(cell, {{sum.total()}, cells});
  };
  for (std::size_t i = 0; i < task.queries.size(); ++i) {
    const auto& [total, first, second] = tallies[i];
    const Plan::Parts& parts = plan.parts[i];
    add(parts.total, total.sum, total.cells);
    add(parts.first, first.sum, first.cells);
    add(parts.second, second.sum, second.cells);
    add(parts.mass, first.sum, first.cells);
    add(parts.left, first.left, first.cells);
    add(parts.right, first.right, first.cells);
  }
  std::vector<Answer> result = sums.finish(digits);
  for (std::size_t i = 0; i < result.size(); ++i)
    if (tallies[i].open())
      if (std::optional<Answer> bounds = tallies[i].bounds(task.queries[i].kind))
        result[i] = std::move(*bounds);
  return result;
}

/// How much is unknown of the answer of which least is known; nothing if that is no number.
std::optional<Rational> widest(std::span<const Answer> answers) {
  Rational result = 0;
  for (const Answer& answer : answers) {
    if (answer.complete) continue;
    if (!answer.lower || !answer.upper) return std::nullopt;
    result = std::max(result, Rational(*answer.upper - *answer.lower));
    if (answer.left) result = std::max(result, Rational(answer.left->upper - answer.left->lower));
  }
  return result;
}

/// A probability is between 0 and 1 and a variance not negative, if no weight is: that needs no
/// proof, and it is not claimed.
void clip(const Problem& problem, const Query& query, Answer& answer) {
  const bool probability = query.kind == Query::Kind::probability || query.kind == Query::Kind::cdf;
  if (answer.complete && !answer.within_gap) return;
  if (!probability && query.kind != Query::Kind::variance) return;
  if (answer.lower && *answer.lower >= 0 && (!probability || *answer.upper <= 1)) return;
  if (!Bounds(problem).non_negative()) return;
  answer.lower = std::max(answer.lower.value_or(0), Rational(0));
  if (probability) answer.upper = std::min(answer.upper.value_or(1), Rational(1));
  if (answer.value) answer.value = Interval(*answer.lower, *answer.upper);
}

/// A search for the proof of what it finds, or several, each for less than the one before leaves
/// open.
class Proving {
 public:
  Proving(const Task& task, const Integrator& integrator, const std::stop_token& stop, Watch* watch,
          unsigned digits)
      : task_(observed(task)), integrator_(integrator), stop_(stop), watch_(watch) {
    digits_ = digits;
    for (Query& query : task_.queries) {
      if (query.kind != Query::Kind::cdf) continue;
      query.kind = Query::Kind::probability;
      query.event = task_.problem.terms.less_equal(query.term, query.at);
    }
    aims_ = all_aims(task_);
    plan_ = make_plan(task_);
  }

  const Problem& problem() const { return task_.problem; }
  /// Of the last search.
  std::vector<Answer>& answers() { return answers_; }
  bool stopped() const { return stopped_; }
  bool found_nothing() const { return cells_ == 0 && open_ == 0; }

  void search(std::ostream& out, std::optional<Threshold> threshold = {}) {
    Prover prover(task_.problem, aims_, out, stop_, &integrator_, std::move(threshold), watch_);
    prover.prove();
    cells_ = prover.cells();
    open_ = prover.open();
    stopped_ = prover.stopped();
    answers_ = conclusions(task_, plan_, of_queries(task_, prover.tallies()), digits_);
    refuse(task_, answers_);
    write_claims(task_, answers_, out);
  }

  /// Until all answers are known to within the gap. A search that is told to stop may know less
  /// than the one before.
  void narrow(const Rational& gap, std::ostream& out) {
    constexpr unsigned most_shift = 64;
    std::optional<Threshold> threshold = Threshold{};
    std::string kept;
    std::vector<Answer> known;
    std::size_t cells = 0;
    for (unsigned shift = 4;;) {
      std::ostringstream attempt;
      try {
        search(attempt, threshold);
      } catch (const Stopped&) {
        if (known.empty()) throw;
        stopped_ = true;
        answers_ = std::move(known);
        break;
      }
      const std::optional<Rational> width = widest(answers_), before = widest(known);
      if (stopped_ && !known.empty() && before && (!width || *before < *width)) {
        answers_ = std::move(known);
        break;
      }
      kept = attempt.str();
      if (stopped_ || !threshold || (width && *width <= gap)) break;
      known = answers_;
      if (threshold->least && cells_ <= cells + cells / 2) shift *= 2;
      cells = cells_;
      if (!threshold->least) threshold->least = open_;
      mpq_div_2exp(threshold->least->get_mpq_t(), threshold->least->get_mpq_t(), shift);
      if (shift > most_shift) threshold.reset();
    }
    out << kept;
    for (Answer& answer : answers_) {
      if (answer.complete || stopped_) continue;
      answer.complete = answer.within_gap = true;
      answer.value = Interval(*answer.lower, *answer.upper);
    }
  }

 private:
  Task task_;
  const Integrator& integrator_;
  const std::stop_token& stop_;
  Watch* const watch_;
  unsigned digits_;
  std::vector<Aim> aims_;
  Plan plan_;
  std::vector<Answer> answers_;
  std::size_t cells_ = 0;
  Rational open_;
  bool stopped_ = false;
};

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
  std::vector<Aim> all = all_aims(sliced);
  if (all.empty()) return;
  refuse(task, answers);
  Prover(sliced.problem, std::move(all), out, stop).prove();
  write_claims(task, answers, out);
}

Solution prove(const Task& task, const Integrator& integrator, std::ostream& out,
               const std::stop_token& stop, Watch* watch, unsigned digits,
               const std::optional<Rational>& gap) {
  Solution solution;
  Proving proving(task, integrator, stop, watch, digits);
  if (gap)
    proving.narrow(*gap, out);
  else
    proving.search(out);
  solution.answers = std::move(proving.answers());
  if (proving.found_nothing() && !proving.stopped())
    if (auto warning = explain_flatness(proving.problem(), *make_split(), stop))
      solution.warnings.push_back(std::move(*warning));
  for (std::size_t i = 0; i < task.queries.size(); ++i) {
    Answer& answer = solution.answers[i];
    clip(proving.problem(), task.queries[i], answer);
    answer.exact_with_respect_to = task.assumptions;
    if (task.queries[i].kind == Query::Kind::echo) answer.text = task.queries[i].text;
  }
  return solution;
}

}  // namespace wmi
