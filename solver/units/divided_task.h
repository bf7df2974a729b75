#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "solver/answers/answer_accumulator.h"
#include "solver/enumerators/search_tree.h"
#include "solver/solve.h"

namespace wmi {

/// Why some sums cannot be computed, and where in the search that was found.
struct UnitRefusal {
  std::vector<std::uint32_t> position;  // branches: the place that the search goes on from
  std::vector<std::size_t> sums;        // empty: all of them
  std::string reason;
  bool gave_up = false;  // it takes too long, and the input is not at fault

  friend bool operator==(const UnitRefusal&, const UnitRefusal&) = default;
};

/// What a part of a search found.
struct UnitResult {
  CellSums sums;
  std::vector<UnitRefusal> refusals;
  std::size_t vertices = 0;
  bool used_doubles = false;
  SearchTree tree;  // of the whole task, with what is not its part elsewhere
  /// Of a proof, for each place that was searched: the bytes before each place that it left open, and
  /// after the last.
  std::vector<std::vector<std::string>> pieces = {};
};

/// The answers of all parts. Of a proof, also the bytes of places that no part has searched, which
/// are left open, and of the claims that follow the tree.
struct JoinedTask {
  Solution solution;
  std::vector<std::string> open = {};
  std::string claims = {};
};

/// A task that is solved in parts, by any number of processes: the places of its search tree are
/// shared out, each is searched for by itself, and the exact sums are added.
///
///     void example(DividedTask& whole) {
///       std::vector<UnitResult> results = {whole.divide(10, {})};
///       for (const OpenPlace& place : open_places(results[0].tree))
///         results.push_back(whole.solve({place.path}, [] { return false; }));
///       whole.join(results, {}, 20, {}).solution;  // the same as solve(task, ...)
///     }
class DividedTask {
 public:
  virtual ~DividedTask() = default;

  /// Divides the search into places: so many, or a few more, or fewer if there are no more. What is
  /// found on the way is part of the result. Throws Stopped, and Error if the search cannot be
  /// divided.
  virtual UnitResult divide(std::size_t parts, const std::stop_token& stop) = 0;
  /// The goals that are searched for, as `divide` found out.
  virtual std::vector<std::size_t> searched() const = 0;

  /// Searches the parts below these places, until `pause` says so between two cells: then the tree
  /// says what is open. Throws LostPlace if there is no such place.
  virtual UnitResult solve(const std::vector<SearchPath>& places,
                           const std::function<bool()>& pause) const = 0;

  /// Are these sums, of a file, such as this task has?
  virtual bool fits(const UnitResult& result) const = 0;

  /// The answers, once nothing is open; else certified bounds.
  virtual JoinedTask join(std::span<const UnitResult> results, std::span<const SearchPath> open,
                          unsigned digits, const std::stop_token& stop) const = 0;
};

}  // namespace wmi
