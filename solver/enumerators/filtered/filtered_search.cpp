// DPLL over the atoms that matter, with a polytope and its vertices as the state of the theory, as in
// split_search.cpp; but in doubles with proven errors, and with exact numbers only where these cannot
// decide. After each decision all atoms that are ready are held against the region, and those that
// it implies are decided at once, layer by layer; so only decisions between two regions are split.

#include "solver/enumerators/filtered/filtered_search.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "solver/geometry/product_region.h"
#include "solver/smooth/exponential_density.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

/// A part of a search for another thread, which builds it in memory of its own.
class ForkedFilteredSearch final : public Cells {
 public:
  ForkedFilteredSearch(std::shared_ptr<const FilteredProblem> problem,
                       FilteredSearchOptions options, FilteredSearch::Place place)
      : problem_(std::move(problem)), options_(std::move(options)), place_(std::move(place)) {}

  std::optional<Cell> next() override {
    start(options_.stop);
    return search_->next();
  }
  std::optional<std::vector<Cell>> rest() override {
    start({});
    return search_->rest();
  }
  std::unique_ptr<Cells> fork() override { return search_ ? search_->fork() : nullptr; }
  std::optional<Cell> found() override { return search_ ? search_->found() : std::nullopt; }
  std::unique_ptr<Cells> divide() override {
    start(options_.stop);
    return search_->divide();
  }
  std::optional<SearchTree> tree() const override {
    return search_ ? search_->tree() : along(place_.path, SearchTree());
  }

 private:
  void start(const std::stop_token& stop) {
    if (search_) return;
    FilteredSearchOptions options = options_;
    options.stop = stop;
    // A copy: a search that is stopped here may be asked again.
    search_ = std::make_unique<FilteredSearch>(problem_, std::move(options), place_);
  }

  const std::shared_ptr<const FilteredProblem> problem_;
  const FilteredSearchOptions options_;
  FilteredSearch::Place place_;  // until the search is built
  std::unique_ptr<FilteredSearch> search_;
};

/// A cell as the exact branch at the end of its path gives it.
class ExactLeaf final : public ExactCells {
 public:
  ExactLeaf(std::shared_ptr<const FilteredProblem> problem, std::shared_ptr<ExactShadow> shadow,
            std::vector<PathDecision> path, FilteredPolytope region, std::vector<std::size_t> goals)
      : problem_(std::move(problem)),
        shadow_(std::move(shadow)),
        path_(std::move(path)),
        region_(std::move(region)),
        goals_(std::move(goals)) {}

  std::vector<Cell> cells() override {
    // Back to the path of the search, whatever happens.
    const std::unique_ptr<ExactShadow, std::function<void(ExactShadow*)>> back(
        shadow_.get(),
        [&before = shadow_->followed()](ExactShadow* shadow) { shadow->follow(before); });
    shadow_->follow(path_);
    std::vector<Cell> result;
    CellBuilder(*problem_->defined)
        .add_determined(shadow_->branch(), ProductRegion(region_.exact(*shadow_)), goals_, result);
    return result;
  }

 private:
  const std::shared_ptr<const FilteredProblem> problem_;
  const std::shared_ptr<ExactShadow> shadow_;
  const std::vector<PathDecision> path_;
  const FilteredPolytope region_;
  const std::vector<std::size_t> goals_;
};

}  // namespace

FilteredSearch::FilteredSearch(const std::shared_ptr<const FilteredProblem>& problem,
                               FilteredSearchOptions options)
    : FilteredSearch(problem, std::move(options),
                     {problem->sides,
                      FilteredPolytope(problem->forms->box(), problem->lower, problem->upper)}) {}

