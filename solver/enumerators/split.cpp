// A geometric search, one cut at a time: split_search.cpp has the algorithm. Here a problem is
// prepared for it: derived reals become defined terms, and where the problem decomposes, each
// condition of a goal has a search of its own. A problem with derived reals that are more than
// defined terms is left to the reference enumerator.

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "solver/enumerator.h"
#include "solver/enumerators/defined.h"
#include "solver/enumerators/filtered/filtered_search.h"
#include "solver/enumerators/parity.h"
#include "solver/enumerators/split_search.h"

namespace wmi {
namespace {

/// One of several searches that follow each other, in the tree of all of them.
class Link final : public Cells {
 public:
  Link(std::unique_ptr<Cells> cells, const PathStep& step)
      : cells_(std::move(cells)), step_(step) {}

  std::optional<Cell> next() override { return cells_->next(); }
  std::optional<Cell> found() override { return cells_->found(); }
  std::optional<std::vector<Cell>> rest() override { return cells_->rest(); }
  std::unique_ptr<Cells> fork() override { return linked(cells_->fork()); }
  std::unique_ptr<Cells> divide() override { return linked(cells_->divide()); }
  std::optional<SearchTree> tree() const override {
    std::optional<SearchTree> below = cells_->tree();
    if (below) below = along({step_}, *std::move(below));
    return below;
  }

 private:
  std::unique_ptr<Cells> linked(std::unique_ptr<Cells> part) const {
    return part ? std::make_unique<Link>(std::move(part), step_) : nullptr;
  }

  const std::unique_ptr<Cells> cells_;
  const PathStep step_;
};

/// One enumeration after the other.
class Chain final : public Cells {
 public:
  explicit Chain(std::vector<std::unique_ptr<Cells>> links) : count_(links.size()) {
    for (std::size_t i = count_; i-- > 0;)
      links_.push_back(std::make_unique<Link>(std::move(links[i]), step(i, count_)));
  }

  static PathStep step(std::size_t link, std::size_t count) {
    return {{SearchNode::Kind::links},
            static_cast<std::uint32_t>(link),
            static_cast<std::uint32_t>(count)};
  }

  std::optional<Cell> next() override {
    while (!links_.empty()) {
      if (std::optional<Cell> cell = links_.back()->next()) return cell;
      finish();
    }
    return std::nullopt;
  }

  std::optional<Cell> found() override {
    return links_.empty() ? std::nullopt : links_.back()->found();
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

  std::unique_ptr<Cells> divide() override {
    return links_.size() == 1 ? links_.back()->divide() : fork();
  }

  std::optional<SearchTree> tree() const override {
    SearchTree result = finished_;
    for (const std::unique_ptr<Cells>& link : links_) {
      std::optional<SearchTree> part = link->tree();
      if (!part) return std::nullopt;
      merge(result, *std::move(part));
    }
    return result;
  }

 private:
  void finish() {
    if (std::optional<SearchTree> part = links_.back()->tree()) merge(finished_, *std::move(part));
    links_.pop_back();
  }

  const std::size_t count_;
  std::vector<std::unique_ptr<Cells>> links_;  // the last one is enumerated
  SearchTree finished_ = SearchTree::leaf(SearchTree::State::elsewhere);  // of earlier links
};

/// For each different condition of the goals, the problem with that condition asserted, so that each
/// decomposes on its own.
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
  SplitEnumerator(Branching branching, bool may_filter)
      : branching_(branching), may_filter_(may_filter) {}

  bool in_doubles(const Problem& problem, std::span<const Goal> goals) const override {
    if (!may_filter_) return false;
    std::optional<Defined> defined = define(problem, goals);
    return defined && FilteredProblem::suits(*defined) &&
           FilteredProblem::make(std::make_shared<const Defined>(std::move(*defined)));
  }

  bool separates() const override { return may_filter_; }

  SearchCounts counts() const override { return totals_->counts(); }

  std::unique_ptr<Cells> start(const Problem& problem, std::span<const Goal> goals,
                               std::stop_token stop) const override {
    return start(problem, goals, std::move(stop), SearchRules{branching_}, {});
  }

  std::unique_ptr<Cells> start_above(const LeaveOpen& leave_open, const Problem& problem,
                                     std::span<const Goal> goals,
                                     std::stop_token stop) const override {
    return start(problem, goals, std::move(stop), SearchRules{branching_, leave_open}, {});
  }

  std::unique_ptr<Cells> start_at(const SearchPath& path, const Problem& problem,
                                  std::span<const Goal> goals,
                                  std::stop_token stop) const override {
    return start(problem, goals, std::move(stop), SearchRules{branching_}, path);
  }

 private:
  std::unique_ptr<Cells> start(const Problem& problem, std::span<const Goal> goals,
                               std::stop_token stop, const SearchRules& rules,
                               const SearchPath& path) const {
    std::optional<Defined> defined = define(problem, goals);
    if (!defined) return make_z3()->start_at(path, problem, goals, stop);
    remove_parities(*defined);
    defined->nested = should_nest(defined->problem, defined->goals);
    if (may_filter_ && !defined->nested && FilteredProblem::suits(*defined)) {
      const auto shared = std::make_shared<Defined>(std::move(*defined));
      if (auto filtered = FilteredProblem::make(shared))
        return std::make_unique<FilteredSearch>(
            std::move(filtered), FilteredSearchOptions{stop, rules.leave_open, totals_}, path);
      *defined = std::move(*shared);
    }
    const auto search = [&](Defined&& part, const SearchPath& to) {
      return std::make_unique<SplitSearch>(std::make_shared<const Defined>(std::move(part)), stop,
                                           rules, to);
    };
    if (defined->nested ||
        std::all_of(defined->goals.begin(), defined->goals.end(),
                    [](const Goal& goal) { return goal.condition == truth && goal.plain(); }))
      return search(std::move(*defined), path);
    // The problem is lent to the search that tells whether it decomposes, and not copied.
    const auto bare = std::make_shared<Defined>(Defined{
        std::move(defined->problem), {{truth, {{Polynomial(1), 0}}, {}}}, defined->variables});
    const bool decomposes = SplitSearch(bare, stop, rules).decomposes();
    defined->problem = std::move(bare->problem);
    if (!decomposes) return search(std::move(*defined), path);
    std::vector<Defined> parts = separated(*defined);
    if (!path.empty()) {
      const std::size_t link = Replay(path).branch(SearchNode::Kind::links, parts.size());
      return std::make_unique<Link>(
          search(std::move(parts[link]), SearchPath(path.begin() + 1, path.end())), path[0]);
    }
    std::vector<std::unique_ptr<Cells>> links;
    for (Defined& part : parts) links.push_back(search(std::move(part), {}));
    return std::make_unique<Chain>(std::move(links));
  }

  const Branching branching_;
  const bool may_filter_;
  const std::shared_ptr<SearchTotals> totals_ = std::make_shared<SearchTotals>();
};

}  // namespace

std::unique_ptr<Enumerator> make_split() {
  return std::make_unique<SplitEnumerator>(Branching::most_used, true);
}

std::unique_ptr<Enumerator> make_exact_split() { return make_split_by(Branching::most_used); }

std::unique_ptr<Enumerator> make_split_by(Branching branching) {
  return std::make_unique<SplitEnumerator>(branching, false);
}

}  // namespace wmi
