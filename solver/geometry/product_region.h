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

/// A polyhedron that would have more vertices than `ProductRegion::max_generators`.
class TooManyVertices : public GaveUp {
 public:
  using GaveUp::GaveUp;
};

/// A full-dimensional convex region that can be cut, as a product of polyhedra in disjoint sets of
/// coordinates: those that no cut has tied together yet.
///
///     ProductRegion plane(2);
///     const auto [left, right] = plane.cut(x - 1);   // x <= 1 and x >= 1; two blocks each
///
/// A value; halves share the blocks that are not cut.
class ProductRegion {
 public:
  /// Of one block. A cut tests pairs of them: it costs the square of this, at worst (when no vertex
  /// is simple) the cube.
  static constexpr std::size_t max_generators = 4096;

  /// All of R^n.
  explicit ProductRegion(std::size_t dimension);

  std::size_t dimension() const { return places_->size(); }

  /// A copy that shares no memory with this one: another thread need not wait to copy it, or a
  /// part of it, while this one is copied.
  ProductRegion apart() const;

  /// Where it has volume, of form <= 0 and form >= 0. The form is primitive and not constant.
  Sides sides(const LinearForm& form) const;
  /// All values of the form (any one), where it is bounded.
  std::optional<Interval> range(const LinearForm& form) const;
  /// The parts where form <= 0 and form >= 0. Requires volume on both sides. Throws
  /// TooManyVertices.
  std::pair<ProductRegion, ProductRegion> cut(const LinearForm& form) const;
  ProductRegion below(const LinearForm& form) const;
  ProductRegion above(const LinearForm& form) const;

  std::size_t block_count() const { return blocks_.size(); }
  /// Those of each block.
  std::vector<std::vector<Variable>> coordinates() const;
  /// The blocks of these coordinates (all of those), which are then numbered 0, 1, ...
  ProductRegion restricted(const std::vector<Variable>& coordinates) const;

  bool bounded() const;
  /// Throws Unbounded.
  Region region() const;
  std::vector<Halfspace> halfspaces() const;

  /// True when its volume is soon known: no block has many dimensions or many vertices.
  bool simple() const;
  /// This, or for blocks that are not simple the boxes around them. Requires that it is bounded.
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

  struct Place {
    std::uint32_t block, position;
  };

  using Ends = std::pair<std::optional<Rational>, std::optional<Rational>>;
  Ends ends(const LinearForm& form) const;
  /// The one block that the form has variables of, if it is one.
  std::optional<std::uint32_t> only_block(const LinearForm& form) const;
  std::vector<std::uint32_t> touched(const LinearForm& form) const;
  /// The form's part in a block, which stays until this thread asks for the next.
  const Integers& row(const LinearForm& form, std::uint32_t block, const Rational& constant) const;
  ProductRegion merged(const std::vector<std::uint32_t>& blocks) const;
  void place();
  ProductRegion with(std::uint32_t block, Polyhedron body) const;

  std::vector<std::shared_ptr<const Block>> blocks_;
  std::shared_ptr<const std::vector<Place>> places_;  // of each coordinate
};

}  // namespace wmi
