#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "solver/geometry/polytope.h"
#include "solver/integrators/vertex_sets.h"
#include "solver/terms/polynomial.h"

namespace wmi {

/// Shared by integrators that work simplex by simplex: the table of monomials, and the walk over
/// the simplices. On a simplex with vertices s_0 .. s_n the integral of x^m is
///
///     n! vol  m!/(|m|+n)!  [t^m] prod_i 1/(1 - <t,s_i>)
///
/// (Baldoni, Berline, De Loera, Koeppe, Vergne, "How to integrate a polynomial over a simplex",
/// 2011). Dividing a power series by 1 - <t,s> is F[m] += sum_j s_j F[m - e_j], in place and for
/// all monomials at once.

/// The exponents of all monomials that divide a monomial of the integrands, by ascending degree.
class MomentTable {
 public:
  using Exponents = std::vector<std::uint32_t>;

  /// F[target] += s[coordinate] * F[source].
  struct Step {
    std::uint32_t target;
    std::uint32_t source;
    std::uint32_t coordinate;
  };

  MomentTable(std::span<const Polynomial> integrands, std::size_t dimension);

  /// Likewise, from a small cache of each thread: thousands of cells have integrands with the same
  /// monomials.
  static std::shared_ptr<const MomentTable> of(std::span<const Polynomial> integrands,
                                               std::size_t dimension);

  std::size_t size() const { return all_.size(); }
  unsigned degree() const { return degree_; }
  const Exponents& operator[](std::size_t i) const { return all_[i]; }
  /// In an order in which they can be executed in place.
  const std::vector<Step>& steps() const { return steps_; }
  /// The same steps by ascending source.
  const std::vector<Step>& rises() const { return rises_; }
  /// The first monomial of this degree; `size` beyond the highest degree.
  std::size_t start(std::size_t degree) const { return starts_[degree]; }

  /// The indices of the monomials of the integrands, integrand by integrand and term by term.
  std::span<const std::uint32_t> terms() const { return terms_; }
  /// m! of the i-th monomial.
  const Integer& factorial(std::size_t i) const { return factorials_[i]; }

  /// The index of a monomial of the integrands, or of a divisor of one.
  std::size_t index(const Exponents& sought) const;
  std::size_t index(const Monomial& monomial) const;

 private:
  bool fits(std::span<const Polynomial> integrands, std::size_t dimension) const;

  std::size_t dimension_;
  unsigned degree_ = 0;
  std::vector<Exponents> all_;
  std::vector<std::size_t> starts_;  // of each degree in `all_`
  std::vector<Step> steps_;
  std::vector<Step> rises_;
  std::vector<std::uint32_t> terms_;
  std::vector<Monomial> monomials_;  // of the terms
  std::vector<std::size_t> counts_;  // of terms, by integrand
  std::vector<Integer> factorials_;
};

/// Sums the series of the simplices of a pulling triangulation without storing simplices.
///
/// A face is pulled at a vertex v: it is the union of the pyramids with apex v over those of its
/// facets that v is not on. So the series of these facets are added up and divided by 1 - <t,v>
/// once, and only one series per dimension is stored. A face is the set of its vertices, and its
/// facets are the maximal intersections with the other facets of the face it is a facet of.
/// Determinants use fraction-free elimination (Bareiss), with one row for each vertex pulled.
///
/// `Series` provides the arithmetic: a type Whole of integers, and one series for each depth, that
/// is, for each codimension of a face. With (q, p) the homogeneous vertices it has
///
///     start(depth, vertices)          series = 0, for the face with these vertices
///     simplex(depth, vertices, det)   series = |det| / prod_i (q_i - <t,p_i>)
///     add(depth)                      series += the one at depth + 1
///     divide(depth, v)                series /= q_v - <t,p_v>
///
/// where det is the determinant of all n + 1 vertices, pulled ones first: n! vol prod_i q_i.
template <class Series>
class SimplexWalk {
 public:
  using Whole = typename Series::Whole;

  SimplexWalk(const Polytope& region, const std::vector<std::vector<Whole>>& corners,
              Series& series)
      : dimension_(region.dimension()),
        words_((region.vertex_count() + 63) / 64),
        corners_(corners),
        series_(series),
        rows_(dimension_ + 1),
        columns_(dimension_ + 1),
        facets_(dimension_ + 1),
        degrees_(region.vertex_count()) {
    for (std::size_t i = 0; i < region.facet_count(); ++i)
      facets_[0].insert(facets_[0].end(), region.incidence(i).begin(), region.incidence(i).end());
  }

  /// Leaves the sum over the region in the series of depth 0.
  void run() {
    Face whole(words_);
    for (std::size_t v = 0; v < degrees_.size(); ++v) insert(whole, v);
    visit(whole, 0);
  }