FilteredSearch::FilteredSearch(std::shared_ptr<const FilteredProblem> problem,
                               FilteredSearchOptions options, Place place)
    : problem_(std::move(problem)),
      options_(std::move(options)),
      goals_(problem_->defined->goals),
      branch_(problem_->forms),
      shadow_(std::make_shared<ExactShadow>(problem_->defined)),
      region_(std::move(place.region)),
      bounds_(problem_->forms),
      splits_above_(place.splits),
      bounded_(place.bounded),
      above_(std::move(place.path)) {
  for (const PathDecision& decision : place.decisions)
    if (branch_.truth(Formula(decision.node, false)) == Truth::unknown) branch_.decide(decision);
  if (place.goal) searches_.begin(*place.goal);
  shadow_->follow(branch_.decisions());
}

FilteredSearch::FilteredSearch(const std::shared_ptr<const FilteredProblem>& problem,
                               FilteredSearchOptions options, const SearchPath& path)
    : FilteredSearch(problem, std::move(options)) {
  replay_ = Replay(path);
  while (replay_.active()) {
    if (done_) Replay::fail();
    advance();
  }
  ready_.clear();  // of leaves that goals are below
  above_ = path;
}

FilteredSearch::~FilteredSearch() {
  if (options_.totals) options_.totals->add({counts_.in_doubles, counts_.exact, early_decisions_});
}

std::optional<Cell> FilteredSearch::next() {
  if (given_ == ready_.size()) {
    ready_.clear();
    given_ = 0;
  }
  // A search that finds no cell for long must still be shared: an open cell that misses nothing.
  constexpr std::size_t long_without = 256;
  for (std::size_t steps = 0; ready_.empty() && !done_; ++steps) {
    if (options_.stop.stop_requested()) throw Stopped();
    if (steps == long_without) return Cell{problem_->defined->variables, OpenCell()};
    advance();
  }
  return found();
}

std::optional<Cell> FilteredSearch::found() {
  if (given_ == ready_.size()) return std::nullopt;
  return std::move(ready_[given_++]);
}

/// The path to the place before so many splits.
SearchPath FilteredSearch::path_to(std::size_t splits) const {
  SearchPath result = above_;
  for (std::size_t i = 0; i < splits; ++i) {
    if (searches_.at_leaf() && i == searches_.bottom()) result.push_back(searches_.current());
    if (splits_[i].side == PathSide::forced) continue;
    const PathDecision& decision = branch_.decisions()[splits_[i].decision];
    result.push_back({{SearchNode::Kind::decision, decision.node}, decision.holds ? 0u : 1u});
  }
  if (searches_.at_leaf() && splits == searches_.bottom()) result.push_back(searches_.current());
  return result;
}

/// The first open region on the path, for the goal alone that is searched there if it is below a
/// leaf; or else a goal that waits at the leaf.
std::optional<FilteredSearch::Place> FilteredSearch::split_off() {
  const std::vector<PathDecision>& decisions = branch_.decisions();
  const auto first = [&](std::size_t count) {
    return std::vector(decisions.begin(), decisions.begin() + static_cast<std::ptrdiff_t>(count));
  };
  for (std::size_t i = 0; i < splits_.size(); ++i) {
    if (!splits_[i].other) continue;
    Place place{first(splits_[i].decision + 1), std::move(*splits_[i].other), splits_above_ + i + 1,
                splits_[i].bounded};
    PathDecision& opposite = place.decisions.back();
    opposite.holds = !opposite.holds;
    if (!searches_.of_problem() && i >= searches_.bottom()) place.goal = searches_.goal();
    place.path = path_to(i);
    place.path.push_back({{SearchNode::Kind::decision, opposite.node}, opposite.holds ? 0u : 1u});
    splits_[i].other.reset();
    return place;
  }
  if (const std::optional<GoalSearches::Given> given = searches_.give()) {
    Place place{first(leaf_decisions_), *at_leaf_,   splits_above_ + searches_.bottom(),
                leaf_bounded_,          given->goal, path_to(searches_.bottom())};
    place.path.back().branch = static_cast<std::uint32_t>(given->branch);
    return place;
  }
  return std::nullopt;
}

