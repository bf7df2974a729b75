#pragma once

#include <map>
#include <optional>

#include "frontends/check/cell.h"
#include "frontends/check/path.h"

namespace wmi::check {

/// Intervals that hold all values of terms on a cell, whatever is not known there.
///
/// A term that is known, and affine, has the range that its vertices give it; any other, what
/// interval arithmetic makes of the reals and of the choices (`ite`) that it is a polynomial in. A
/// choice may be either of its sides, if it is not known which.
class Ranges {
 public:
  /// All must outlive this, and nothing more become known as long as it is used.
  Ranges(const Terms& terms, const Path& path, const Cell& cell)
      : terms_(terms), path_(path), cell_(cell) {}

  /// Throws Rejected where it has reals that are no coordinates of the cell.
  Interval of(const Polynomial& polynomial);

 private:
  std::optional<Interval> of_terms(const Polynomial& polynomial) const;
  std::optional<Interval> of_choice(const Definition& definition) const;

  const Terms& terms_;
  const Path& path_;
  const Cell& cell_;
  std::map<Variable, std::optional<Interval>> choices_;
};

}  // namespace wmi::check