 private:
  using Face = std::vector<std::uint64_t>;
  using FaceView = vertex_sets::Bits;

  static void insert(Face& face, std::size_t v) { face[v / 64] |= std::uint64_t{1} << v % 64; }

  std::size_t faces(std::size_t depth) const { return facets_[depth].size() / words_; }
  FaceView face(std::size_t depth, std::size_t i) const {
    return FaceView(facets_[depth]).subspan(i * words_, words_);
  }

  /// Leaves the sum over a face of codimension `depth` in the series of that depth. Its facets are
  /// in facets_[depth], and the vertices pulled so far are the first `depth` rows.
  void visit(FaceView whole, std::size_t depth) {
    members_.clear();
    vertex_sets::for_each(whole, [&](std::size_t v) { members_.push_back(v); });
    series_.start(depth, members_);
    if (members_.size() == dimension_ - depth + 1) {
      for (std::size_t i = 0; i < members_.size(); ++i) eliminate(depth + i, members_[i]);
      series_.simplex(depth, members_, pivot(dimension_));
      return;
    }
    const std::size_t apex = busiest(whole, depth);
    eliminate(depth, apex);
    for (std::size_t i = 0; i < faces(depth); ++i) {
      if (vertex_sets::contains(face(depth, i), apex)) continue;
      if (vertex_sets::count(face(depth, i)) > dimension_ - depth) find_facets(depth, i);
      visit(face(depth, i), depth + 1);
      series_.add(depth);
    }
    series_.divide(depth, apex);
  }

  /// The vertex of a face on most of its facets, which leaves the fewest pyramids.
  std::size_t busiest(FaceView whole, std::size_t depth) {
    vertex_sets::for_each(whole, [&](std::size_t v) { degrees_[v] = 0; });
    for (std::size_t i = 0; i < faces(depth); ++i)
      vertex_sets::for_each(face(depth, i), [&](std::size_t v) { ++degrees_[v]; });
    std::size_t best = degrees_.size();
    vertex_sets::for_each(whole, [&](std::size_t v) {
      if (best == degrees_.size() || degrees_[v] > degrees_[best]) best = v;
    });
    return best;
  }

  /// Stores the facets of the i-th face of facets_[depth] in facets_[depth + 1].
  void find_facets(std::size_t depth, std::size_t i) {
    Face& found = facets_[depth + 1];
    found.clear();
    Face common(words_);
    for (std::size_t k = 0; k < faces(depth); ++k) {
      if (k == i) continue;
      for (std::size_t w = 0; w < words_; ++w) common[w] = face(depth, i)[w] & face(depth, k)[w];
      if (vertex_sets::count(common) < dimension_ - depth - 1) continue;
      bool maximal = true;
      std::size_t kept = 0;
      for (std::size_t f = 0; maximal && f < faces(depth + 1); ++f)
        maximal = !vertex_sets::within(common, face(depth + 1, f));
      if (!maximal) continue;
      for (std::size_t f = 0; f < faces(depth + 1); ++f) {
        if (vertex_sets::within(face(depth + 1, f), common)) continue;
        std::copy_n(found.begin() + static_cast<std::ptrdiff_t>(f * words_), words_,
                    found.begin() + static_cast<std::ptrdiff_t>(kept++ * words_));
      }
      found.resize(kept * words_);
      found.insert(found.end(), common.begin(), common.end());
    }
  }

  /// Reduces a vertex by the rows above. The determinant of the first k + 1 rows in their pivot
  /// columns is +-pivot(k).
  void eliminate(std::size_t k, std::size_t vertex) {
    std::vector<Whole>& row = rows_[k];
    row = corners_[vertex];
    for (std::size_t i = 0; i < k; ++i) {
      const Whole head = row[columns_[i]];
      for (std::size_t j = 0; j <= dimension_; ++j) {
        Series::eliminate(row[j], pivot(i), head, rows_[i][j]);
        if (i > 0) Series::divide_exactly(row[j], pivot(i - 1));
      }
    }
    columns_[k] = 0;
    while (Series::zero(row[columns_[k]])) ++columns_[k];
  }

  const Whole& pivot(std::size_t k) const { return rows_[k][columns_[k]]; }

  std::size_t dimension_;
  std::size_t words_;
  const std::vector<std::vector<Whole>>& corners_;
  Series& series_;
  std::vector<std::vector<Whole>> rows_;
  std::vector<std::size_t> columns_;  // of the pivots
  std::vector<Face> facets_;          // by depth, one after the other
  std::vector<std::size_t> members_;  // scratch of `visit`
  std::vector<std::size_t> degrees_;  // scratch of `busiest`, by vertex
};

}  // namespace wmi