std::unique_ptr<Cells> FilteredSearch::fork() {
  std::optional<Place> place = split_off();
  return place ? std::make_unique<ForkedFilteredSearch>(problem_, options_, *std::move(place))
               : nullptr;
}

std::unique_ptr<Cells> FilteredSearch::divide() {
  for (;;) {
    if (std::optional<Place> place = split_off()) {
      divided_.push_back(place->path);
      return std::make_unique<ForkedFilteredSearch>(problem_, options_, *std::move(place));
    }
    if (done_ || handed_over_) return nullptr;
    if (options_.stop.stop_requested()) throw Stopped();
    advance();
  }
}

std::optional<SearchTree> FilteredSearch::tree() const {
  SearchTree result = done_          ? SearchTree::leaf(SearchTree::State::finished)
                      : handed_over_ ? handed_over_->tree()
                                     : SearchTree();
  result = tree_of_path(searches_, splits_.size(), std::move(result),
                        [&](std::size_t i, SearchTree below) {
                          const auto& step = splits_[i];
                          const auto& decision = branch_.decisions()[step.decision];
                          return decision_above(decision.node, decision.holds, step.side,
                                                step.other.has_value(), std::move(below));
                        });
  result = along(above_, std::move(result));
  for (const SearchPath& path : divided_) carve(result, path);
  return result;
}

