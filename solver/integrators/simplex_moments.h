#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "solver/polynomial.h"
#include "solver/polytope.h"

namespace wmi {

/// What the integrators that work simplex by simplex share: which monomials to follow, and the
/// walk over the simplices. On a simplex with vertices s_0 .. s_n the integral of x^m is
///
///     n! vol  m!/(|m|+n)!  [t^m] prod_i 1/(1 - <t,s_i>)
///
/// (Baldoni, Berline, De Loera, Koeppe, Vergne, "How to integrate a polynomial over a simplex",
/// 2011). Dividing a power series by 1 - <t,s> is F[m] += sum_j s_j F[m - e_j], in place and for
/// all monomials at once.

/// Exponents of all monomials that divide a monomial of the integrands, by ascending degree.
class MomentTable {
 public:
  using Exponents = std::vector<std::uint32_t>;

  /// Moments beyond this number are refused with an Error rather than computed.
  static constexpr std::size_t max_moments = 500'000;

  /// F[target] += s[coordinate] * F[source].
  struct Step {
    std::uint32_t target;
    std::uint32_t source;
    std::uint32_t coordinate;
  };

  MomentTable(std::span<const Polynomial> integrands, std::size_t dimension);

  std::size_t size() const { return all_.size(); }
  unsigned degree() const { return degree_; }
  const Exponents& operator[](std::size_t i) const { return all_[i]; }
  const std::vector<Step>& steps() const { return steps_; }

  /// Where a monomial of the integrands, or a divisor of one, is.
  std::size_t index(const Exponents& sought) const;
  std::size_t index(const Monomial& monomial) const;

 private:
  std::size_t dimension_;
  unsigned degree_ = 0;
  std::vector<Exponents> all_;
  std::vector<std::size_t> starts_;  // of each degree in `all_`
  std::vector<Step> steps_;
};

/// The vertices with one denominator for each coordinate.
struct IntegerVertices {
  std::vector<std::vector<Integer>> numerators;
  std::vector<Integer> denominators;

  explicit IntegerVertices(const Polytope& region);
};

/// Sums |det| [t^m] prod_i 1/(1 - <t,s_i>) over the simplices of a pulling triangulation.
///
/// A face is pulled at a vertex v: it is the union of the pyramids with apex v over those of its
/// facets that v is not on. So the sums of these facets are added up and divided by 1 - <t,v>
/// once, and no simplex is ever stored: the memory is one series per dimension. A face is the set
/// of its vertices, and its facets are the maximal ones among its intersections with the other
/// facets of the face it was met on. Determinants are eliminated without fractions (Bareiss), one
/// row for each vertex on the way down.
///
/// `Arithmetic` says what to reckon with: Whole, for determinants, and Number, for moments.
template <class Arithmetic>
class SimplexMoments {
 public:
  using Whole = typename Arithmetic::Whole;
  using Number = typename Arithmetic::Number;

  /// `corners` are the vertices up to a scale of each coordinate, `points` those of the series.
  SimplexMoments(const Polytope& region, const MomentTable& moments,
                 const std::vector<std::vector<Whole>>& corners,
                 const std::vector<std::vector<Number>>& points, const Number& zero,
                 Arithmetic arithmetic)
      : dimension_(region.dimension()),
        words_((region.vertices().size() + 63) / 64),
        moments_(moments),
        corners_(corners),
        points_(points),
        rows_(dimension_ + 1, std::vector<Whole>(dimension_)),
        pivots_(dimension_ + 1),
        columns_(dimension_ + 1),
        series_(dimension_ + 1, std::vector<Number>(moments.size(), zero)),
        facets_(dimension_ + 1),
        degrees_(region.vertices().size()),
        arithmetic_(std::move(arithmetic)) {
    Face whole(words_);
    for (std::size_t v = 0; v < region.vertices().size(); ++v) insert(whole, v);
    for (const std::vector<std::size_t>& facet : region.facets()) {
      Face face(words_);
      for (const std::size_t v : facet) insert(face, v);
      facets_[0].insert(facets_[0].end(), face.begin(), face.end());
    }
    add(whole, 0);
  }

  /// By the index of the moment table.
  std::vector<Number> take_sums() && { return std::move(series_[0]); }

 private:
  using Face = std::vector<std::uint64_t>;
  using FaceView = std::span<const std::uint64_t>;

  static void insert(Face& face, std::size_t v) { face[v / 64] |= std::uint64_t{1} << v % 64; }

  static std::size_t count(FaceView face) {
    std::size_t result = 0;
    for (const std::uint64_t word : face) result += static_cast<std::size_t>(std::popcount(word));
    return result;
  }

  static bool within(FaceView inner, FaceView outer) {
    for (std::size_t w = 0; w < inner.size(); ++w)
      if (inner[w] & ~outer[w]) return false;
    return true;
  }

  static bool contains(FaceView face, std::size_t v) { return face[v / 64] >> v % 64 & 1; }

