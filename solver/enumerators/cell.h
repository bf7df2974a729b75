#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "solver/geometry/halfspace.h"
#include "solver/geometry/product_region.h"
#include "solver/geometry/region.h"
#include "solver/terms/interval.h"
#include "solver/terms/linear_form.h"
#include "solver/terms/polynomial.h"
#include "solver/terms/problem.h"

namespace wmi {

/// A problem in some coordinates of a cell, and no others.
struct Part {
  Problem problem;
  std::vector<Variable> coordinates;  // of each of its reals, ascending
};

/// A law to which a cell adds that of an affine form; both in all its coordinates.
struct Image {
  std::size_t law;
  LinearForm form;
  Polynomial weight;
};

/// A sum that lacks what a region would have added to it, had it been searched: the integral of the
/// weight there, times a number of this range, if it is known.
struct Missing {
  std::size_t sum;
  std::optional<Interval> range;
};

/// One convex piece: its region, and what is to be integrated over it.
///
/// On it the formula is true, every weight is one polynomial and every derived real one affine
/// form, so all that is left is geometry in the coordinates of the integrated reals (or, in a
/// slice for a density, all but one of them).
///
/// Or it is a product: of such a region, in some of the coordinates, and of parts in the others. A
/// part is a problem of its own, whose integral (a sum over its own cells) is a factor.
///
/// Or it is left open: a region that was not searched. Then its only integrand is a number that no
/// weight there is above (none, if no such number is known, or the region goes on for ever).
struct Cell {
  std::vector<Variable> variables;         // the integrated reals that are its coordinates
  std::vector<Variable> coordinates = {};  // with parts: those of the region, ascending
  std::variant<std::vector<Halfspace>, ProductRegion> bounds = {};  // redundant halfspaces included
  std::vector<Polynomial> integrands = {};                          // in all coordinates
  std::vector<std::vector<std::size_t>> sums = {};  // of each: those its integral belongs to
  std::vector<Image> images = {};                   // none in a product with parts
  std::vector<Part> parts = {};
  std::vector<Missing> missing = {};           // of one that is left open
  std::shared_ptr<const Cell> left_open = {};  // a product, in case there is no time for it

  bool open() const { return !missing.empty(); }

  std::vector<Halfspace> halfspaces() const {
    const auto* const given = std::get_if<std::vector<Halfspace>>(&bounds);
    return given != nullptr ? *given : std::get<ProductRegion>(bounds).halfspaces();
  }

  /// Throws Unbounded.
  Region region() const {
    const auto* const given = std::get_if<std::vector<Halfspace>>(&bounds);
    return given != nullptr ? make_region(variables.size(), *given)
                            : std::get<ProductRegion>(bounds).region();
  }
};

}  // namespace wmi
