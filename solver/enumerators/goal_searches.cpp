#include "solver/enumerators/goal_searches.h"

#include <algorithm>

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
  for (std::size_t goal = outcomes.size(); goal-- > 0;) {
    if (outcomes[goal] == Outcome::determined) determined.push_back(goal);
    if (outcomes[goal] == Outcome::open) waiting_.push_back(goal);
  }
  std::reverse(determined.begin(), determined.end());
  return determined;
}

bool GoalSearches::next(std::size_t path) {
  if (waiting_.empty()) {
    goal_ = the_problem;
    bottom_ = 0;
    return false;
  }
  goal_ = waiting_.back();
  waiting_.pop_back();
  bottom_ = path;
  return true;
}

}  // namespace wmi
