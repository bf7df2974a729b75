#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "solver/enumerators/search_tree.h"
#include "solver/terms/error.h"

namespace wmi {

/// Thrown when a path leads to no place of a search.
class LostPlace : public Error {
 public:
  LostPlace()
      : Error(
            "the path leads to no place of this search; it is of another problem, or of another "
            "version of the program") {}
};

/// Guides a search from its root to a place: at each node, the branch to take. All methods throw
/// LostPlace if the search has another node there than the path.
class Replay {
 public:
  Replay() = default;
  explicit Replay(SearchPath path) : path_(std::move(path)) {}

  /// Is the place not reached yet?
  bool active() const { return next_ < path_.size(); }

  /// At a decision between two sides: does it hold on the path?
  bool holds(std::uint32_t node) { return take({SearchNode::Kind::decision, node}, 2) == 0; }
  /// At a node of another kind: the branch.
  std::size_t branch(SearchNode::Kind kind, std::size_t branches) { return take({kind}, branches); }
  /// What is left of the path, which is then another search's.
  SearchPath rest() {
    SearchPath result(path_.begin() + static_cast<std::ptrdiff_t>(next_), path_.end());
    next_ = path_.size();
    return result;
  }

  [[noreturn]] static void fail() { throw LostPlace(); }

 private:
  std::size_t take(const SearchNode& node, std::size_t branches) {
    if (!active() || path_[next_].at != node || path_[next_].branches != branches) fail();
    return path_[next_++].branch;
  }

  SearchPath path_;
  std::size_t next_ = 0;
};

}  // namespace wmi
