#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "solver/geometry/double_description.h"
#include "solver/geometry/enclosed_form.h"
#include "solver/geometry/facets.h"
#include "solver/geometry/normalised_box.h"
#include "solver/geometry/polytope.h"
#include "solver/terms/linear_form.h"

namespace wmi {

/// Exact forms, in the coordinates themselves, by name: asked for only where doubles cannot decide.
class ExactForms {
 public:
  virtual ~ExactForms() = default;

  /// A primitive form; valid until the next call.
  virtual const LinearForm& exact(std::uint32_t name) = 0;
};

/// How many signs were decided by which numbers.
struct FilterCounts {
  std::size_t in_doubles = 0;
  std::size_t exact = 0;
  std::size_t exact_vertices = 0;  // whose enclosure is that of their exact value

  FilterCounts& operator+=(const FilterCounts& other) {
    in_doubles += other.in_doubles;
    exact += other.exact;
    exact_vertices += other.exact_vertices;
    return *this;
  }
};

/// What a filtered decision needs: the exact forms behind the doubles, and where to count.
struct Filter {
  ExactForms& forms;
  FilterCounts& counts;
};

/// A hyperplane: its form in doubles, in normalised coordinates, and the name of the exact one, which
/// is a positive multiple of `sign` times it.
struct Hyperplane {
  EnclosedForm form;
  std::uint32_t name;
  double sign = 1;
};

/// A full-dimensional polytope within the box [-1, 1]^n of normalised coordinates, that can be cut.
///
/// Which vertex lies on which side of a hyperplane, or on it, is always right, and so are the
/// incidences of vertices and rows. The numbers are doubles: a vertex is the solution of the rows that
/// are tight at it, with a radius from a verified solve, so errors do not grow from cut to cut. Signs
/// that doubles cannot decide are decided by exact numbers, which are worked out only then.
class FilteredPolytope {
 public:
  using Word = std::uint64_t;

  static constexpr std::size_t max_dimension = 10;
  static constexpr std::size_t max_vertices = 4096;

  /// A side of a box. The exact form is a positive multiple of sign * (x - bound).
  struct Side {
    std::uint32_t name;
    int sign;
    Rational bound;
  };

  /// Empty, for the result of a cut.
  FilteredPolytope() = default;
  /// The box with these sides, for each coordinate the lower and the upper one. `box` contains it,
  /// and must outlive this.
  FilteredPolytope(const NormalisedBox& box, std::span<const Side> lower,
                   std::span<const Side> upper);

  std::size_t dimension() const { return dimension_; }
  std::size_t vertex_count() const { return radii_.size(); }
  std::size_t row_count() const { return names_.size(); }
  double coordinate(std::size_t vertex, std::size_t k) const {
    return coordinates_[k * stride_ + vertex];
  }
  double radius(std::size_t vertex) const { return radii_[vertex]; }
  bool tight(std::size_t vertex, std::size_t row) const {
    return incidences_[vertex * words_ + row / 64] >> row % 64 & 1;
  }

  /// Where it has volume: where the exact form is <= 0, where it is >= 0, or both. A form that turns
  /// out to be constant has all of it on the side of its sign; 0 counts as below.
  Sides sides(const Hyperplane& plane, Filter filter) const;

  /// The parts where the exact form is <= 0 and where it is >= 0. Requires volume on both sides.
  std::pair<FilteredPolytope, FilteredPolytope> cut(const Hyperplane& plane, Filter filter) const;

  /// An enclosure of the values of a form.
  std::pair<double, double> range(const EnclosedForm& form) const;

  Facets facets() const;

  /// In exact numbers, in the coordinates themselves.
  Polytope exact(ExactForms& forms) const;

 private:
  double threshold(const EnclosedForm& form, double radius) const;
  void evaluate(const EnclosedForm& form, std::vector<double>& values) const;
  /// (q, q x) with q > 0.
  std::vector<Integer> exact_vertex(const Word* bits, ExactForms& forms) const;
  int exact_sign(std::size_t vertex, const Hyperplane& plane, ExactForms& forms) const;
  const Word* incidence(std::size_t vertex) const { return incidences_.data() + vertex * words_; }
  std::size_t count(const Word* bits) const;
  bool adjacent(std::size_t a, std::size_t b, bool either_simple) const;
  void add_row(const Hyperplane& plane, int side);
  FilteredPolytope compacted() const;
  std::pair<FilteredPolytope, FilteredPolytope> cut_here(const Hyperplane& plane,
                                                         Filter filter) const;
  /// The radius of the vertex on these rows, or infinity.
  double solve(const Word* bits, double* point) const;
  double place(const Word* bits, double* point, Filter filter) const;
  void resize(std::size_t vertices);

  const NormalisedBox* box_ = nullptr;
  std::size_t dimension_ = 0, stride_ = 0, words_ = 1;
  std::vector<double> coordinates_;  // by coordinate, then by vertex
  std::vector<double> radii_;        // of vertices
  double largest_radius_ = 0;
  std::vector<Word> incidences_;  // of each vertex, a bit for each row
  // Of each row: the coefficients, scaled to a size of at most 2, their error, and the exact form, which
  // is nowhere negative times the sign.
  std::vector<double> rows_, row_errors_;
  std::vector<std::uint32_t> names_;
  std::vector<std::int8_t> signs_;
};

}  // namespace wmi
