#pragma once

#include <cstdint>

#include "solver/enumerators/search_tree.h"

namespace wmi {

/// What a decision on the path of a search is in its tree: no node, because it had to be so (or is
/// above where the search began); or the first or the second branch of a node.
enum class PathSide : std::uint8_t { forced, first, second };

/// The tree of a node with two sides, of which one has the subtree `below`. The other one is
/// finished if it was the first; if it is the second, it is open or given to another search.
inline SearchTree decision_above(std::uint32_t node, bool holds, PathSide side, bool other_open,
                                 SearchTree below) {
  using State = SearchTree::State;
  const State other = side == PathSide::second ? State::finished
                      : other_open             ? State::open
                                               : State::elsewhere;
  std::vector<SearchTree> branches(2, SearchTree::leaf(other));
  branches[holds ? 0 : 1] = std::move(below);
  return SearchTree::inner({SearchNode::Kind::decision, node}, std::move(branches));
}

}  // namespace wmi
