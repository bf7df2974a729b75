// DPLL over the atoms and Booleans that matter, with the region itself as the state of the theory: a
// product of polyhedra with their vertices (ProductRegion). An atom is implied when all vertices lie
// on one side of it; otherwise the region is cut in two, and both halves inherit the vertices. No
// solver is asked anything. Literals without which the formula cannot hold are taken at once; a
// branch closes when the formula is false or the weight 0; a cell is emitted as soon as formula and
// weight are determined, and Booleans that only scale the weight are summed (WeightEvaluator).
//
// Where the open part decomposes into components that share no variable, the integral is a product:
// one cell is emitted for it, with a part for each component, a smaller problem of its own.
//
// At a leaf each goal either is determined too, or a search of its own goes on below the leaf: the
// atoms of one query never multiply with those of another.
//
// The path of decisions is a stack. Each decision keeps the region of its opposite until that is
// searched; so memory is that of one path, and the first such region is what another thread may take
// over. A region with too many vertices is handed over to the reference enumerator, which needs none
// to decide what is feasible.
//
// A region may also be left open, with an upper bound of the weight on it (RegionBounds). This is
// done with all regions that are still to be searched when the search has to stop; and, for answers
// that need not be exact, with those whose integral is certainly small. Whether it is small depends
// on the region alone, so the same regions are left open whatever the threads do; with lower and
// lower thresholds, one search after the other reaches the largest regions first, in the memory of
// one path.

#include "solver/enumerators/split_search.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "solver/enumerators/region_bounds.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

/// A part of a search for another thread, which builds the search anew in memory of its own: two
/// threads that share cache lines or reference counts would wait for each other.
class ForkedSearch final : public Cells {
 public:
  ForkedSearch(std::shared_ptr<const Defined> defined, std::stop_token stop, SearchRules rules,
               SplitSearch::Place place)
      : defined_(std::move(defined)),
        stop_(std::move(stop)),
        rules_(std::move(rules)),
        place_(std::move(place)) {}

  std::optional<Cell> next() override {
    start(stop_);
    return search_->next();
  }

  std::optional<std::vector<Cell>> rest() override {
    start({});
    return search_->rest();
  }

  std::unique_ptr<Cells> fork() override { return search_ ? search_->fork() : nullptr; }
  std::optional<Cell> found() override { return search_ ? search_->found() : std::nullopt; }
  std::unique_ptr<Cells> divide() override {
    start(stop_);
    return search_->divide();
  }
  std::optional<SearchTree> tree() const override {
    return search_ ? search_->tree() : along(place_->path, SearchTree());
  }

 private:
  void start(const std::stop_token& stop) {
    if (!place_) return;
    SplitSearch::Place place = *place_;  // a search that is stopped here may be asked again
    place.region = place.region.unshared();
    search_ = std::make_unique<SplitSearch>(defined_, stop, rules_, std::move(place));
    place_.reset();
  }

  const std::shared_ptr<const Defined> defined_;
  const std::stop_token stop_;
  const SearchRules rules_;
  std::optional<SplitSearch::Place> place_;  // until the search is built
  std::unique_ptr<SplitSearch> search_;
};

}  // namespace

SplitSearch::SplitSearch(std::shared_ptr<const Defined> defined, std::stop_token stop,
                         SearchRules rules)
    : defined_(std::move(defined)),
      problem_(defined_->problem),
      stop_(std::move(stop)),
      rules_(std::move(rules)),
      goals_(defined_->goals),
      builder_(*defined_),
      branch_(problem_, cone(problem_, goals_), defined_->nested),
      region_(problem_.integrated.size()) {
  if (stop_.stop_requested()) throw Stopped();
}

SplitSearch::SplitSearch(std::shared_ptr<const Defined> defined, std::stop_token stop,
                         SearchRules rules, Place place)
    : SplitSearch(std::move(defined), std::move(stop), std::move(rules)) {
  for (const PathDecision& decision : place.decisions)
    enter(branch_.decision_on(decision.node, decision.holds));
  region_ = std::move(place.region);
  above_ = std::move(place.path);
  if (place.goal) searches_.begin(*place.goal);
}

SplitSearch::SplitSearch(std::shared_ptr<const Defined> defined, std::stop_token stop,
                         SearchRules rules, const SearchPath& path)
    : SplitSearch(std::move(defined), std::move(stop), std::move(rules)) {
  replay_ = Replay(path);
  while (replay_.active()) {
    if (done_) Replay::fail();
    advance();
  }
  ready_.clear();  // of leaves that goals are below
  above_ = path;
}

