// DPLL over the atoms that matter, with a polytope and its vertices as the state of the theory, as in
// split_search.cpp; but in doubles with proven errors, and with exact numbers only where these cannot
// decide. After each decision all atoms that are ready are held against the region, and those that
// it implies are decided at once, layer by layer; so only decisions between two regions are split.

#include "solver/enumerators/filtered/filtered_search.h"

#include <algorithm>
#include <utility>

#include "solver/terms/error.h"

namespace wmi {
namespace {

/// A part of a search for another thread, which builds it in memory of its own.
class ForkedFilteredSearch final : public Cells {
 public:
  ForkedFilteredSearch(std::shared_ptr<const FilteredProblem> problem, std::stop_token stop,
                       std::optional<LeaveOpen> leave_open, std::vector<PathDecision> decisions,
                       FilteredPolytope region)
      : problem_(std::move(problem)),
        stop_(std::move(stop)),
        leave_open_(std::move(leave_open)),
        decisions_(std::move(decisions)),
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
    if (search_) return;
    search_ = std::make_unique<FilteredSearch>(problem_, stop, leave_open_, decisions_,
                                               std::move(region_));
  }

  const std::shared_ptr<const FilteredProblem> problem_;
  const std::stop_token stop_;
  const std::optional<LeaveOpen> leave_open_;
  const std::vector<PathDecision> decisions_;
  FilteredPolytope region_;
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
    const std::vector<PathDecision>& before = shadow_->followed();
    shadow_->follow(path_);
    std::vector<Cell> result;
    CellBuilder(*problem_->defined)
        .add_determined(shadow_->branch(), ProductRegion(region_.exact(*shadow_)), goals_, result);
    shadow_->follow(before);
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

FilteredSearch::FilteredSearch(std::shared_ptr<const FilteredProblem> problem, std::stop_token stop,
                               std::optional<LeaveOpen> leave_open)
    : FilteredSearch(problem, std::move(stop), std::move(leave_open), problem->sides,
                     FilteredPolytope(problem->forms->box(), problem->lower, problem->upper)) {}

FilteredSearch::FilteredSearch(std::shared_ptr<const FilteredProblem> problem, std::stop_token stop,
                               std::optional<LeaveOpen> leave_open,
                               std::span<const PathDecision> decisions, FilteredPolytope region)
    : problem_(std::move(problem)),
      stop_(std::move(stop)),
      leave_open_(std::move(leave_open)),
      goals_(problem_->defined->goals),
      branch_(problem_->forms),
      shadow_(std::make_shared<ExactShadow>(problem_->defined)),
      region_(std::move(region)) {
  for (const PathDecision& decision : decisions)
    if (branch_.truth(Formula(decision.node, false)) == Truth::unknown) branch_.decide(decision);
  shadow_->follow(branch_.decisions());
}

std::optional<Cell> FilteredSearch::next() {
  if (given_ == ready_.size()) {
    ready_.clear();
    given_ = 0;
  }
  while (ready_.empty() && !done_) {
    if (stop_.stop_requested()) throw Stopped();
    search();
  }
  if (ready_.empty()) return std::nullopt;
  return std::move(ready_[given_++]);
}

/// The first open region on the path.
std::unique_ptr<Cells> FilteredSearch::fork() {
  const std::size_t end = searches_.of_problem() ? splits_.size() : searches_.bottom();
  for (std::size_t i = 0; i < end; ++i) {
    if (!splits_[i].other) continue;
    const std::vector<PathDecision>& path = branch_.decisions();
    std::vector<PathDecision> decisions(
        path.begin(), path.begin() + static_cast<std::ptrdiff_t>(splits_[i].decision + 1));
    decisions.back().holds = !decisions.back().holds;
    auto rest = std::make_unique<ForkedFilteredSearch>(
        problem_, stop_, leave_open_, std::move(decisions), std::move(*splits_[i].other));
    splits_[i].other.reset();
    return rest;
  }
  return nullptr;
}

void FilteredSearch::search() {
  scan();
  const State state = searches_.of_problem() ? inspect() : inspect(goals_[searches_.goal()]);
  switch (state.outcome) {
    case Outcome::closed:
      return backtrack();
    case Outcome::open:
      if (leave_open_ && small()) {
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

FilteredSearch::State FilteredSearch::inspect() {
  const Problem& problem = problem_->defined->problem;
  std::optional<Formula> open;
  for (const Formula assertion : problem.assertions) {
    const Truth value = branch_.truth(assertion);
    if (value == Truth::no) return {Outcome::closed};
    if (value == Truth::unknown && !open) open = assertion;
  }
  if (open) return {Outcome::open, branch_.open_in(*open)};
  for (const Weight& weight : problem.weights) {
    const Truth condition = branch_.truth(weight.condition);
    if (condition == Truth::yes && branch_.vanishes(weight.value)) return {Outcome::closed};
  }
  for (const Weight& weight : problem.weights) {
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
  region_ = std::move(below);
  splits_.push_back({branch_.decisions().size(), std::move(above), scanned_});
  branch_.decide({atom, true});
}

/// To the last split whose other region is still open; below the bottom, to the next goal.
void FilteredSearch::backtrack() {
  for (;;) {
    while (splits_.size() > searches_.bottom()) {
      Split& last = splits_.back();
      std::optional<FilteredPolytope> other = std::move(last.other);
      const std::size_t decision = last.decision;
      scanned_ = last.scanned;
      if (!other) {
        splits_.pop_back();
        continue;
      }
      PathDecision opposite = branch_.decisions()[decision];
      while (branch_.decisions().size() > decision) branch_.undo();
      opposite.holds = !opposite.holds;
      region_ = std::move(*other);
      last.other.reset();
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
      return;
    }
  }
}

void FilteredSearch::reach_leaf() {
  std::vector<Outcome> outcomes;
  for (const Goal& goal : goals_) outcomes.push_back(inspect(goal).outcome);
  emit(searches_.reach_leaf(outcomes));
  if (!searches_.next(splits_.size())) return backtrack();
  at_leaf_ = region_;
  leaf_decisions_ = branch_.decisions().size();
}

EnclosedPolytope FilteredSearch::enclosed(const FilteredPolytope& region) const {
  const NormalisedBox& box = problem_->forms->box();
  EnclosedPolytope result;
  result.dimension = region.dimension();
  for (std::size_t v = 0; v < region.vertex_count(); ++v) {
    for (std::size_t k = 0; k < region.dimension(); ++k)
      result.vertices.push_back(region.coordinate(v, k));
    result.radii.push_back(region.radius(v));
  }
  result.incidences = region.facets().incidences;
  result.centre = box.centre;
  result.half_width = box.half_width;
  return result;
}

void FilteredSearch::emit(std::span<const std::size_t> goals) {
  if (goals.empty()) return;
  const auto exact = std::make_shared<ExactLeaf>(problem_, shadow_, branch_.decisions(), region_,
                                                 std::vector(goals.begin(), goals.end()));
  Cell cell{problem_->defined->variables};
  EnclosedCell enclosed{this->enclosed(region_), {}, exact};
  bool simple = true;
  Rational weight = 1;
  for (const Weight& factor : problem_->defined->problem.weights)
    if (branch_.truth(factor.condition) == Truth::yes) {
      simple = simple && factor.value.constant();
      weight *= factor.value.constant_term();
    }
  for (const std::size_t number : goals) {
    const Goal& goal = goals_[number];
    simple = simple && goal.plain();
    for (const Summand& summand : goal.summands) {
      simple = simple && summand.is_one();
      enclosed.integrands.emplace_back(Polynomial(weight));
      cell.sums.push_back({summand.sum});
    }
  }
  if (!simple) {
    for (Cell& made : exact->cells()) ready_.push_back(std::move(made));
    return;
  }
  cell.kind = std::move(enclosed);
  ready_.push_back(std::move(cell));
}

bool FilteredSearch::small() { return false; }

void FilteredSearch::leave_open() {}

std::optional<std::vector<Cell>> FilteredSearch::rest() { return std::nullopt; }

}  // namespace wmi
