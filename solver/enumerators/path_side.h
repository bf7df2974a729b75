#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "solver/enumerators/goal_searches.h"
#include "solver/enumerators/search_tree.h"

namespace wmi {

/// What a decision on the path of a search is in its tree: no node, because it had to be so (or is
/// above where the search began); or the first or the second branch of a node.
enum class PathSide : std::uint8_t { forced, first, second };

/// The tree of a decision with two sides, of which one has the subtree `below`; of a forced one, that
/// subtree. The other side is finished if it was the first; if it is the second, it is open or given
/// to another search.
inline SearchTree decision_above(std::uint32_t node, bool holds, PathSide side, bool other_open,
                                 SearchTree below) {
  if (side == PathSide::forced) return below;
  using State = SearchTree::State;
  const State other = side == PathSide::second ? State::finished
                      : other_open             ? State::open
                                               : State::elsewhere;
  std::vector<SearchTree> branches(2, SearchTree::leaf(other));
  branches[holds ? 0 : 1] = std::move(below);
  return SearchTree::inner({SearchNode::Kind::decision, node}, std::move(branches));
}

/// The tree of a search that stands at `below`, under a path of `steps` decisions: `above(i, tree)`
/// puts decision i above a subtree.
template <class Above>
SearchTree tree_of_path(const GoalSearches& searches, std::size_t steps, SearchTree below,
                        const Above& above) {
  for (std::size_t i = steps;; --i) {
    if (searches.at_leaf() && i == searches.bottom()) below = searches.leaf_above(std::move(below));
    if (i == 0) return below;
    below = above(i - 1, std::move(below));
  }
}

}  // namespace wmi