bool SplitSearch::decomposes() {
  try {
    while (!done_ && inspect().outcome != Outcome::closed && take_units()) {
    }
  } catch (const TooManyVertices&) {
    return false;
  }
  return !done_ && builder_.may_decompose(inspect().outcome, branch_, region_) &&
         builder_.decomposes(branch_, region_);
}

std::optional<Cell> SplitSearch::next() {
  if (given_ == ready_.size()) {
    ready_.clear();
    given_ = 0;
  }
  // A search that finds no cell for long must still be shared: an open cell that misses nothing.
  constexpr std::size_t long_without = 4096;
  for (std::size_t steps = 0; ready_.empty() && !done_; ++steps) {
    if (stop_.stop_requested()) throw Stopped();
    if (steps == long_without) return Cell{defined_->variables, OpenCell()};
    advance();
  }
  return found();
}

std::optional<Cell> SplitSearch::found() {
  if (given_ == ready_.size()) return std::nullopt;
  return std::move(ready_[given_++]);
}

/// The path to the place before so many decisions.
SearchPath SplitSearch::path_to(std::size_t steps) const {
  SearchPath result = above_;
  for (std::size_t i = 0; i < steps; ++i) {
    if (searches_.at_leaf() && i == searches_.bottom()) result.push_back(searches_.current());
    if (path_[i].side == PathSide::forced) continue;
    const Decision& decision = branch_.decisions()[i];
    result.push_back({{SearchNode::Kind::decision, decision.node}, decision.holds ? 0u : 1u});
  }
  if (searches_.at_leaf() && steps == searches_.bottom()) result.push_back(searches_.current());
  return result;
}

/// The first open region on the path, or else a goal that waits at the leaf.
std::optional<SplitSearch::Place> SplitSearch::split_off() {
  std::vector<PathDecision> decisions;
  const auto forked = [&](ProductRegion region, SearchPath path, std::optional<std::size_t> goal) {
    return Place{std::move(decisions), std::move(region), std::move(path), goal};
  };
  for (std::size_t i = 0; i < path_.size(); ++i) {
    const Decision& decision = branch_.decisions()[i];
    decisions.push_back({decision.node, decision.holds});
    if (!path_[i].other) continue;
    decisions.back().holds = !decision.holds;
    SearchPath path = path_to(i);
    path.push_back({{SearchNode::Kind::decision, decision.node}, decision.holds ? 1u : 0u});
    const bool below_leaf = !searches_.of_problem() && i >= searches_.bottom();
    ProductRegion region = *std::move(path_[i].other);
    path_[i].other.reset();
    return forked(std::move(region), std::move(path),
                  below_leaf ? std::optional(searches_.goal()) : std::nullopt);
  }
  if (const std::optional<GoalSearches::Given> given = searches_.give()) {
    decisions.resize(searches_.bottom());
    SearchPath path = path_to(searches_.bottom());
    path.back().branch = static_cast<std::uint32_t>(given->branch);
    return forked(*at_leaf_, std::move(path), given->goal);
  }
  return std::nullopt;
}

std::unique_ptr<Cells> SplitSearch::fork() {
  std::optional<Place> place = split_off();
  return place ? std::make_unique<ForkedSearch>(defined_, stop_, rules_, *std::move(place))
               : nullptr;
}

std::unique_ptr<Cells> SplitSearch::divide() {
  for (;;) {
    if (std::optional<Place> place = split_off()) {
      divided_.push_back(place->path);
      return std::make_unique<ForkedSearch>(defined_, stop_, rules_, *std::move(place));
    }
    if (done_ || handed_over_) return nullptr;
    if (stop_.stop_requested()) throw Stopped();
    advance();
  }
}

std::optional<SearchTree> SplitSearch::tree() const {
  SearchTree result = done_          ? SearchTree::leaf(SearchTree::State::finished)
                      : handed_over_ ? handed_over_->tree()
                                     : SearchTree();
  result = tree_of_path(searches_, path_.size(), std::move(result),
                        [&](std::size_t i, SearchTree below) {
                          const auto& step = path_[i];
                          const auto& decision = branch_.decisions()[i];
                          return decision_above(decision.node, decision.holds, step.side,
                                                step.other.has_value(), std::move(below));
                        });
  result = along(above_, std::move(result));
  for (const SearchPath& path : divided_) carve(result, path);
  return result;
}

