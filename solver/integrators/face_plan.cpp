// The faces of a polytope with their apexes and weights (a pulling triangulation in which common
// faces are shared).
//
// Weights are ratios of volumes, so each face needs a measure. Ours is the volume of its projection
// to the non-leading columns of the echelon form of the facets that contain it. The leading columns
// of a subspace are among those of a larger one, so these coordinates depend on the face alone,
// however it was reached and however many facets meet there: a degenerate polytope costs nothing
// more. From a face F to its facet G on the row h one further column becomes a leading one, and
//
//     det(v, s) = slack_h(v) minor(F) / minor(G) * det(s)    for all simplices s of G
//
// where minor(F) is the determinant of the rows of F in their leading columns. In fraction-free
// elimination (Bareiss), minor(G) is the first non-zero entry of the reduced h. Polygons use the
// determinants of their triangles instead.
//
// det(v, s) is an integer for each s, so the weight times the content of G, the greatest common
// divisor of det(s) over all s, is an integer.
//
// All of this is computed in machine words, again in pairs of words if a number needs more than 62
// bits, and in GMP's integers if that is not enough.

#include "solver/integrators/face_plan.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <string>
#include <utility>

#include "solver/integrators/checked_integers.h"
#include "solver/integrators/vertex_sets.h"
#include "solver/terms/caps.h"

namespace wmi {

using namespace checked_integers;
using namespace vertex_sets;

namespace {

/// Whether determinants of three vertices are likely to fit into a word.
bool likely_small(const Integers& corners) {
  constexpr std::int64_t limit = std::int64_t{1} << 18;
  return corners.small() && std::ranges::all_of(corners.words(), [](std::int64_t entry) {
           return entry < limit && entry > -limit;
         });
}

}  // namespace

void check_plan_memory(std::size_t bytes) {
  if (bytes > caps::plan)
    throw PlanTooLarge("the faces of a polytope and their moments take more than " +
                       std::to_string(caps::plan) +
                       " bytes; an answer to a number of digits takes less");
}

/// Keeps its memory from one plan to the next.
template <class Whole>
class FacePlan::Builder {
 public:
  /// Throws Overflow or PlanTooLarge, and leaves the plan unchanged then.
  void build(const Polytope& region, FacePlan& plan) {
    clear(region);
    std::vector<std::uint64_t> whole(words_);
    for (std::size_t v = 0; v < region.vertex_count(); ++v)
      whole[v / 64] |= std::uint64_t{1} << v % 64;
    Level& top = levels_[0];
    for (std::size_t i = 0; i < region.facet_count(); ++i) {
      const Bits facet = region.incidence(i);
      for_each(facet, [&](std::size_t v) { ++facets_at_[v]; });
      top.bits.insert(top.bits.end(), facet.begin(), facet.end());
      top.origins.push_back(i);
      const auto row = rows_.begin() + static_cast<std::ptrdiff_t>(i * (dimension_ + 1));
      top.rows.insert(top.rows.end(), row + 1, row + static_cast<std::ptrdiff_t>(dimension_) + 1);
    }
    for (std::size_t j = 0; j < dimension_; ++j) top.columns.push_back(j);
    top.minor = 1;
    std::uint32_t last = 0;
    if (dimension_ == 0) {
      last = vertex(0);
      contents_.push_back(1);
    } else if (dimension_ == 1) {
      last = segment();
    } else if (dimension_ == 2) {
      edges_ = top.bits;
      last = polygon(whole, 0, 1);
    } else {
      last = visit(whole, 0);
    }
    assert(last + 1 == faces_.size());
    plan.faces_ = faces_;
    plan.parts_ = parts_;
    plan.weights_ = write(weights_);
    plan.scale_ = to_integer(contents_[last]);
  }

 private:
  static constexpr std::uint32_t faces_between_checks = 64;

  struct Part {
    std::uint32_t face;
    Whole weight;
  };

  /// A face on the current path down from the region, and its facets.
  struct Level {
    std::vector<std::uint64_t> bits;
    std::vector<std::size_t> origins;  // the facet of the region that each is an intersection with
    std::vector<Whole> rows;           // its row after elimination, in these columns
    std::vector<std::size_t> columns;
    Whole minor;
    std::vector<Part> parts;
  };

