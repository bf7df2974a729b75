#pragma once

#include <map>

#include "frontends/check/path.h"

namespace wmi::check {

/// Intervals that hold all values of terms on a cell, whatever is not known there.
///
/// A term that is known, and affine, has the range that its vertices give it; any other, what
/// interval arithmetic makes of the reals and of the choices (`ite`) that it is a polynomial in. A
/// choice may be either of its sides, if it is not known which.
class Ranges {
 public:
  /// All must outlive this. What becomes known later may be used, or not.
  Ranges(const Terms& terms, const Path& path, const Cell& cell);

  /// Throws Rejected where it has reals that are no coordinates of the cell.
  Interval of(const Polynomial& polynomial) const;

 private:
  std::optional<Interval> range(const Polynomial& polynomial) const;

  const Path& path_;
  const Cell& cell_;
  std::map<Variable, std::optional<Interval>> choices_;
};

}  // namespace wmi::check
