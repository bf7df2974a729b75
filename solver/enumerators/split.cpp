// A geometric search, one cut at a time.
//
// DPLL over the atoms and Booleans that matter, with the region itself as the theory's state: a
// product of polyhedra with their vertices (ProductRegion). An atom is implied when all vertices lie on
// one side of it; otherwise the region is cut in two, and both halves inherit the vertices. No
// solver is asked anything. Literals that the formula cannot hold without are taken at once; a
// branch closes when the formula is false or the weight 0; a cell is emitted as soon as formula and
// weight are determined, and Booleans that only scale the weight are summed (WeightEvaluator).
//
// Where what is open falls apart into components that share nothing, the integral is a product: one
// cell is emitted for it, with a part for each component, a smaller problem of its own.
//
// At a leaf each goal either is determined too, or a search of its own goes on below the leaf: the
// atoms of one query never multiply with those of another.
//
// The path of decisions is a stack. Each has the region of the way not taken yet, if there is one;
// so memory is that of one path, and the first such way is what another thread may take over. A
// region with too many vertices is left to the reference enumerator, which needs none to decide
// what is feasible. So is a problem with derived reals that are more than defined terms.
//
// A place may also be left open: its region, and the most that the weight can be there (RegionBounds).
// So are all that are still to be searched when the search has to stop; and, for answers that need
// not be exact, those whose integral is certainly small. What is small is seen at the place alone,
// so the same places are left open whatever the threads do; lower and lower thresholds, one search
// after the other, come to the largest regions first, in the memory of one path.

#include <algorithm>
#include <cassert>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "solver/enumerator.h"
#include "solver/enumerators/branch.h"
#include "solver/enumerators/components.h"
#include "solver/enumerators/defined.h"
#include "solver/enumerators/goal_searches.h"
#include "solver/enumerators/leaf.h"
#include "solver/enumerators/region_bounds.h"
#include "solver/enumerators/threshold.h"
#include "solver/enumerators/weight_evaluator.h"
#include "solver/geometry/product_region.h"
#include "solver/integrator.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

/// How a search goes about it.
struct Rules {
  Branching branching = Branching::most_used;
  std::optional<Threshold> threshold = {};
};

bool is_one(const Polynomial& factor) {
  return factor.constant() && !factor.zero() && factor.terms()[0].coefficient == 1;
}

/// A decision on the way to a part of a search.
struct Choice {
  std::uint32_t node;
  bool holds;
};

Rational volume(const ProductRegion& region) {
  const std::unique_ptr<Integrator> integrator = make_auto({});
  const Polynomial one(1);
  Rational result = 1;
  const Region factors = region.simplified().region();
  for (const Region::Factor& factor : factors.factors)
    result *= integrator->integrate(std::span(&one, 1), factor.polytope)[0].upper;
  return result;
}

class Search final : public Cells {
 public:
  Search(std::shared_ptr<const Defined> defined, std::stop_token stop, Rules rules)
      : defined_(std::move(defined)),
        problem_(defined_->problem),
        stop_(std::move(stop)),
        rules_(std::move(rules)),
        goals_(defined_->goals),
        weighing_(problem_),
        branch_(problem_, cone(problem_, goals_)),
        region_(problem_.integrated.size()) {
    if (stop_.stop_requested()) throw Stopped();
  }

  /// Where these lead, which is this region; no way beside them is open.
  Search(std::shared_ptr<const Defined> defined, std::stop_token stop, Rules rules,
         std::span<const Choice> choices, ProductRegion region)
      : Search(std::move(defined), std::move(stop), std::move(rules)) {
    for (const Choice& choice : choices)
      enter(branch_.decision_on(choice.node, choice.holds), std::nullopt);
    region_ = std::move(region);
  }

  /// Before anything is decided but what must be: are there components that share nothing?
  bool falls_apart() {
    try {
      while (!done_ && inspect().outcome != Outcome::closed && take_units()) {
      }
    } catch (const TooManyVertices&) {
      return false;
    }
    return !done_ && may_fall_apart(inspect().outcome) &&
           components(problem_, branch_, weighing_, region_, weighing_.large(branch_)).size() > 1;
  }

  std::unique_ptr<Cells> fork() override;

  std::optional<Cell> next() override {
    if (given_ == ready_.size()) {
      ready_.clear();
      given_ = 0;
    }
    while (ready_.empty() && !done_) {
      if (stop_.stop_requested()) throw Stopped();
      advance();
    }
    if (ready_.empty()) return std::nullopt;
    return std::move(ready_[given_++]);
  }