  void clear(const Polytope& region) {
    dimension_ = region.dimension();
    words_ = (region.vertex_count() + 63) / 64;
    read(region.homogeneous_vertices(), corners_);
    read(region.rows(), rows_);
    known_.clear(words_);
    vertices_.assign(region.vertex_count(), VertexSetTable::none);
    facets_at_.assign(region.vertex_count(), 0);
    faces_.clear();
    parts_.clear();
    contents_.clear();
    weights_.clear();
    triangles_.clear();
    levels_.resize(std::max(levels_.size(), dimension_ > 2 ? dimension_ - 2 : 1));
    Level& top = levels_[0];
    top.bits.clear();
    top.origins.clear();
    top.rows.clear();
    top.columns.clear();
  }

  std::size_t size(std::size_t depth) const { return levels_[depth].origins.size(); }
  Bits face(std::size_t depth, std::size_t i) const {
    return Bits(levels_[depth].bits).subspan(i * words_, words_);
  }
  const Whole* corner(std::size_t v) const { return &corners_[v * (dimension_ + 1)]; }

  /// The index of a row's leading column among the columns of the level.
  static std::size_t lead(const Level& level, std::size_t i) {
    std::size_t k = 0;
    while (level.rows[i * level.columns.size() + k] == 0) ++k;
    return k;
  }

  /// The first of the vertices on most facets: this leaves few pyramids, and faces that share
  /// vertices are likely to share their apex.
  std::size_t apex(Bits bits) const {
    std::size_t best = vertices_.size();
    for_each(bits, [&](std::size_t v) {
      if (best == vertices_.size() || facets_at_[v] > facets_at_[best]) best = v;
    });
    return best;
  }

  /// Adds a face of dimension 3 or more, whose level is the one of this depth.
  std::uint32_t visit(Bits whole, std::size_t depth) {
    Level& level = levels_[depth];
    const std::size_t pulled = apex(whole);
    level.parts.clear();
    for (std::size_t i = 0; i < size(depth); ++i) {
      const Bits facet = face(depth, i);
      if (contains(facet, pulled)) continue;
      std::uint32_t found = known_.find(facet);
      if (found == VertexSetTable::none) {
        if (dimension_ - depth == 3) {
          found = polygon_of(depth, i);
        } else {
          descend(depth, i);
          found = visit(facet, depth + 1);
        }
      }
      Whole remainder = level.rows[i * level.columns.size() + lead(level, i)];
      Whole weight = product(reduced(slack(level.origins[i], pulled), remainder),
                             reduced(level.minor, remainder));
      weight = magnitude(product(weight, reduced(contents_[found], remainder)));
      assert(remainder == 1 || remainder == -1);
      level.parts.push_back({found, std::move(weight)});
    }
    return close(whole, pulled, dimension_ - depth, level.parts);
  }

  Whole slack(std::size_t facet, std::size_t v) const {
    const Whole* const row = &rows_[facet * (dimension_ + 1)];
    auto result = minor(corner(v)[0], Whole(), Whole(), row[0]);
    for (std::size_t j = 1; j <= dimension_; ++j)
      result = sum(result, minor(corner(v)[j], Whole(), Whole(), row[j]));
    Whole narrowed;
    assign(narrowed, std::move(result));
    return narrowed;
  }

  /// |det| of three vertices in the first and two further columns.
  static Whole determinant(const Whole* u, const Whole* v, const Whole* w, std::size_t i,
                           std::size_t j) {
    Whole minors[3];
    assign(minors[0], minor(v[i], v[j], w[i], w[j]));
    assign(minors[1], minor(v[j], v[0], w[j], w[0]));
    assign(minors[2], minor(v[0], v[i], w[0], w[i]));
    auto result = minor(u[0], u[i], Whole(-minors[1]), minors[0]);
    result = magnitude(sum(result, minor(u[j], Whole(), Whole(), minors[2])));
    Whole narrowed;
    assign(narrowed, std::move(result));
    return narrowed;
  }

  /// Divides both by their greatest common divisor, and returns the first.
  static Whole reduced(const Whole& value, Whole& other) {
    if (other == 1 || other == -1) return value;
    const Whole common = divisor(value, other);
    if (common == 1) return value;
    assign(other, quotient(other, common));
    Whole result;
    assign(result, quotient(value, common));
    return result;
  }

