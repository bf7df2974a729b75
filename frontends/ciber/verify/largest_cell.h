#pragma once

#include <mutex>
#include <optional>

#include "frontends/ciber/verify/witness.h"

namespace wmi::frontends {

/// A point in the largest cell among those that add to a sum; from any thread.
class LargestCell {
 public:
  explicit LargestCell(std::size_t sum) : sum_(sum) {}

  void add(const Cell& cell);
  /// Nullopt if there was no such cell.
  std::optional<Point> point() const;
  /// The same with the size of the cell.
  std::optional<InteriorPoint> best() const;

 private:
  const std::size_t sum_;
  mutable std::mutex mutex_;
  std::optional<InteriorPoint> best_;
  std::size_t exact_cells_ = 0;  // their vertices are dear, so only the first ones are compared
};

/// Is the first one larger? Of equal cells the one with the least point, so that their order does not
/// matter.
bool larger(const InteriorPoint& first, const InteriorPoint& second);

/// Does the cell add to the sum?
bool adds_to(const Cell& cell, std::size_t sum);

}  // namespace wmi::frontends
