#include "solver/enumerators/goal_searches.h"

#include "solver/enumerators/replay.h"

namespace wmi {

Inspection inspect(const Goal& goal, const Branch& branch) {
  const Truth condition = branch.truth(goal.condition);
  if (condition == Truth::no) return {Outcome::closed};
  if (condition == Truth::unknown) return {Outcome::open, goal.condition};
  for (const Summand& summand : goal.summands)
    if (auto decision = branch.open_in(summand.term)) return {Outcome::open, {}, decision};
  if (goal.slice)
    if (auto decision = branch.open_in(goal.slice->term)) return {Outcome::open, {}, decision};
  for (const Output& output : goal.outputs)
    if (auto decision = branch.open_in(output.term)) return {Outcome::open, {}, decision};
  return {Outcome::determined};
}

std::vector<Outcome> outcomes(std::span<const Goal> goals, const Branch& branch) {
  std::vector<Outcome> result;
  for (const Goal& goal : goals) result.push_back(inspect(goal, branch).outcome);
  return result;
}

std::vector<std::size_t> GoalSearches::reach_leaf(std::span<const Outcome> outcomes) {
  std::vector<std::size_t> determined;
  queue_.clear();
  for (std::size_t goal = 0; goal < outcomes.size(); ++goal) {
    if (outcomes[goal] == Outcome::determined) determined.push_back(goal);
    if (outcomes[goal] == Outcome::open) queue_.push_back(goal);
  }
  next_ = 0;
  end_ = queue_.size();
  return determined;
}

bool GoalSearches::next(std::size_t path) {
  if (next_ >= end_) {
    goal_ = the_problem;
    bottom_ = 0;
    queue_.clear();
    next_ = end_ = 0;
    return false;
  }
  goal_ = queue_[next_++];
  bottom_ = path;
  return true;
}

SearchTree GoalSearches::leaf_above(SearchTree current) const {
  using State = SearchTree::State;
  std::vector<SearchTree> branches{SearchTree::leaf(State::finished)};
  for (std::size_t i = 0; i < queue_.size(); ++i)
    branches.push_back(SearchTree::leaf(i < next_  ? State::finished
                                        : i < end_ ? State::open
                                                   : State::elsewhere));
  branches[next_] = std::move(current);  // behind the shared cell
  return SearchTree::inner({SearchNode::Kind::goals}, std::move(branches));
}

void GoalSearches::select(std::size_t branch, std::size_t path) {
  if (branch == 0) Replay::fail();
  goal_ = queue_[branch - 1];
  bottom_ = path;
  queue_.clear();
  next_ = end_ = 0;
}

std::optional<GoalSearches::Given> GoalSearches::give() {
  if (next_ >= end_) return std::nullopt;
  --end_;
  return Given{end_ + 1, queue_[end_]};
}

}  // namespace wmi