  std::optional<std::vector<Cell>> rest() override;

 private:
  struct Step {                          // for each decision of the branch
    std::optional<ProductRegion> other;  // where the way not taken yet leads
    std::uint32_t settled;               // before the decision
  };

  void advance();
  void search();
  bool take_units();
  bool require(Decision decision);
  void split(Decision decision);
  Inspection inspect();
  Decision busiest(Formula formula) const;
  Rational evenly(const LinearForm& form) const;
  void enter(Decision decision, std::optional<ProductRegion> other);
  void backtrack();
  void reach_leaf();
  void emit(std::span<const std::size_t> goals);
  bool goals_are_ready() const;
  bool may_fall_apart(Outcome outcome) const;
  std::size_t open_booleans() const;
  bool emit_product();
  bool small() const;
  void leave_open();
  Cell left_open(std::span<const std::size_t> goals, const std::optional<Rational>& most) const;
  void miss_slice(const Slice& slice, const std::optional<Rational>& most);
  void emit_slice(const Slice& slice, const LinearForm& term, const Polynomial& weight);
  void hand_over();

  const std::shared_ptr<const Defined> defined_;
  const Problem& problem_;
  const std::stop_token stop_;
  const Rules rules_;
  const std::vector<Goal>& goals_;
  const WeightEvaluator weighing_;
  Branch branch_;
  ProductRegion region_;       // of the literals on the path
  std::uint32_t settled_ = 0;  // of the weights, from the first on
  std::vector<Step> path_;     // for each decision
  GoalSearches searches_;
  std::optional<ProductRegion> at_leaf_;  // where those of goals start
  std::vector<Cell> ready_;
  std::size_t given_ = 0;               // of those
  std::unique_ptr<Problem> too_large_;  // what the reference enumerator is at, and its cells
  std::unique_ptr<Cells> handed_over_;
  bool done_ = false;
};

/// What is left of a search for another thread: that one makes it anew, in memory of its own. Where
/// two threads had neighbouring memory, or counted together who shares a region, each would wait
/// for the other.
class Rest final : public Cells {
 public:
  Rest(std::shared_ptr<const Defined> defined, std::stop_token stop, Rules rules,
       std::vector<Choice> choices, ProductRegion region)
      : defined_(std::move(defined)),
        stop_(std::move(stop)),
        rules_(std::move(rules)),
        choices_(std::move(choices)),
        region_(std::move(region)) {}

  std::optional<Cell> next() override {
    start(stop_);
    return search_->next();
  }

  std::optional<std::vector<Cell>> rest() override {
    start({});
    return search_->rest();
  }

  std::unique_ptr<Cells> fork() override { return search_ ? search_->fork() : nullptr; }

 private:
  void start(const std::stop_token& stop) {
    if (!region_) return;
    search_ = std::make_unique<Search>(defined_, stop, rules_, choices_, region_->apart());
    region_.reset();
  }

  const std::shared_ptr<const Defined> defined_;
  const std::stop_token stop_;
  const Rules rules_;
  const std::vector<Choice> choices_;
  std::optional<ProductRegion> region_;  // until the search is made
  std::unique_ptr<Search> search_;
};

/// What the first open way on the path leads to.
std::unique_ptr<Cells> Search::fork() {
  const std::size_t end = searches_.of_problem() ? path_.size() : searches_.bottom();
  for (std::size_t place = 0; place < end; ++place) {
    if (!path_[place].other) continue;
    std::vector<Choice> choices;
    for (std::size_t i = 0; i <= place; ++i) {
      const Decision& decision = branch_.decisions()[i];
      choices.push_back({decision.node, decision.holds != (i == place)});
    }
    auto rest = std::make_unique<Rest>(defined_, stop_, rules_, std::move(choices),
                                       *std::move(path_[place].other));
    path_[place].other.reset();
    return rest;
  }
  return nullptr;
}

void Search::advance() {
  if (handed_over_) {
    if (std::optional<Cell> cell = handed_over_->next()) {
      for (Variable& variable : cell->variables) variable = defined_->variables[variable];
      ready_.push_back(std::move(*cell));
    } else {
      handed_over_.reset();
      backtrack();
    }
    return;
  }
  try {
    search();
  } catch (const TooManyVertices&) {
    hand_over();
  }
}