void SplitSearch::advance() {
  if (handed_over_) {
    if (std::optional<Cell> cell = handed_over_->next()) {
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

void SplitSearch::search() {
  const Inspection found =
      searches_.of_problem() ? inspect() : wmi::inspect(goals_[searches_.goal()], branch_);
  if (found.outcome == Outcome::closed) return backtrack();
  if (take_units()) return;
  if (rules_.leave_open && found.outcome == Outcome::open && small()) {
    leave_open();
    return backtrack();
  }
  if (searches_.of_problem() && builder_.may_decompose(found.outcome, branch_, region_) &&
      builder_.add_product(branch_, region_, ready_))
    return backtrack();
  if (found.outcome == Outcome::open && found.formula) {
    const std::vector<std::uint32_t> open = branch_.open_below(std::span(&*found.formula, 1), {});
    if (!take_implied(*found.formula, open)) split(choose(open));
    return;
  }
  if (found.outcome == Outcome::open) return split(*found.decision);
  if (searches_.of_problem()) return reach_leaf();
  builder_.add_determined(branch_, region_, searches_.as_list(), ready_);
  backtrack();
}

Inspection SplitSearch::inspect() {
  std::optional<Formula> open;
  for (const Formula assertion : problem_.assertions) {
    const Truth value = branch_.truth(assertion);
    if (value == Truth::no) return {Outcome::closed};
    if (value == Truth::unknown && !open) open = assertion;
  }
  if (builder_.weights().vanishes(branch_)) return {Outcome::closed};
  if (open && rules_.branching != Branching::weight_first) return {Outcome::open, open};
  if (auto decision = builder_.weights().open_in(branch_, settled_))
    return {Outcome::open, {}, decision};
  if (open) return {Outcome::open, open};
  return {Outcome::determined};
}

/// The shorter of the two parts into which form = 0 cuts the range of the form, as a share of it.
Rational SplitSearch::evenness(const LinearForm& form) const {
  const std::optional<Interval> range = region_.range(form);
  if (!range) return 0;
  return std::min(Rational(-range->lower), range->upper) / (range->upper - range->lower);
}

/// Decides the open atoms of a formula that the region implies, until it is known; false if there
/// are none. All at once: to look for the next one from the start would take quadratic time.
bool SplitSearch::take_implied(Formula formula, const std::vector<std::uint32_t>& open) {
  bool any = false;
  for (const std::uint32_t node : open) {
    if (problem_.terms.node(node).kind != Kind::atom) continue;
    const Atom* const atom = branch_.atom(node);
    if (atom == nullptr || branch_.truth(Formula(node, false)) != Truth::unknown) continue;
    const Sides sides = region_.sides(atom->form);
    if (sides == Sides::both) continue;
    enter(branch_.decision_on(node, sides == Sides::below));
    any = true;
    if (branch_.truth(formula) != Truth::unknown) break;
  }
  return any;
}

/// The open node of a formula that most others depend on, or which the rules ask for; none is
/// implied by the region. Where small regions are left open, and where there are very many nodes,
/// ties are broken by the cut that is most even: so regions become small soon, and of very many
/// atoms, half are implied. In weights and terms, by contrast, the conditions are taken from the
/// outside in: what is behind one may not matter at all.
Decision SplitSearch::choose(const std::vector<std::uint32_t>& open) const {
  constexpr std::size_t very_many = 256;
  const bool even_first = rules_.branching == Branching::most_even;
  const bool even_next = rules_.leave_open || open.size() > very_many;
  std::optional<Decision> best;
  std::size_t most = 0;
  Rational best_cuts;
  for (const std::uint32_t node : open) {
    Rational cuts = even_first ? ratio(1, 2) : Rational(0);
    if (problem_.terms.node(node).kind == Kind::atom) {
      const Atom* const atom = branch_.atom(node);
      if (atom == nullptr) continue;
      if (even_first || even_next) cuts = evenness(atom->form);
    }
    if (best && rules_.branching == Branching::first) continue;
    const std::size_t uses = branch_.uses(node);
    const bool better = even_first ? std::tie(cuts, uses) > std::tie(best_cuts, most)
                                   : std::tie(uses, cuts) > std::tie(most, best_cuts);
    if (best && !better) continue;
    best = branch_.decision_on(node, true);
    most = uses;
    best_cuts = std::move(cuts);
  }
  return *best;
}

/// Literals without which the formula, or the goal's condition, cannot hold.
bool SplitSearch::take_units() {
  const std::vector<Decision> units =
      branch_.units_of(searches_.of_problem() ? std::span<const Formula>(problem_.assertions)
                                              : std::span(&goals_[searches_.goal()].condition, 1));
  if (units.empty()) return false;
  for (const Decision& unit : units) {
    const Truth known = branch_.truth(Formula(unit.node, !unit.holds));
    if (known == Truth::yes) continue;
    if (known == Truth::no || !require(unit)) {
      backtrack();
      break;
    }
  }
  return true;
}

/// Adds a literal to the path; false if the region contradicts it.
bool SplitSearch::require(Decision decision) {
  if (decision.atom) {
    const LinearForm& form = decision.atom->form;
    const Sides sides = region_.sides(form);
    if (sides == Sides::both)
      region_ = decision.holds ? region_.below(form) : region_.above(form);
    else if ((sides == Sides::below) != decision.holds)
      return false;
  }
  enter(decision);
  return true;
}

void SplitSearch::split(Decision decision) {
  decision.holds = true;
  std::optional<ProductRegion> other = region_;
  if (decision.atom) {
    const LinearForm& form = decision.atom->form;
    const Sides sides = region_.sides(form);
    if (sides != Sides::both) {
      decision.holds = sides == Sides::below;
      return enter(decision);
    }
    std::tie(region_, other) = region_.cut(form);
  }
  if (!replay_.active()) return enter(decision, PathSide::first, std::move(other));
  decision.holds = replay_.holds(decision.node);
  if (!decision.holds) region_ = *std::move(other);
  enter(decision);
}

void SplitSearch::enter(Decision decision, PathSide side, std::optional<ProductRegion> other) {
  branch_.decide(decision);
  path_.push_back({std::move(other), settled_, side});
}

/// To the last decision whose opposite is still open; below the bottom, to the next goal.
void SplitSearch::backtrack() {
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
      return enter(decision, PathSide::second);
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
void SplitSearch::reach_leaf() {
  const std::vector<std::size_t> determined = searches_.reach_leaf(outcomes(goals_, branch_));
  if (replay_.active())
    return searches_.select(replay_.branch(SearchNode::Kind::goals, searches_.branches()),
                            path_.size());
  builder_.add_determined(branch_, region_, determined, ready_);
  if (!searches_.next(path_.size())) return backtrack();
  at_leaf_ = region_;
}

/// Is the integral of the weight here certainly below the threshold?
bool SplitSearch::small() const {
  if (!region_.bounded()) return false;
  const std::optional<Rational> most_weight =
      RegionBounds(problem_, branch_, region_).most_weight();
  return most_weight && Threshold{rules_.leave_open->least}.covers(*most_weight, region_, [this] {
    return rules_.leave_open->volume(region_);
  });
}

/// For the goals that are searched for here.
void SplitSearch::leave_open() {
  if (searches_.of_problem())
    builder_.add_open(branch_, region_, builder_.all_goals(), ready_);
  else
    builder_.add_open(branch_, region_, searches_.as_list(), ready_);
}

/// The cells that are ready; open cells for the regions still to be searched.
std::optional<std::vector<Cell>> SplitSearch::rest() {
  ready_.erase(ready_.begin(), ready_.begin() + static_cast<std::ptrdiff_t>(given_));
  given_ = 0;
  handed_over_.reset();
  for (; !done_; backtrack())
    if (!searches_.of_problem() || inspect().outcome != Outcome::closed) leave_open();
  for (Cell& cell : ready_)
    if (const auto* const product = std::get_if<ProductCell>(&cell.kind))
      cell = Cell(*product->unsearched);
  return std::exchange(ready_, {});
}

/// Gives the subtree below the path to the reference enumerator.
void SplitSearch::hand_over() {
  const std::span<const Goal> goals =
      searches_.of_problem() ? std::span(goals_) : std::span(&goals_[searches_.goal()], 1);
  SearchPath below;
  if (replay_.active()) {
    replay_.branch(SearchNode::Kind::reference, 1);
    below = replay_.rest();
  }
  handed_over_.emplace(*defined_, branch_.decisions(), goals, stop_, below);
}

}  // namespace wmi