  /// Makes the i-th facet of the face of this depth, with its own facets, the next level.
  void descend(std::size_t depth, std::size_t i) {
    const Level& above = levels_[depth];
    Level& below = levels_[depth + 1];
    find_facets(depth, i);
    const std::size_t width = above.columns.size(), leading = lead(above, i);
    below.columns = above.columns;
    below.columns.erase(below.columns.begin() + static_cast<std::ptrdiff_t>(leading));
    const Whole* const row = &above.rows[i * width];
    below.minor = row[leading];
    below.rows.clear();
    for (std::size_t& k : below.origins) {
      const Whole* const other = &above.rows[k * width];
      for (std::size_t j = 0; j < width; ++j)
        if (j != leading)
          assign(below.rows.emplace_back(),
                 quotient(minor(row[leading], other[leading], row[j], other[j]), above.minor));
      k = above.origins[k];
    }
  }

  /// Finds the facets of the i-th facet; their origins are indices into the level above.
  void find_facets(std::size_t depth, std::size_t i) {
    Level& below = levels_[depth + 1];
    below.bits.clear();
    below.origins.clear();
    common_.resize(words_);
    const Bits own = face(depth, i);
    for (std::size_t k = 0; k < size(depth); ++k) {
      if (k == i) continue;
      const Bits other = face(depth, k);
      for (std::size_t w = 0; w < words_; ++w) common_[w] = own[w] & other[w];
      if (count(common_) < dimension_ - depth - 1) continue;
      bool maximal = true;
      for (std::size_t f = 0; maximal && f < size(depth + 1); ++f)
        maximal = !within(common_, face(depth + 1, f));
      if (!maximal) continue;
      std::size_t kept = 0;
      for (std::size_t f = 0; f < size(depth + 1); ++f) {
        if (within(face(depth + 1, f), common_)) continue;
        if (kept != f) {
          std::ranges::copy(face(depth + 1, f),
                            below.bits.begin() + static_cast<std::ptrdiff_t>(kept * words_));
          below.origins[kept] = below.origins[f];
        }
        ++kept;
      }
      below.bits.resize(kept * words_);
      below.origins.resize(kept);
      below.bits.insert(below.bits.end(), common_.begin(), common_.end());
      below.origins.push_back(k);
    }
  }

  /// Adds the i-th facet of a face of dimension 3.
  std::uint32_t polygon_of(std::size_t depth, std::size_t i) {
    const Level& level = levels_[depth];
    const Bits own = face(depth, i);
    edges_.clear();
    for (std::size_t k = 0; k < size(depth); ++k) {
      if (k == i) continue;
      const Bits other = face(depth, k);
      std::size_t members = 0;
      for (std::size_t w = 0; w < words_; ++w)
        members += static_cast<std::size_t>(std::popcount(own[w] & other[w]));
      if (members < 2) continue;
      for (std::size_t w = 0; w < words_; ++w) edges_.push_back(own[w] & other[w]);
    }
    const std::size_t leading = lead(level, i);
    return polygon(own, level.columns[leading == 0 ? 1 : 0], level.columns[leading == 2 ? 1 : 2]);
  }

  /// Adds a polygon with its edges in `edges_`, projected to two coordinates.
  std::uint32_t polygon(Bits whole, std::size_t first, std::size_t second) {
    const std::size_t pulled = apex(whole);
    triangles_.clear();
    for (std::size_t i = 0; i < edges_.size(); i += words_) {
      const Bits bits = Bits(edges_).subspan(i, words_);
      if (contains(bits, pulled)) continue;
      std::size_t ends[2] = {}, found = 0;
      for_each(bits, [&](std::size_t v) { ends[found++] = v; });
      triangles_.push_back(
          {edge(bits, ends[0], ends[1]),
           determinant(corner(pulled), corner(ends[0]), corner(ends[1]), first + 1, second + 1)});
    }
    return close(whole, pulled, 2, triangles_);
  }

  std::uint32_t segment() {
    const std::uint32_t end = vertex(1);
    contents_.resize(2);
    const Whole *const u = corner(0), *const v = corner(1);
    triangles_.push_back({end, Whole()});
    assign(triangles_[0].weight, magnitude(minor(u[0], u[1], v[0], v[1])));
    return close(std::vector<std::uint64_t>{3}, 0, 1, triangles_);
  }

  /// Adds an edge. Its weight is 1, and it has no content.
  std::uint32_t edge(Bits bits, std::size_t from, std::size_t to) {
    const std::uint32_t found = known_.find(bits);
    if (found != VertexSetTable::none) return found;
    const std::uint32_t part = vertex(to);
    const auto first = static_cast<std::uint32_t>(parts_.size());
    parts_.push_back(part);
    weights_.push_back(1);
    return add(bits, from, 1, first);
  }