void Search::search() {
  const Inspection found =
      searches_.of_problem() ? inspect() : wmi::inspect(goals_[searches_.goal()], branch_);
  if (found.outcome == Outcome::closed) return backtrack();
  if (take_units()) return;
  if (rules_.threshold && found.outcome == Outcome::open && small()) {
    leave_open();
    return backtrack();
  }
  if (searches_.of_problem() && may_fall_apart(found.outcome) && emit_product()) return backtrack();
  if (found.outcome == Outcome::open) {
    return split(found.formula ? busiest(*found.formula) : *found.decision);
  }
  if (searches_.of_problem()) return reach_leaf();
  emit(searches_.as_list());
  backtrack();
}

Inspection Search::inspect() {
  std::optional<Formula> open;
  for (const Formula assertion : problem_.assertions) {
    const Truth value = branch_.truth(assertion);
    if (value == Truth::no) return {Outcome::closed};
    if (value == Truth::unknown && !open) open = assertion;
  }
  if (weighing_.vanishes(branch_)) return {Outcome::closed};
  if (open && rules_.branching != Branching::weight_first) return {Outcome::open, open};
  if (auto decision = weighing_.open_in(branch_, settled_)) return {Outcome::open, {}, decision};
  if (open) return {Outcome::open, open};
  return {Outcome::determined};
}

/// How far the region reaches on the side where it reaches less far, against how far on both.
Rational Search::evenly(const LinearForm& form) const {
  const std::optional<Interval> range = region_.range(form);
  if (!range) return 0;
  return std::min(Rational(-range->lower), range->upper) / (range->upper - range->lower);
}

/// The decision in a formula that most of it waits for, or which the rules ask for; one that the
/// region has already made comes first, and where small regions are left open, of several the one
/// that cuts the region most evenly: so regions become small soon. In weights and terms, by
/// contrast, the conditions are taken from the outside in: what is behind one may not matter at
/// all.
Decision Search::busiest(Formula formula) const {
  const bool even_first = rules_.branching == Branching::most_even;
  std::optional<Decision> best;
  std::size_t most = 0;
  Rational evenness;
  for (const std::uint32_t node : branch_.open_below(std::span(&formula, 1), {})) {
    Rational cuts = even_first ? ratio(1, 2) : Rational(0);
    if (problem_.terms.node(node).kind == Kind::atom) {
      const Atom* const atom = branch_.atom(node);
      if (atom == nullptr) continue;
      if (region_.sides(atom->form) != Sides::both) return branch_.decision_on(node, true);
      if (even_first || rules_.threshold) cuts = evenly(atom->form);
    }
    if (best && rules_.branching == Branching::first) continue;
    const std::size_t uses = branch_.uses(node);
    const bool better = even_first ? std::tie(cuts, uses) > std::tie(evenness, most)
                                   : std::tie(uses, cuts) > std::tie(most, evenness);
    if (best && !better) continue;
    best = branch_.decision_on(node, true);
    most = uses;
    evenness = std::move(cuts);
  }
  return *best;
}

/// Literals without which the formula, or the goal's condition, cannot hold.
bool Search::take_units() {
  std::vector<Decision> units =
      branch_.units_of(searches_.of_problem() ? std::span<const Formula>(problem_.assertions)
                                              : std::span(&goals_[searches_.goal()].condition, 1));
  if (units.empty()) return false;
  for (Decision& unit : units) {
    const Truth known = branch_.truth(Formula(unit.node, !unit.holds));
    if (known == Truth::yes) continue;
    if (known == Truth::no || !require(std::move(unit))) {
      backtrack();
      break;
    }
  }
  return true;
}

/// Takes one way only; false when it leads nowhere.
bool Search::require(Decision decision) {
  if (decision.atom) {
    const LinearForm& form = decision.atom->form;
    const Sides sides = region_.sides(form);
    if (sides == Sides::both)
      region_ = decision.holds ? region_.below(form) : region_.above(form);
    else if ((sides == Sides::below) != decision.holds)
      return false;
  }
  enter(std::move(decision), std::nullopt);
  return true;
}

void Search::split(Decision decision) {
  decision.holds = true;
  if (!decision.atom) return enter(std::move(decision), region_);
  const LinearForm& form = decision.atom->form;
  const Sides sides = region_.sides(form);
  if (sides != Sides::both) {
    decision.holds = sides == Sides::below;
    return enter(std::move(decision), std::nullopt);
  }
  auto [below, above] = region_.cut(form);
  region_ = std::move(below);
  enter(std::move(decision), std::move(above));
}

void Search::enter(Decision decision, std::optional<ProductRegion> other) {
  branch_.decide(std::move(decision));
  path_.push_back({std::move(other), settled_});
}