void FilteredSearch::advance() {
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

/// Gives the subtree below the path to the reference enumerator, which needs no vertices.
void FilteredSearch::hand_over() {
  const std::span<const Goal> goals =
      searches_.of_problem() ? std::span(goals_) : std::span(&goals_[searches_.goal()], 1);
  SearchPath below;
  if (replay_.active()) {
    replay_.branch(SearchNode::Kind::reference, 1);
    below = replay_.rest();
  }
  handed_over_.emplace(*problem_->defined, branch_.decisions(), goals, options_.stop, below);
}

void FilteredSearch::search() {
  scan();
  const State state = searches_.of_problem() ? inspect() : inspect(goals_[searches_.goal()]);
  switch (state.outcome) {
    case Outcome::closed:
      return backtrack();
    case Outcome::open:
      if (decide_early()) return;
      if (options_.leave_open && small()) {
        leave_open();
        return backtrack();
      }
      return split(*state.atom);
    case Outcome::determined:
      if (searches_.of_problem()) return reach_leaf();
      emit(searches_.as_list());
      return backtrack();
  }
}

/// Decides the atoms that the region implies. Those that are left are cut by their hyperplanes.
void FilteredSearch::scan() {
  const Terms& terms = problem_->defined->problem.terms;
  const Filter filter{*shadow_, counts_};
  bool all_decided = true;
  for (std::size_t i = scanned_; i < branch_.ready_atoms().size(); ++i) {
    const std::uint32_t atom = branch_.ready_atoms()[i];
    if (branch_.truth(Formula(atom, false)) == Truth::unknown) {
      const std::size_t exact = counts_.exact;
      const bool equation = terms.atom(terms.node(atom).index).comparison == Comparison::equal;
      const Sides sides = equation ? Sides::both : region_.sides(hyperplane(atom), filter);
      // Exact numbers know when a form is constant, and that an equation has no volume.
      const Truth concluded = equation || counts_.exact > exact
                                  ? shadow_->branch().truth(Formula(atom, false))
                                  : Truth::unknown;
      if (concluded != Truth::unknown)
        branch_.decide({atom, concluded == Truth::yes});
      else if (sides != Sides::both)
        branch_.decide({atom, sides == Sides::below});
      else
        all_decided = false;
    }
    if (all_decided) scanned_ = i + 1;
  }
}

/// Decides atoms of the formula at hand by bounds; false if there is none to decide. Bounds are worked
/// out at every few splits of a path: at a region of which that many splits are likely to follow, they
/// cost less than these.
bool FilteredSearch::decide_early() {
  constexpr std::size_t every = 2;
  const std::size_t splits = splits_above_ + splits_.size();
  if (splits < bounded_) return false;
  bounded_ = splits + every;
  const std::vector<std::uint32_t>& atoms =
      problem_->formula_atoms[searches_.of_problem() ? goals_.size() : searches_.goal()];
  const auto open = [&](std::uint32_t atom) {
    return branch_.truth(Formula(atom, false)) == Truth::unknown && !branch_.ready(atom);
  };
  if (std::ranges::none_of(atoms, open)) return false;
  bounds_.update(branch_, region_);
  bool found = false;
  for (const std::uint32_t atom : atoms) {
    if (!open(atom)) continue;
    const Truth truth = bounds_.truth(atom, branch_, region_);
    if (truth == Truth::unknown) continue;
    branch_.decide({atom, truth == Truth::yes});
    found = true;
  }
  if (found) ++early_decisions_;
  return found;
}

FilteredSearch::State FilteredSearch::inspect() {
  std::optional<Formula> open;
  for (const Formula assertion : problem_->defined->problem.assertions) {
    const Truth value = branch_.truth(assertion);
    if (value == Truth::no) return {Outcome::closed};
    if (value == Truth::unknown && !open) open = assertion;
  }
  if (open) return {Outcome::open, branch_.open_in(*open)};
  for (const Weight& weight : problem_->polynomial_weights) {
    const Truth condition = branch_.truth(weight.condition);
    if (condition == Truth::yes && branch_.vanishes(weight.value)) return {Outcome::closed};
  }
  for (const Weight& weight : problem_->polynomial_weights) {
    const Truth condition = branch_.truth(weight.condition);
    if (condition == Truth::unknown) return {Outcome::open, branch_.open_in(weight.condition)};
    if (condition == Truth::yes)
      if (const auto atom = branch_.open_in(weight.value)) return {Outcome::open, atom};
  }
  return {Outcome::determined};
}

FilteredSearch::State FilteredSearch::inspect(const Goal& goal) const {
  const Truth condition = branch_.truth(goal.condition);
  if (condition == Truth::no) return {Outcome::closed};
  if (condition == Truth::unknown) return {Outcome::open, branch_.open_in(goal.condition)};
  for (const Summand& summand : goal.summands)
    if (const auto atom = branch_.open_in(summand.term)) return {Outcome::open, atom};
  if (goal.slice)
    if (const auto atom = branch_.open_in(goal.slice->term)) return {Outcome::open, atom};
  for (const Output& output : goal.outputs)
    if (const auto atom = branch_.open_in(output.term)) return {Outcome::open, atom};
  return {Outcome::determined};
}

void FilteredSearch::split(std::uint32_t atom) {
  auto [below, above] = region_.cut(hyperplane(atom), {*shadow_, counts_});
  Split split{branch_.decisions().size(), std::nullopt, scanned_, bounded_};
  bool holds = true;
  if (replay_.active()) {
    split.side = PathSide::forced;
    holds = replay_.holds(atom);
  } else {
    split.other = std::move(above);
  }
  region_ = std::move(holds ? below : above);
  splits_.push_back(std::move(split));
  branch_.decide({atom, holds});
}

/// To the last split whose other region is still open; below the bottom, to the next goal.
void FilteredSearch::backtrack() {
  for (;;) {
    while (splits_.size() > searches_.bottom()) {
      Split& last = splits_.back();
      std::optional<FilteredPolytope> other = std::move(last.other);
      const std::size_t decision = last.decision;
      scanned_ = last.scanned;
      bounded_ = last.bounded;
      if (!other) {
        splits_.pop_back();
        continue;
      }
      PathDecision opposite = branch_.decisions()[decision];
      while (branch_.decisions().size() > decision) branch_.undo();
      opposite.holds = !opposite.holds;
      region_ = std::move(*other);
      last.other.reset();
      last.side = PathSide::second;
      branch_.decide(opposite);
      return;
    }
    if (searches_.of_problem()) {
      done_ = true;
      return;
    }
    if (searches_.next(splits_.size())) {
      while (branch_.decisions().size() > leaf_decisions_) branch_.undo();
      region_ = *at_leaf_;
      scanned_ = leaf_scanned_;
      bounded_ = leaf_bounded_;
      return;
    }
  }
}

void FilteredSearch::reach_leaf() {
  std::vector<Outcome> outcomes;
  for (const Goal& goal : goals_) outcomes.push_back(inspect(goal).outcome);
  const std::vector<std::size_t> determined = searches_.reach_leaf(outcomes);
  if (replay_.active())
    return searches_.select(replay_.branch(SearchNode::Kind::goals, searches_.branches()),
                            splits_.size());
  emit(determined);
  if (!searches_.next(splits_.size())) return backtrack();
  at_leaf_ = region_;
  leaf_decisions_ = branch_.decisions().size();
  leaf_scanned_ = scanned_;
  leaf_bounded_ = bounded_;
}

/// In normalised coordinates.
EnclosedPolytope FilteredSearch::enclosed(const FilteredPolytope& region) const {
  EnclosedPolytope result;
  result.dimension = region.dimension();
  result.vertices.reserve(region.vertex_count() * region.dimension());
  result.radii.reserve(region.vertex_count());
  for (std::size_t v = 0; v < region.vertex_count(); ++v) {
    for (std::size_t k = 0; k < region.dimension(); ++k)
      result.vertices.push_back(region.coordinate(v, k));
    result.radii.push_back(region.radius(v));
  }
  result.incidences = region.facets().incidences;
  result.centre.assign(region.dimension(), 0);
  result.half_width.assign(region.dimension(), 1);
  return result;
}

/// Weights and terms are polynomials in normalised coordinates, times the volume of the box in the
/// coordinates themselves. Goals with slices or laws are for exact numbers.
void FilteredSearch::emit(std::span<const std::size_t> goals) {
  if (goals.empty()) return;
  const auto exact = std::make_shared<ExactLeaf>(problem_, shadow_, branch_.decisions(), region_,
                                                 std::vector(goals.begin(), goals.end()));
  if (!std::ranges::all_of(goals, [&](std::size_t goal) { return goals_[goal].plain(); })) {
    for (Cell& made : exact->cells()) ready_.push_back(std::move(made));
    return;
  }
  BallPolynomial weight = problem_->constant_weight;
  for (const FilteredProblem::WeightFactor& factor : problem_->weights)
    if (branch_.truth(factor.condition) == Truth::yes)
      weight = weight * branch_.value(factor.value);
  Cell cell{problem_->defined->variables};
  EnclosedCell enclosed{
      this->enclosed(region_), {}, exact, {problem_, &problem_->forms->box()}, problem_->density};
  for (const std::size_t number : goals)
    for (std::size_t i = 0; i < goals_[number].summands.size(); ++i) {
      const Summand& summand = goals_[number].summands[i];
      const auto value = [&] { return branch_.value(problem_->summands[number][i]); };
      enclosed.integrands.push_back(
          (summand.is_one() ? weight : weight * power(value(), summand.order)).enclosed());
      cell.sums.push_back({summand.sum});
    }
  cell.kind = std::move(enclosed);
  ready_.push_back(std::move(cell));
}

const FilteredProblem::WholeBox& FilteredSearch::whole_box() {
  if (!whole_box_)
    whole_box_ = std::make_shared<const FilteredProblem::WholeBox>(problem_->whole_box());
  return *whole_box_;
}

FilteredSearch::Ends FilteredSearch::ends() const {
  Ends result;
  for (std::size_t k = 0; k < region_.dimension(); ++k) {
    double least = 1, greatest = -1;
    for (std::size_t v = 0; v < region_.vertex_count(); ++v) {
      least = std::min(least, region_.coordinate(v, k) - 2 * region_.radius(v));
      greatest = std::max(greatest, region_.coordinate(v, k) + 2 * region_.radius(v));
    }
    result.lower.push_back(least);
    result.upper.push_back(greatest);
  }
  return result;
}

/// An upper bound of the weight in the region, which lies between these ends.
std::optional<Rational> FilteredSearch::most_weight(const Ends& ends) {
  std::optional<Rational> result = whole_box().most_weight;
  if (!result) return std::nullopt;
  *result *= problem_->scale;
  if (problem_->density) *result *= problem_->density->most(ends.lower, ends.upper);
  return result;
}

/// Is the integral of the weight here certainly below the threshold?
bool FilteredSearch::small() {
  const Ends ends = this->ends();
  const std::optional<Rational> most = most_weight(ends);
  if (!most) return false;
  if (!options_.leave_open->least) return true;
  Rational box = *most;
  for (std::size_t k = 0; k < region_.dimension(); ++k)
    box *= Rational(ends.upper[k]) - Rational(ends.lower[k]);
  if (box <= *options_.leave_open->least) return true;
  const std::optional<Rational> volume = options_.leave_open->enclosed_volume(enclosed(region_));
  return volume && *most * *volume <= *options_.leave_open->least;
}

/// The range of a term over the region: what the bounds of its reals give here, if they are narrower
/// than those over the whole box.
std::optional<Interval> FilteredSearch::range(std::size_t goal, std::size_t summand) {
  const std::optional<Interval>& whole = whole_box().ranges[goal][summand];
  const auto& row = problem_->summands[goal][summand].row;
  if (!row) return whole;
  bounds_.update(branch_, region_);
  const auto [least, most] = bounds_.range(*row, branch_, region_);
  if (!std::isfinite(least) || !std::isfinite(most)) return whole;
  const Interval here{Rational(least), Rational(most)};
  return whole ? Interval(std::max(whole->lower, here.lower), std::min(whole->upper, here.upper))
               : here;
}

/// For the goals that are searched for here.
void FilteredSearch::leave_open() {
  OpenCell open;
  std::vector<std::size_t> slices;
  const auto add = [&](std::size_t number) {
    const Goal& goal = goals_[number];
    if (branch_.truth(goal.condition) == Truth::no) return;
    for (std::size_t i = 0; i < goal.summands.size(); ++i)
      open.missing.push_back(
          {goal.summands[i].sum,
           goal.summands[i].range(goal.summands[i].is_one() ? std::optional(Interval(Rational(1)))
                                                            : range(number, i))});
    if (goal.slice)
      for (const std::size_t sum : {goal.slice->mass, goal.slice->left, goal.slice->right})
        slices.push_back(sum);
  };
  if (searches_.of_problem())
    for (std::size_t goal = 0; goal < goals_.size(); ++goal) add(goal);
  else
    add(searches_.goal());
  if (const std::optional<Rational> most = most_weight(ends()))
    open.bound = {enclosed(region_), *most};
  if (!open.missing.empty()) ready_.push_back(Cell{problem_->defined->variables, std::move(open)});
  if (slices.empty()) return;
  OpenCell unbounded;  // a slice may have a point mass
  for (const std::size_t sum : slices) unbounded.missing.push_back({sum, Interval(Rational(1))});
  ready_.push_back(Cell{problem_->defined->variables, std::move(unbounded)});
}

/// The cells that are ready; open cells for the regions still to be searched.
std::optional<std::vector<Cell>> FilteredSearch::rest() {
  ready_.erase(ready_.begin(), ready_.begin() + static_cast<std::ptrdiff_t>(given_));
  given_ = 0;
  handed_over_.reset();
  for (; !done_; backtrack())
    if (!searches_.of_problem() || inspect().outcome != Outcome::closed) leave_open();
  return std::exchange(ready_, {});
}

}  // namespace wmi
