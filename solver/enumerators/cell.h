#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "solver/geometry/enclosed_polytope.h"
#include "solver/geometry/halfspace.h"
#include "solver/geometry/product_region.h"
#include "solver/geometry/region.h"
#include "solver/terms/applied_function.h"
#include "solver/terms/enclosed_polynomial.h"
#include "solver/terms/interval.h"
#include "solver/terms/linear_form.h"
#include "solver/terms/nested_polynomial.h"
#include "solver/terms/polynomial.h"
#include "solver/terms/problem.h"

namespace wmi {

struct Cell;
struct NormalisedBox;

/// A convex region: its halfspaces, redundant ones included, or polyhedra with their vertices.
using CellBounds = std::variant<std::vector<Halfspace>, ProductRegion>;

std::vector<Halfspace> halfspaces(const CellBounds& bounds);

/// Throws Unbounded.
Region make_region(std::size_t dimension, const CellBounds& bounds);

/// A law to which a cell adds the law of an affine form under a weight; both in its coordinates.
struct Image {
  std::size_t law;
  LinearForm form;
  Polynomial weight;
};

/// A convex region on which the formula is true, every weight is one polynomial and every derived
/// real one affine form.
struct PlainCell {
  CellBounds bounds = {};
  std::vector<Image> images = {};
};

/// Cells that are worked out in exact numbers when they are asked for.
class ExactCells {
 public:
  virtual ~ExactCells() = default;

  /// By one thread at a time, the one that enumerates.
  virtual std::vector<Cell> cells() = 0;
};

/// A plain cell without images in doubles with proven errors: its vertices and integrands are
/// enclosed, its combinatorics are exact. It has no exact integrands; `exact` gives the same cell in
/// exact numbers, if it has any integral that is not 0.
struct EnclosedCell {
  EnclosedPolytope region;
  std::vector<EnclosedPolynomial> integrands;
  std::shared_ptr<ExactCells> exact;
  /// Of the coordinates u that the region and the integrands are in; null: those of the cell itself.
  std::shared_ptr<const NormalisedBox> box = {};
};

/// A plain cell cut by a hyperplane, for a density: in one coordinate less.
struct SliceCell {
  std::vector<Halfspace> halfspaces;
};

/// A problem in some coordinates of a cell, and no others.
struct Part {
  Problem problem;
  std::vector<Variable> coordinates;  // of each of its reals, ascending
};

/// The product of a convex region, in some of the coordinates, and of parts in the others. A part
/// is a problem of its own, whose integral (a sum over its own cells) is a factor.
struct ProductCell {
  std::vector<Variable> coordinates;  // of the region, ascending
  ProductRegion region;
  std::vector<Part> parts;
  std::shared_ptr<const Cell> unsearched;  // the same as an open cell, if there is no time for it
};

/// A sum without an unsearched region's contribution: the integral of the weight there, times a
/// number in this range, if it is known.
struct Missing {
  std::size_t sum;
  std::optional<Interval> range;
};

/// A region that was not searched. One that misses nothing has no meaning; a search may give such a
/// cell while it finds no other, so that its caller can share it or stop it.
struct OpenCell {
  /// An upper bound of the weight on a bounded region.
  struct Bound {
    std::variant<CellBounds, EnclosedPolytope> region;
    Rational weight;
  };
  std::vector<Missing> missing;
  std::optional<Bound> bound = {};  // nullopt: the region or the weight may be unbounded
};

/// A piece of a problem, and the integrals over it that are to be added to the sums of a plan.
///
/// Its coordinates are the integrated reals (in a slice, all but one of them).
struct Cell {
  std::vector<Variable> variables;  // the reals that are its coordinates
  std::variant<PlainCell, EnclosedCell, SliceCell, ProductCell, OpenCell> kind = {};
  std::vector<Polynomial> integrands = {};  // in all coordinates; none in an enclosed or open one
  std::vector<std::vector<std::size_t>> sums = {};  // of each: those its integral is added to
  std::vector<AppliedFunction> functions = {};      // the integrands' other variables
  std::shared_ptr<const NestedPolynomial> weight =
      {};  // of a plain cell: multiplies all integrands
};

}  // namespace wmi