  std::uint32_t vertex(std::size_t v) {
    if (vertices_[v] == VertexSetTable::none) {
      vertices_[v] = static_cast<std::uint32_t>(faces_.size());
      const auto end = static_cast<std::uint32_t>(parts_.size());
      faces_.push_back({0, static_cast<std::uint32_t>(v), 0, end, end});
    }
    return vertices_[v];
  }

  std::uint32_t close(Bits bits, std::size_t pulled, std::size_t dimension,
                      std::span<const Part> parts) {
    Whole content = 0;
    for (const Part& part : parts) {
      content = divisor(content, part.weight);
      if (content == 1) break;
    }
    assert(content != 0);
    const auto first = static_cast<std::uint32_t>(parts_.size());
    for (const Part& part : parts) {
      parts_.push_back(part.face);
      if (content == 1)
        weights_.push_back(part.weight);
      else
        assign(weights_.emplace_back(), quotient(part.weight, content));
    }
    contents_.resize(faces_.size() + 1);
    contents_.back() = std::move(content);
    return add(bits, pulled, dimension, first);
  }

  std::uint32_t add(Bits bits, std::size_t pulled, std::size_t dimension, std::uint32_t first) {
    const auto number = static_cast<std::uint32_t>(faces_.size());
    faces_.push_back({static_cast<std::uint32_t>(dimension), static_cast<std::uint32_t>(pulled), 0,
                      first, static_cast<std::uint32_t>(parts_.size())});
    known_.insert(bits, number);
    if (number % faces_between_checks == 0) check_plan_memory(bytes());
    return number;
  }

  /// Roughly what the faces take, here and in the plan.
  std::size_t bytes() const {
    return faces_.size() * (2 * sizeof(Face) + sizeof(Whole)) + known_.bytes() +
           2 * parts_.size() * (sizeof(std::uint32_t) + sizeof(Whole));
  }

  std::size_t dimension_ = 0;
  std::size_t words_ = 0;
  std::vector<Whole> corners_, rows_;
  VertexSetTable known_;
  std::vector<Face> faces_;              // of the plan
  std::vector<std::uint32_t> parts_;     // likewise
  std::vector<std::uint32_t> vertices_;  // the face of each vertex
  std::vector<std::size_t> facets_at_;   // the number of facets at each vertex
  std::vector<Whole> contents_;          // by face
  std::vector<Whole> weights_;           // by part
  std::vector<Level> levels_;            // by codimension
  std::vector<std::uint64_t> common_;    // scratch of `find_facets`
  std::vector<std::uint64_t> edges_;     // scratch of `polygon`
  std::vector<Part> triangles_;          // likewise
};

FacePlan::FacePlan(const Polytope& region) {
  assert(!region.flat());
  const auto build = [&]<class Whole>(Whole) {
    thread_local Builder<Whole> builder;
    try {
      builder.build(region, *this);
    } catch (const Overflow&) {
      return false;
    } catch (const PlanTooLarge&) {
      builder = Builder<Whole>();
      throw;
    }
    constexpr std::size_t many = 1 << 13;  // beyond, the memory is not kept for the next plan
    if (faces_.size() > many) builder = Builder<Whole>();
    return true;
  };
  (likely_small(region.homogeneous_vertices()) && build(std::int64_t())) || build(DoubleWord()) ||
      build(Integer());
  assign_slots();
}

void FacePlan::assign_slots() {
  thread_local std::vector<std::uint32_t> last_use, free;
  last_use.assign(faces_.size(), 0);
  free.clear();
  for (std::uint32_t f = 0; f < faces_.size(); ++f)
    for (std::uint32_t i = faces_[f].first; i < faces_[f].last; ++i) last_use[parts_[i]] = f;
  for (std::uint32_t f = 0; f < faces_.size(); ++f) {
    Face& face = faces_[f];
    if (free.empty()) {
      face.slot = static_cast<std::uint32_t>(slots_++);
    } else {
      face.slot = free.back();
      free.pop_back();
    }
    for (std::uint32_t i = face.first; i < face.last; ++i)
      if (last_use[parts_[i]] == f) free.push_back(faces_[parts_[i]].slot);
  }
}

}  // namespace wmi