/// To the last decision whose other way is still open; below the bottom, to the next goal.
void Search::backtrack() {
  for (;;) {
    while (path_.size() > searches_.bottom()) {
      std::optional<ProductRegion> other = std::move(path_.back().other);
      settled_ = path_.back().settled;
      path_.pop_back();
      if (!other) {
        branch_.undo();
        continue;
      }
      Decision decision = branch_.decisions().back();
      branch_.undo();
      decision.holds = !decision.holds;
      region_ = std::move(*other);
      return enter(std::move(decision), std::nullopt);
    }
    if (searches_.of_problem()) {
      done_ = true;
      return;
    }
    if (searches_.next(path_.size())) {
      region_ = *at_leaf_;
      return;
    }
  }
}

/// The formula and the weights are determined: goals that are determined as well share this cell,
/// the others search below it.
void Search::reach_leaf() {
  emit(searches_.reach_leaf(goals_, branch_));
  if (!searches_.next(path_.size())) return backtrack();
  at_leaf_ = region_;
}

void Search::emit(std::span<const std::size_t> goals) {
  if (goals.empty()) return;
  const Polynomial weight = weighing_.weight(branch_);
  // Where a sum over Booleans cancels there is nothing to add; but infinite volume is refused.
  if (weight.zero() && region_.bounded()) return;
  Cell cell{defined_->variables};
  const auto share = [&](const Polynomial& factor, std::size_t sum) {
    Polynomial integrand = is_one(factor) ? weight : weight * factor;
    if (integrand.zero() && !weight.zero()) return;
    cell.integrands.push_back(std::move(integrand));
    cell.sums.push_back({sum});
  };
  for (const std::size_t number : goals) {
    const Goal& goal = goals_[number];
    for (const Summand& summand : goal.summands)
      share(power(branch_.resolved(summand.term), summand.order), summand.sum);
    for (const Output& output : goal.outputs)
      cell.images.push_back({output.law, LinearForm(branch_.resolved(output.term)), weight});
    if (!goal.slice) continue;
    LinearForm term(branch_.resolved(goal.slice->term) - goal.slice->at);
    if (!term.is_constant()) {
      if (!weight.zero()) emit_slice(*goal.slice, term, weight);
    } else if (term.constant == 0) {  // a point mass
      share(Polynomial(1), goal.slice->mass);
    }
  }
  if (cell.integrands.empty()) return;
  cell.bounds = region_;
  ready_.push_back(std::move(cell));
}

/// Nothing is open in the goals, and they are integrals over cells, neither slices nor laws.
bool Search::goals_are_ready() const {
  return std::all_of(goals_.begin(), goals_.end(), [&](const Goal& goal) {
    return goal.plain() && wmi::inspect(goal, branch_).outcome != Outcome::open;
  });
}

/// One block of coordinates and no Booleans surely hang together. Where nothing is open, parts are
/// worth it only for a weight that is long to write out.
bool Search::may_fall_apart(Outcome outcome) const {
  if (outcome == Outcome::determined && !weighing_.large(branch_)) return false;
  return (region_.block_count() > 1 || open_booleans() > 0) && goals_are_ready();
}

std::size_t Search::open_booleans() const {
  if (problem_.terms.boolean_count() == 0) return 0;
  const auto decided = std::count_if(branch_.decisions().begin(), branch_.decisions().end(),
                                     [](const Decision& made) { return made.atom == nullptr; });
  return problem_.terms.boolean_count() - static_cast<std::size_t>(decided);
}