  template <class Visit>
  static void for_each_vertex(FaceView face, Visit&& visit) {
    for (std::size_t w = 0; w < face.size(); ++w)
      for (std::uint64_t rest = face[w]; rest != 0; rest &= rest - 1)
        visit(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
  }

  std::size_t faces(std::size_t depth) const { return facets_[depth].size() / words_; }
  FaceView face(std::size_t depth, std::size_t i) const {
    return FaceView(facets_[depth]).subspan(i * words_, words_);
  }

  /// Sets series_[depth] to the sum over a face of codimension `depth`, whose facets are in
  /// facets_[depth]; the vertices pulled so far are the first `depth` rows.
  void add(FaceView whole, std::size_t depth) {
    std::vector<Number>& sum = series_[depth];
    for (Number& entry : sum) arithmetic_.clear(entry);
    if (count(whole) == dimension_ - depth + 1) {
      std::size_t row = depth;
      for_each_vertex(whole, [&](std::size_t v) { eliminate(row++, v); });
      arithmetic_.assign_volume(sum[0], pivots_[dimension_]);
      for_each_vertex(whole, [&](std::size_t v) { divide(sum, v); });
      return;
    }
    const std::size_t apex = busiest(whole, depth);
    eliminate(depth, apex);
    for (std::size_t i = 0; i < faces(depth); ++i) {
      if (contains(face(depth, i), apex)) continue;
      if (count(face(depth, i)) > dimension_ - depth) find_facets(depth, i);
      add(face(depth, i), depth + 1);
      for (std::size_t m = 0; m < sum.size(); ++m) arithmetic_.add(sum[m], series_[depth + 1][m]);
    }
    divide(sum, apex);
  }

  /// The vertex of a face on most of its facets: what is left are the fewest pyramids.
  std::size_t busiest(FaceView whole, std::size_t depth) {
    for_each_vertex(whole, [&](std::size_t v) { degrees_[v] = 0; });
    for (std::size_t i = 0; i < faces(depth); ++i)
      for_each_vertex(face(depth, i), [&](std::size_t v) { ++degrees_[v]; });
    std::size_t best = degrees_.size();
    for_each_vertex(whole, [&](std::size_t v) {
      if (best == degrees_.size() || degrees_[v] > degrees_[best]) best = v;
    });
    return best;
  }

  /// The facets of the i-th of facets_[depth], into facets_[depth + 1].
  void find_facets(std::size_t depth, std::size_t i) {
    Face& found = facets_[depth + 1];
    found.clear();
    Face common(words_);
    for (std::size_t k = 0; k < faces(depth); ++k) {
      if (k == i) continue;
      for (std::size_t w = 0; w < words_; ++w) common[w] = face(depth, i)[w] & face(depth, k)[w];
      if (count(common) < dimension_ - depth - 1) continue;
      bool maximal = true;
      std::size_t kept = 0;
      for (std::size_t f = 0; maximal && f < faces(depth + 1); ++f)
        maximal = !within(common, face(depth + 1, f));
      if (!maximal) continue;
      for (std::size_t f = 0; f < faces(depth + 1); ++f) {
        if (within(face(depth + 1, f), common)) continue;
        std::copy_n(found.begin() + static_cast<std::ptrdiff_t>(f * words_), words_,
                    found.begin() + static_cast<std::ptrdiff_t>(kept++ * words_));
      }
      found.resize(kept * words_);
      found.insert(found.end(), common.begin(), common.end());
    }
  }

  /// Row 0 is a corner; row k is what an elimination leaves of another corner minus that one.
  /// The determinant of the first k edges in their pivot columns is +-pivots_[k].
  void eliminate(std::size_t k, std::size_t vertex) {
    std::vector<Whole>& row = rows_[k];
    row = corners_[vertex];
    if (k == 0) {
      arithmetic_.assign(pivots_[0], 1);
      return;
    }
    for (std::size_t j = 0; j < dimension_; ++j) arithmetic_.subtract(row[j], rows_[0][j]);
    for (std::size_t i = 1; i < k; ++i) {
      const Whole head = row[columns_[i]];
      for (std::size_t j = 0; j < dimension_; ++j)
        arithmetic_.eliminate(row[j], pivots_[i], head, rows_[i][j], pivots_[i - 1]);
    }
    std::size_t column = 0;
    while (arithmetic_.zero(row[column])) ++column;
    columns_[k] = column;
    pivots_[k] = row[column];
  }

  void divide(std::vector<Number>& series, std::size_t vertex) {
    const std::vector<Number>& point = points_[vertex];
    for (const MomentTable::Step& step : moments_.steps())
      arithmetic_.add_product(series[step.target], point[step.coordinate], series[step.source]);
  }

  std::size_t dimension_;
  std::size_t words_;
  const MomentTable& moments_;
  const std::vector<std::vector<Whole>>& corners_;
  const std::vector<std::vector<Number>>& points_;
  std::vector<std::vector<Whole>> rows_;
  std::vector<Whole> pivots_;
  std::vector<std::size_t> columns_;
  std::vector<std::vector<Number>> series_;  // by depth
  std::vector<Face> facets_;                 // by depth, one after the other
  std::vector<std::size_t> degrees_;         // scratch of `busiest`, by vertex
  Arithmetic arithmetic_;
};

}  // namespace wmi
