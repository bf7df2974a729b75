#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "solver/geometry/polyhedron.h"
#include "solver/geometry/region.h"
#include "solver/terms/error.h"
#include "solver/terms/interval.h"
#include "solver/terms/linear_form.h"

namespace wmi {

/// A polyhedron would have more vertices than `ProductRegion::max_generators`.
class TooManyVertices : public GaveUp {
 public:
  using GaveUp::GaveUp;
};

/// A full-dimensional convex region that can be cut: a product of polyhedra ("blocks") in disjoint
/// sets of coordinates. Blocks are merged when a cut involves coordinates of several.
///
///     const Polynomial x = Polynomial::variable(0);
///     const ProductRegion plane(2);
///     const auto [left, right] = plane.cut(LinearForm(x - 1));  // x <= 1 and x >= 1
///     left.block_count();                                       // 2: {x} and {y}
///
/// A value; halves share the blocks that are not cut.
class ProductRegion {
 public:
  /// The most generators of one block. A cut takes quadratic time in their number, cubic at worst
  /// (when no vertex is simple).
  static constexpr std::size_t max_generators = 4096;

  /// All of R^n.
  explicit ProductRegion(std::size_t dimension);
  /// One block. Requires a polytope that is not flat.
  explicit ProductRegion(const Polytope& polytope);

  std::size_t dimension() const { return positions_->size(); }

  /// A copy that shares no memory with this one, so that two threads do not contend for its
  /// reference counts.
  ProductRegion unshared() const;

  /// Whether it has volume where form <= 0, where form >= 0, or both. The form must be primitive
  /// and not constant.
  Sides sides(const LinearForm& form) const;
  /// The range of values of any form; nullopt if it is unbounded.
  std::optional<Interval> range(const LinearForm& form) const;
  /// The parts where form <= 0 and form >= 0. Requires volume on both sides. Throws
  /// TooManyVertices. `below` and `above` give one of the two.
  std::pair<ProductRegion, ProductRegion> cut(const LinearForm& form) const;
  ProductRegion below(const LinearForm& form) const;
  ProductRegion above(const LinearForm& form) const;

  std::size_t block_count() const { return blocks_.size(); }
  /// The coordinates of each block.
  std::vector<std::vector<Variable>> coordinates() const;
  /// The product of the blocks with these coordinates, which are renumbered 0, 1, ... A block must
  /// have all or none of its coordinates among them.
  ProductRegion restricted(const std::vector<Variable>& coordinates) const;

  bool bounded() const;
  /// Throws Unbounded.
  Region region() const;
  std::vector<Halfspace> halfspaces() const;

  /// True when no block has many dimensions or many vertices, so that its volume is cheap.
  bool simple() const;
  /// With each block that is not simple replaced by its bounding box. Requires a bounded region.
  ProductRegion simplified() const;

 private:
  struct Block {
    std::shared_ptr<const std::vector<Variable>> shared_coordinates;  // with the halves
    Polyhedron body;

    const std::vector<Variable>& coordinates() const { return *shared_coordinates; }
  };
  static bool simple(const Block& block);
  static std::shared_ptr<const Block> make_block(std::vector<Variable> coordinates,
                                                 Polyhedron body);

  struct Position {  // of a coordinate
    std::uint32_t block, index;
  };

  using Ends = std::pair<std::optional<Rational>, std::optional<Rational>>;
  Ends ends(const LinearForm& form) const;
  /// The block with all variables of the form; nullopt if there are several.
  std::optional<std::uint32_t> only_block(const LinearForm& form) const;
  std::vector<std::uint32_t> touched(const LinearForm& form) const;
  /// The part of the form in one block. The reference is valid until this thread's next call.
  const Integers& row(const LinearForm& form, std::uint32_t block, const Rational& constant) const;
  ProductRegion merged(const std::vector<std::uint32_t>& blocks) const;
  void index_coordinates();
  ProductRegion with(std::uint32_t block, Polyhedron body) const;

  std::vector<std::shared_ptr<const Block>> blocks_;
  std::shared_ptr<const std::vector<Position>> positions_;  // of each coordinate
};

}  // namespace wmi
