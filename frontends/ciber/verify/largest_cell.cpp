#include "frontends/ciber/verify/largest_cell.h"

#include <algorithm>
#include <variant>

#include "solver/geometry/polytope.h"

namespace wmi::frontends {
namespace {

constexpr std::size_t most_exact_cells = 200;

}  // namespace

bool adds_to(const Cell& cell, std::size_t sum) {
  return !std::holds_alternative<OpenCell>(cell.kind) &&
         std::ranges::any_of(cell.sums, [&](const std::vector<std::size_t>& sums) {
           return std::ranges::find(sums, sum) != sums.end();
         });
}

void LargestCell::add(const Cell& cell) {
  if (!adds_to(cell, sum_)) return;
  if (const auto* const enclosed = std::get_if<EnclosedCell>(&cell.kind)) {
    const double size = log_volume(*enclosed);
    const std::lock_guard lock(mutex_);
    if (best_ && size < best_->log_volume) return;
  } else {
    const std::lock_guard lock(mutex_);
    if (exact_cells_++ >= most_exact_cells) return;
  }
  std::optional<InteriorPoint> found;
  try {
    found = interior_point(cell);
  } catch (const Unbounded&) {
  }
  if (!found) return;
  const std::lock_guard lock(mutex_);
  if (!best_ || larger(*found, *best_)) best_ = std::move(found);
}

bool larger(const InteriorPoint& first, const InteriorPoint& second) {
  return first.log_volume > second.log_volume ||
         (first.log_volume == second.log_volume && first.point < second.point);
}

std::optional<InteriorPoint> LargestCell::best() const {
  const std::lock_guard lock(mutex_);
  return best_;
}

std::optional<Point> LargestCell::point() const {
  const std::lock_guard lock(mutex_);
  return best_ ? std::optional(best_->point) : std::nullopt;
}

}  // namespace wmi::frontends
