#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wmi {

/// What an inner node of a search tree decides.
struct SearchNode {
  enum class Kind : std::uint8_t {
    decision,   // a Boolean or an atom: holds, or not
    goals,      // a leaf of the problem: the cell that goals share, then each goal that is open
    links,      // several searches, one after the other
    reference,  // the one subtree that is left to the reference enumerator
    tasks,      // the tasks of a script
    blocks,     // of rows, of samples, or single rows: work that is no search
    cut,        // a form that is no atom: where it is at most 0, and where it is at least 0
  };

  Kind kind;
  std::uint32_t node = 0;  // of a decision

  friend bool operator==(const SearchNode&, const SearchNode&) = default;
};

/// A branch of an inner node. The first branch of a decision is that on which it holds.
struct PathStep {
  SearchNode at;
  std::uint32_t branch;
  std::uint32_t branches = 2;  // of the node

  friend bool operator==(const PathStep&, const PathStep&) = default;
};

/// A place of a search: the branches from the root to it. The searches make the same decisions at the
/// same place whatever they searched before, so a path says all that is needed to go on from there.
using SearchPath = std::vector<PathStep>;

/// `17+ 4- g1/2`: decisions that hold and that do not, and the second of two branches of a leaf.
std::string to_text(const SearchPath& path);
/// Throws Error.
SearchPath parse_path(std::string_view text);

/// How far a search has come: its tree down to the places where all is finished, or open.
struct SearchTree {
  enum class State : std::uint8_t {
    open,       // not searched
    finished,   // every cell below is found
    elsewhere,  // given to another search
    inner,
  };

  State state = State::open;
  std::size_t unit = 0;  // of an open place: the work unit it belongs to
  SearchNode node = {SearchNode::Kind::decision};
  std::vector<SearchTree> branches = {};  // of an inner node

  static SearchTree leaf(State state) { return {state}; }
  static SearchTree inner(const SearchNode& node, std::vector<SearchTree> branches) {
    return {State::inner, 0, node, std::move(branches)};
  }

  /// Is nothing open or elsewhere?
  bool finished() const;

  friend bool operator==(const SearchTree&, const SearchTree&) = default;
};

/// The tree that is `below` at the end of the path, and elsewhere beside it.
SearchTree along(const SearchPath& path, SearchTree below);

/// Adds a tree of the same search to this one: each place must be elsewhere in one of the two.
/// Throws Error if the trees contradict each other.
void merge(SearchTree& tree, SearchTree other);

/// Marks the place at the end of the path, which may be below a finished one, as elsewhere.
void carve(SearchTree& tree, const SearchPath& path);

/// The subtree at the end of the path. Throws Error if there is none.
const SearchTree& at(const SearchTree& tree, const SearchPath& path);

/// The open places, from left to right.
struct OpenPlace {
  SearchPath path;
  std::size_t unit;
};
std::vector<OpenPlace> open_places(const SearchTree& tree);
/// Calls `number` with each open leaf, from left to right, and its depth.
template <class Visit>
void visit_open(SearchTree& tree, const Visit& visit, std::size_t depth = 0) {
  if (tree.state == SearchTree::State::open) visit(tree, depth);
  for (SearchTree& branch : tree.branches) visit_open(branch, visit, depth + 1);
}

/// `(17 . (g . ?1))`: a decision whose first branch is finished; the other ends in a leaf with one
/// open goal, which belongs to the first unit. What can be written so is complete: every inner node
/// has all of its branches. Throws Error if something is elsewhere.
std::string to_text(const SearchTree& tree);
/// Throws Error.
SearchTree parse_tree(std::string_view text);

}  // namespace wmi