/// Where what is open falls apart into components that share nothing: one cell for all of it.
bool Search::emit_product() {
  const bool all_weights = weighing_.large(branch_);
  const std::vector<Component> found =
      components(problem_, branch_, weighing_, region_, all_weights);
  if (found.size() < 2) return false;
  Cell cell{defined_->variables};
  std::size_t free = open_booleans();
  for (const Component& component : found) {
    cell.parts.push_back(part(problem_, branch_, region_, component));
    free -= component.booleans.size();
  }
  std::vector<Variable> coordinates(region_.dimension());
  std::iota(coordinates.begin(), coordinates.end(), Variable{0});
  cell.coordinates = in_none(found, std::move(coordinates));
  cell.bounds = region_.restricted(cell.coordinates);
  const Polynomial weight = weighing_.settled_weight(branch_, free, all_weights);
  for (const Goal& goal : goals_) {
    if (branch_.truth(goal.condition) != Truth::yes) continue;
    for (const Summand& summand : goal.summands) {
      Polynomial integrand = weight * power(branch_.resolved(summand.term), summand.order);
      if (integrand.zero()) continue;
      cell.integrands.push_back(std::move(integrand));
      cell.sums.push_back({summand.sum});
    }
  }
  if (cell.integrands.empty()) return true;
  std::vector<std::size_t> all(goals_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  cell.left_open = std::make_shared<const Cell>(
      left_open(all, RegionBounds(problem_, branch_, region_).most_weight()));
  ready_.push_back(std::move(cell));
  return true;
}

/// Is the integral of the weight here certainly below the threshold?
bool Search::small() const {
  if (!region_.bounded()) return false;
  RegionBounds prospect(problem_, branch_, region_);
  const std::optional<Rational> most = prospect.most_weight();
  return most && rules_.threshold->covers(*most, region_, [this] { return volume(region_); });
}

/// What is left of this place, for the goals that are searched for.
void Search::leave_open() {
  std::vector<std::size_t> all(goals_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::span<const std::size_t> goals =
      searches_.of_problem() ? std::span<const std::size_t>(all) : searches_.as_list();
  const std::optional<Rational> most = RegionBounds(problem_, branch_, region_).most_weight();
  Cell cell = left_open(goals, most);
  if (cell.open()) ready_.push_back(std::move(cell));
  for (const std::size_t goal : goals)
    if (goals_[goal].slice && branch_.truth(goals_[goal].condition) != Truth::no)
      miss_slice(*goals_[goal].slice, most);
}

/// All but slices.
Cell Search::left_open(std::span<const std::size_t> goals,
                       const std::optional<Rational>& most) const {
  Cell cell{defined_->variables};
  RegionBounds prospect(problem_, branch_, region_);
  for (const std::size_t goal : goals)
    if (branch_.truth(goals_[goal].condition) != Truth::no)
      for (const Summand& summand : goals_[goal].summands)
        cell.missing.push_back({summand.sum, summand.range(prospect.range(summand.term))});
  if (most && region_.bounded()) {
    cell.bounds = region_.simplified();
    cell.integrands.emplace_back(*most);
    cell.sums.emplace_back();
  }
  return cell;
}

/// Nothing is missing of a term that stays away from the value. Of one that is affine by now, no
/// more than the most weight over the slice; of any other, nobody knows: it may have a point mass.
void Search::miss_slice(const Slice& slice, const std::optional<Rational>& most) {
  const std::optional<Interval> range =
      RegionBounds(problem_, branch_, region_).range(slice.term - slice.at);
  if (range && !range->contains(0)) return;
  const Interval once(Rational(1));
  Cell unknown{defined_->variables};
  unknown.missing = {{slice.mass, once}, {slice.left, once}, {slice.right, once}};
  if (!most || !region_.bounded() || !region_.simple() || branch_.open_in(slice.term)) {
    ready_.push_back(std::move(unknown));
    return;
  }
  const LinearForm term(branch_.resolved(slice.term) - slice.at);
  if (term.is_constant()) {
    if (term.constant == 0) ready_.push_back(std::move(unknown));
    return;
  }
  const std::size_t before = ready_.size();
  emit_slice(slice, term, Polynomial(*most));
  for (std::size_t i = before; i < ready_.size(); ++i)
    for (const std::size_t sum : std::exchange(ready_[i].sums[0], {}))
      ready_[i].missing.push_back({sum, once});
}

/// What was emitted and not handed out yet; and the places at which the search would go on.
std::optional<std::vector<Cell>> Search::rest() {
  ready_.erase(ready_.begin(), ready_.begin() + static_cast<std::ptrdiff_t>(given_));
  given_ = 0;
  handed_over_.reset();
  for (; !done_; backtrack())
    if (!searches_.of_problem() || inspect().outcome != Outcome::closed) leave_open();
  for (Cell& cell : ready_)
    if (cell.left_open) cell = Cell(*cell.left_open);
  return std::exchange(ready_, {});
}

/// The cell cut by term = 0, in one coordinate less.
void Search::emit_slice(const Slice& slice, const LinearForm& term, const Polynomial& weight) {
  LinearForm primitive = term;
  primitive.make_primitive();
  const Sides sides = region_.sides(primitive);
  std::vector<std::size_t> sums;
  if (sides != Sides::above) sums.push_back(slice.left);
  if (sides != Sides::below) sums.push_back(slice.right);
  if (std::optional<Cell> cell =
          slice_of(region_.halfspaces(), defined_->variables, weight, term, std::move(sums)))
    ready_.push_back(std::move(*cell));
}

/// What is left of this search below the path, for the reference enumerator.
void Search::hand_over() {
  too_large_ = std::make_unique<Problem>(problem_);
  for (const Decision& decision : branch_.decisions())
    too_large_->assertions.emplace_back(decision.node, !decision.holds);
  const std::span<const Goal> goals =
      searches_.of_problem() ? std::span(goals_) : std::span(&goals_[searches_.goal()], 1);
  handed_over_ = make_z3()->start(*too_large_, goals, stop_);
}

/// One enumeration after the other.
class Chain final : public Cells {
 public:
  explicit Chain(std::vector<std::unique_ptr<Cells>> links) : links_(std::move(links)) {}

  std::optional<Cell> next() override {
    while (!links_.empty()) {
      if (std::optional<Cell> cell = links_.back()->next()) return cell;
      links_.pop_back();
    }
    return std::nullopt;
  }

  std::optional<std::vector<Cell>> rest() override {
    std::vector<Cell> result;
    for (const std::unique_ptr<Cells>& link : std::exchange(links_, {})) {
      std::optional<std::vector<Cell>> part = link->rest();
      if (!part) return std::nullopt;
      std::move(part->begin(), part->end(), std::back_inserter(result));
    }
    return result;
  }

  std::unique_ptr<Cells> fork() override {
    if (links_.empty()) return nullptr;
    if (links_.size() == 1) return links_.back()->fork();
    std::unique_ptr<Cells> first = std::move(links_.front());
    links_.erase(links_.begin());
    return first;
  }

 private:
  std::vector<std::unique_ptr<Cells>> links_;  // the last one is on
};

/// For each different condition of the goals, the problem with that condition asserted. So each may
/// fall apart in its own way.
std::vector<Defined> separated(const Defined& defined) {
  std::vector<Defined> result;
  for (const Goal& goal : defined.goals) {
    const auto same = std::find_if(result.begin(), result.end(), [&](const Defined& other) {
      return goal.plain() && other.goals[0].plain() &&
             other.problem.assertions.back() == goal.condition;
    });
    if (same != result.end()) {
      same->goals.push_back({truth, goal.summands, goal.slice, goal.outputs});
      continue;
    }
    Defined& fresh = result.emplace_back(Defined{defined.problem, {}, defined.variables});
    fresh.problem.assertions.push_back(goal.condition);
    fresh.goals.push_back({truth, goal.summands, goal.slice, goal.outputs});
  }
  return result;
}

class SplitEnumerator final : public Enumerator {
 public:
  explicit SplitEnumerator(Branching branching) : branching_(branching) {}

  std::unique_ptr<Cells> start(const Problem& problem, std::span<const Goal> goals,
                               std::stop_token stop) const override {
    return start(problem, goals, std::move(stop), Rules{branching_});
  }

  std::unique_ptr<Cells> start_above(const std::optional<Rational>& least, const Problem& problem,
                                     std::span<const Goal> goals,
                                     std::stop_token stop) const override {
    return start(problem, goals, std::move(stop), Rules{branching_, Threshold{least}});
  }

 private:
  static std::unique_ptr<Cells> start(const Problem& problem, std::span<const Goal> goals,
                                      std::stop_token stop, const Rules& rules) {
    std::optional<Defined> defined = define(problem, goals);
    if (!defined) return make_z3()->start(problem, goals, stop);
    const auto search = [&](Defined&& part) {
      return std::make_unique<Search>(std::make_shared<const Defined>(std::move(part)), stop,
                                      rules);
    };
    if (std::all_of(goals.begin(), goals.end(),
                    [](const Goal& goal) { return goal.condition == truth && goal.plain(); }))
      return search(std::move(*defined));
    Defined bare{defined->problem, {{truth, {{Polynomial(1), 0}}, {}}}, defined->variables};
    if (!search(std::move(bare))->falls_apart()) return search(std::move(*defined));
    std::vector<std::unique_ptr<Cells>> links;
    for (Defined& part : separated(*defined)) links.push_back(search(std::move(part)));
    std::reverse(links.begin(), links.end());
    return std::make_unique<Chain>(std::move(links));
  }

  const Branching branching_;
};

}  // namespace

std::unique_ptr<Enumerator> make_split() { return make_split_by(Branching::most_used); }

std::unique_ptr<Enumerator> make_split_by(Branching branching) {
  return std::make_unique<SplitEnumerator>(branching);
}

}  // namespace wmi
