// Volumes and moments of polytopes whose vertices are known as enclosures.
//
// A face F of dimension k with a vertex a, its apex, is the union of the pyramids with apex a over
// those of its facets G that a is not on. So its measure, the k-vector V(F) whose length is k! times
// the volume of F, is
//
//     V(F) = sum over G of +-(p - a) ^ V(G),    p any vertex of G, V(vertex) = 1,
//
// where signs make all pyramids point the same way. There are no divisions, coordinates of faces or
// determinants; faces are shared, and a degenerate polytope costs nothing more. V of the polytope
// has one component, n! times its volume.
//
// It is computed in doubles, rounded to nearest, with a bound E(F) on the length of the error. Let
// u = 2^-53 and let ' mark computed values. Points have |p' - p| <= r(p). Then the edge d = p - a
// has |d' - d| <= r(p) + r(a) + u |d'| =: s. Multiplication by a vector d maps k-vectors to ones at
// most |d| times as long, so
//
//     |d' ^ V'(G) - d ^ V(G)| <= |d'| E(G) + s |V(G)| <= |d'| E(G) + s (|V'(G)| + E(G)).
//
// A component of the product is a sum of k products, which is rounded by at most k u / (1 - k u)
// times the sum of their sizes; by Cauchy and Schwarz the vector of these sums is at most sqrt(k)
// |d'| |V'(G)| long. Adding up m pyramids rounds by at most m u / (1 - m u) times the sum of their
// lengths, each at most |d'| |V'(G)| before rounding. Altogether the pyramid over G adds
//
//     e(G) = (k sqrt(k) + m) u |d'| |V'(G)| + |d'| E(G) + s (|V'(G)| + E(G))
//
// to E(F). All of these numbers are sums of products of positive ones, so computing them errs by
// less than 2^-30 of their size, and by less than `negligible` where they leave the range of normal
// doubles: points are scaled to size 1. Lengths are never below 2^-500, so that their squares
// may underflow.
//
// Signs: all pyramids of F are multiples of one k-vector. So if a component of one is larger than
// e(G), its true value has the same sign, and pyramids are added such that this component, the same
// for all, becomes positive. A pyramid for which that is not known is left out, and its length
// counts as error. Where there is one component, as for the polytope, absolute values are added,
// which are no farther apart than the values.
//
// These bounds are for cells that are about as wide in all directions. So at first the points are
// mapped: shears y_j -> y_j - t y_i preserve volumes exactly if t is a double, and choosing t by
// Gaussian elimination with complete pivoting, one row for each vertex, makes directions in which
// the cell is thin coordinates, which are then scaled by powers of two. The errors of this are
// part of the radii, which is all that is lost: thin cells have relative errors of about the radius
// over the width.
//
// Moments: the mean of a monomial over F is that over its pyramids, weighted by their shares of the
// volume, which are known from one component of the pyramids. The recurrence is that of FacePlan,
// divided by the volumes, in intervals rounded outwards.

#include "solver/integrators/enclosed_faces.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "solver/integrators/exterior_product.h"
#include "solver/integrators/simplex_moments.h"
#include "solver/integrators/upward_rounding.h"

namespace wmi {
namespace {

constexpr double unit = 0x1p-53;
constexpr double slack = 1 + 0x1p-30;  // covers the rounding of bounds
constexpr double negligible = 0x1p-900;
constexpr double least_square = 0x1p-1000;  // of a length

template <std::size_t words>
struct VertexSet {
  std::array<std::uint64_t, words> bits{};

  void insert(std::size_t v) { bits[v / 64] |= std::uint64_t{1} << v % 64; }
  bool contains(std::size_t v) const { return bits[v / 64] >> v % 64 & 1; }
  std::size_t size() const { return vertex_sets::count(bits); }
  /// Requires that there is one.
  std::size_t first() const {
    std::size_t w = 0;
    while (bits[w] == 0) ++w;
    return 64 * w + static_cast<std::size_t>(std::countr_zero(bits[w]));
  }
  VertexSet without_first() const {
    VertexSet result = *this;
    std::size_t w = 0;
    while (bits[w] == 0) ++w;
    result.bits[w] &= bits[w] - 1;
    return result;
  }
  bool within(const VertexSet& other) const { return vertex_sets::within(bits, other.bits); }

  friend VertexSet operator&(VertexSet a, const VertexSet& b) {
    for (std::size_t w = 0; w < words; ++w) a.bits[w] &= b.bits[w];
    return a;
  }
  friend bool operator==(const VertexSet&, const VertexSet&) = default;
};

/// A hash table from sets of vertices to numbers. Clearing it takes no time.
template <std::size_t words>
class FaceTable {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  void clear() {
    if (++generation_ == 0) entries_.assign(entries_.size(), {}), generation_ = 1;
    size_ = 0;
  }
  std::uint32_t find(const VertexSet<words>& set) const {
    const Entry& entry = entries_[index(set)];
    return entry.generation == generation_ ? entry.number : none;
  }
  void insert(const VertexSet<words>& set, std::uint32_t number) {
    if (2 * ++size_ > entries_.size()) {
      const std::vector<Entry> old =
          std::exchange(entries_, std::vector<Entry>(4 * entries_.size()));
      for (const Entry& entry : old)
        if (entry.generation == generation_) entries_[index(entry.set)] = entry;
    }
    entries_[index(set)] = {set, number, generation_};
  }

 private:
  struct Entry {
    VertexSet<words> set;
    std::uint32_t number = none;
    std::uint32_t generation = 0;
  };

  /// The index of the set, or of the free entry for it.
  std::size_t index(const VertexSet<words>& set) const {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : set.bits)
      hash = (hash ^ word ^ word >> 29) * 0x9e3779b97f4a7c15u;
    for (std::size_t at = hash >> 20;; ++at) {
      at &= entries_.size() - 1;
      if (entries_[at].generation != generation_ || entries_[at].set == set) return at;
    }
  }

  std::vector<Entry> entries_ = std::vector<Entry>(1024);  // a power of two, at most half full
  std::size_t size_ = 0;
  std::uint32_t generation_ = 1;
};

/// The vertices after a linear map of determinant 2^-exponent that makes the polytope about as wide
/// in all directions.
class MappedVertices {
 public:
  /// Takes the vertices in this order. False if a number leaves the range of doubles.
  bool assign(const EnclosedPolytope& region, std::span<const std::uint32_t> order) {
    dimension_ = region.dimension;
    count_ = order.size();
    if (!read(region, order)) return false;
    for (std::size_t i = 0; i + 1 < dimension_; ++i) eliminate(i);
    if (!scale()) return false;
    measure_distances();
    return true;
  }

  const double* point(std::size_t v) const { return &points_[v * dimension_]; }
  /// A bound on the length of its error.
  double radius(std::size_t v) const { return radii_[v]; }
  /// A bound on the length of the computed edge. Requires u < v.
  double distance(std::size_t u, std::size_t v) const { return distances_[u * count_ + v]; }
  int exponent() const { return exponent_; }

 private:
  double* column(std::size_t j) { return &columns_[j * count_]; }
  double* error(std::size_t j) { return &errors_[j * count_]; }

  /// Moves the first vertex to the origin.
  bool read(const EnclosedPolytope& region, std::span<const std::uint32_t> order) {
    constexpr double largest = 0x1p30;
    columns_.resize(dimension_ * count_);
    errors_.resize(dimension_ * count_);
    const std::span<const double> origin = region.vertex(order[0]);
    bool valid = true;
    for (std::size_t v = 0; v < count_; ++v) {
      const std::span<const double> vertex = region.vertex(order[v]);
      const double radius = region.radii[order[v]];
      valid &= radius >= 0 && radius <= largest;
      for (std::size_t j = 0; j < dimension_; ++j) {
        valid &= std::abs(vertex[j]) <= largest;
        const double difference = vertex[j] - origin[j];
        column(j)[v] = difference;
        error(j)[v] = radius + unit * std::abs(difference);
      }
    }
    return valid;
  }

  /// Makes the widest of the coordinates from the i-th on the i-th, and shears the others such that
  /// the vertex at that width has only zeros in them.
  void eliminate(std::size_t i) {
    double widest = 0;
    std::size_t row = i, pivot = 0;
    for (std::size_t j = i; j < dimension_; ++j)
      for (std::size_t v = 0; v < count_; ++v)
        if (const double size = std::abs(column(j)[v]); size > widest) {
          widest = size;
          row = j;
          pivot = v;
        }
    if (widest == 0) return;
    if (row != i) {
      std::swap_ranges(column(i), column(i) + count_, column(row));
      std::swap_ranges(error(i), error(i) + count_, error(row));
    }
    const double *const source = column(i), *const source_error = error(i);
    for (std::size_t j = i + 1; j < dimension_; ++j) {
      double *const target = column(j), *const target_error = error(j);
      const double factor = target[pivot] / source[pivot];
      for (std::size_t v = 0; v < count_; ++v) {
        const double product = factor * source[v];
        const double difference = target[v] - product;
        target_error[v] +=
            std::abs(factor) * source_error[v] + unit * (std::abs(product) + std::abs(difference));
        target[v] = difference;
      }
    }
  }

  bool scale() {
    points_.resize(dimension_ * count_);
    radii_.assign(count_, least_square);
    exponent_ = 0;
    for (std::size_t j = 0; j < dimension_; ++j) {
      double *const coordinates = column(j), *const errors = error(j);
      double extent = 0;
      for (std::size_t v = 0; v < count_; ++v)
        extent = std::max(extent, std::abs(coordinates[v]) + errors[v]);
      if (!(extent > 0x1p-500)) return false;
      int exponent = 0;
      std::frexp(extent, &exponent);
      exponent_ += exponent;
      const double factor = std::ldexp(1.0, -exponent);
      for (std::size_t v = 0; v < count_; ++v) {
        coordinates[v] *= factor;
        points_[v * dimension_ + j] = coordinates[v];
        const double radius = errors[v] * factor;
        radii_[v] += radius * radius;
      }
    }
    for (double& radius : radii_) radius = std::sqrt(radius) * slack;
    return true;
  }

  void measure_distances() {
    distances_.resize(count_ * count_);
    for (std::size_t u = 0; u < count_; ++u) {
      double* const row = &distances_[u * count_];
      for (std::size_t v = u + 1; v < count_; ++v) row[v] = least_square;
      for (std::size_t j = 0; j < dimension_; ++j) {
        const double* const coordinates = column(j);
        const double own = coordinates[u];
        for (std::size_t v = u + 1; v < count_; ++v) {
          const double difference = coordinates[v] - own;
          row[v] += difference * difference;
        }
      }
      for (std::size_t v = u + 1; v < count_; ++v) row[v] = std::sqrt(row[v]);
    }
  }

  std::size_t dimension_ = 0;
  std::size_t count_ = 0;
  int exponent_ = 0;
  std::vector<double> columns_, errors_;  // by coordinate and vertex
  std::vector<double> points_;            // by vertex and coordinate
  std::vector<double> radii_;             // by vertex
  std::vector<double> distances_;         // by two vertices
};

struct Face {
  std::size_t start = 0;  // of its measure
  double length = 0;      // of its measure
  double error = 0;
  std::uint32_t apex = 0;  // as the region numbers it
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

/// A pyramid of a face: the face it stands on, and its share of the volume.
struct Part {
  std::uint32_t face;
  double least;
  double most;
};

/// What a computation of measures leaves. Faces and parts are for moments, each face after those
/// it has parts on; edges and vertices have no measure.
struct Measures {
  double volume = 0;  // n! times that of the mapped polytope
  double error = 0;
  int exponent = 0;
  std::vector<Face> faces;
  std::vector<Part> parts;
};

/// Keeps its memory from one polytope to the next.
template <std::size_t words>
class MeasureBuilder {
 public:
  /// False if a number leaves the range of doubles.
  bool build(const EnclosedPolytope& region, bool with_parts, Measures& result) {
    dimension_ = region.dimension;
    count_ = region.vertex_count();
    with_parts_ = with_parts;
    result_ = &result;
    result.faces.clear();
    result.parts.clear();
    components_.clear();
    known_.clear();
    if (with_parts) vertices_.assign(count_, FaceTable<words>::none);
    if (levels_.size() <= dimension_) levels_.resize(dimension_ + 1);
    sort(region);
    if (!mapped_.assign(region, order_)) return false;
    result.exponent = mapped_.exponent();
    if (dimension_ == 1) {
      result.volume = std::abs(*mapped_.point(1) - *mapped_.point(0));
      result.error = edge_error(0, 1);
      if (with_parts) edge(0, 1);
      return true;
    }
    Set whole;
    for (std::size_t v = 0; v < count_; ++v) whole.insert(v);
    const Face& top = result.faces[visit(whole, dimension_)];
    result.volume = std::abs(components_[top.start]);
    result.error = top.error;
    return true;
  }

 private:
  using Set = VertexSet<words>;

  struct Pyramid {
    Set base;
    std::uint32_t face;  // none of an edge
    double error = 0;
  };

  /// A face on the current path down from the region, by dimension.
  struct Level {
    std::vector<Set> facets;
    std::vector<Pyramid> pyramids;
  };

  /// Renumbers the vertices, such that the first vertex of a face is on most facets: as an apex it
  /// leaves few pyramids.
  void sort(const EnclosedPolytope& region) {
    degrees_.assign(count_, 0);
    for (std::size_t i = 0; i < region.facet_count(); ++i) {
      const vertex_sets::Bits facet = region.incidence(i);
      const std::size_t size = vertex_sets::count(facet);
      vertex_sets::for_each(facet,
                            [&](std::size_t v) { degrees_[v] += (std::size_t{1} << 32) + size; });
    }
    order_.resize(count_);
    simple_ = true;
    for (std::size_t v = 0; v < count_; ++v) {
      order_[v] = static_cast<std::uint32_t>(v);
      simple_ &= degrees_[v] >> 32 == dimension_;
    }
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return degrees_[a] != degrees_[b] ? degrees_[a] > degrees_[b] : a < b;
    });
    numbers_.resize(count_);
    for (std::size_t v = 0; v < count_; ++v) numbers_[order_[v]] = v;
    std::vector<Set>& facets = levels_[dimension_].facets;
    facets.assign(region.facet_count(), Set());
    for (std::size_t i = 0; i < facets.size(); ++i)
      vertex_sets::for_each(region.incidence(i),
                            [&](std::size_t v) { facets[i].insert(numbers_[v]); });
  }

  /// Adds a face of dimension k, at least 2, whose facets are those of its level.
  std::uint32_t visit(const Set& whole, std::size_t k) {
    Level& level = levels_[k];
    const std::size_t apex = whole.first();
    level.pyramids.clear();
    for (std::size_t i = 0; i < level.facets.size(); ++i) {
      const Set base = level.facets[i];
      if (base.contains(apex)) continue;
      std::uint32_t face = FaceTable<words>::none;
      if (k > 2) {
        face = known_.find(base);
        if (face == FaceTable<words>::none) {
          find_facets(k, base);
          face = visit(base, k - 1);
        }
      }
      level.pyramids.push_back({base, face});
    }
    return close(whole, apex, k);
  }

  /// Stores the facets of a facet of the face of level k in the level below. A simplex needs one.
  void find_facets(std::size_t k, const Set& own) {
    const std::vector<Set>& others = levels_[k].facets;
    std::vector<Set>& found = levels_[k - 1].facets;
    found.clear();
    if (own.size() == k) {
      found.push_back(own.without_first());
      return;
    }
    for (const Set& other : others) {
      const Set common = own & other;
      if (simple_ || k == 3) {  // then all intersections of that size are facets
        if (common.size() >= k - 1 && common != own) found.push_back(common);
        continue;
      }
      if (common.size() < k - 1 || common == own) continue;
      if (std::ranges::any_of(found, [&](const Set& set) { return common.within(set); })) continue;
      std::erase_if(found, [&](const Set& set) { return set.within(common); });
      found.push_back(common);
    }
  }

  double edge_error(std::size_t u, std::size_t v) const {
    return (mapped_.radius(u) + mapped_.radius(v) + unit * mapped_.distance(u, v)) * slack;
  }

  void subtract(std::size_t from, std::size_t to, double* edge) const {
    for (std::size_t j = 0; j < dimension_; ++j)
      edge[j] = mapped_.point(to)[j] - mapped_.point(from)[j];
  }

  /// Adds the face of this level, whose pyramids are known but not computed.
  std::uint32_t close(const Set& whole, std::size_t apex, std::size_t k) {
    std::vector<Pyramid>& pyramids = levels_[k].pyramids;
    const std::size_t size = exterior::binomial(dimension_, k), count = pyramids.size();
    assert(count > 0);
    products_.resize(count * size);
    const exterior::Product product = exterior::product(dimension_, k - 1);
    const auto degree = static_cast<double>(k);
    const double rounding = (degree * std::sqrt(degree) + static_cast<double>(count)) * unit;
    double largest = 0;
    std::size_t component = 0;
    for (std::size_t i = 0; i < count; ++i) {
      Pyramid& pyramid = pyramids[i];
      std::size_t nearest = pyramid.base.first();
      double distance = mapped_.distance(apex, nearest);
      vertex_sets::for_each(pyramid.base.bits, [&](std::size_t v) {
        if (mapped_.distance(apex, v) < distance) {
          distance = mapped_.distance(apex, v);
          nearest = v;
        }
      });
      std::array<double, exterior::most_dimensions> height, side;
      subtract(apex, nearest, height.data());
      const double* base = side.data();
      double length, error;
      if (k == 2) {
        const std::size_t from = pyramid.base.first(), to = pyramid.base.without_first().first();
        subtract(from, to, side.data());
        length = mapped_.distance(from, to);
        error = edge_error(from, to);
      } else {
        const Face& face = result_->faces[pyramid.face];
        base = &components_[face.start];
        length = face.length;
        error = face.error;
      }
      pyramid.error = (rounding * distance * length + distance * error +
                       edge_error(apex, nearest) * (length + error)) *
                          slack +
                      negligible;
      double* const out = &products_[i * size];
      product(height.data(), base, out);
      for (std::size_t c = 0; c < size; ++c)
        if (const double magnitude = std::abs(out[c]); magnitude > largest) {
          largest = magnitude;
          component = c;
        }
    }

    Face face;
    face.start = components_.size();
    components_.resize(face.start + size);
    double* const sum = &components_[face.start];
    for (std::size_t i = 0; i < count; ++i) {
      const double* const own = &products_[i * size];
      face.error += pyramids[i].error;
      if (count > 1 && size > 1 && !(std::abs(own[component]) > pyramids[i].error)) {
        face.error += length_of(own, size);
      } else if (own[component] < 0) {
        for (std::size_t c = 0; c < size; ++c) sum[c] -= own[c];
      } else {
        for (std::size_t c = 0; c < size; ++c) sum[c] += own[c];
      }
    }
    face.length = length_of(sum, size);
    face.error = face.error * slack + negligible;
    if (with_parts_) add_parts(pyramids, size, component, k, face);
    face.apex = order_[apex];
    return add(whole, face);
  }

  static double length_of(const double* vector, std::size_t size) {
    double sum = least_square;
    for (std::size_t c = 0; c < size; ++c) sum += vector[c] * vector[c];
    return std::sqrt(sum);
  }

  std::uint32_t add(const Set& whole, const Face& face) {
    const auto number = static_cast<std::uint32_t>(result_->faces.size());
    result_->faces.push_back(face);
    known_.insert(whole, number);
    return number;
  }

  /// The shares are ratios of one component of the pyramids and of their sum. It is not 0 in the sum
  /// if it is certainly not 0 in one of them; otherwise nothing is known about the shares.
  void add_parts(std::vector<Pyramid>& pyramids, std::size_t size, std::size_t component,
                 std::size_t k, Face& face) {
    const double rounding = 4 * static_cast<double>(pyramids.size() + 4) * unit;
    double least = 0, most = 0;
    for (std::size_t i = 0; i < pyramids.size(); ++i) {
      const double magnitude = std::abs(products_[i * size + component]);
      least += std::max(0.0, magnitude - pyramids[i].error);
      most += magnitude + pyramids[i].error;
      if (k == 2)
        pyramids[i].face = edge(pyramids[i].base.first(), pyramids[i].base.without_first().first());
    }
    face.first = static_cast<std::uint32_t>(result_->parts.size());
    for (std::size_t i = 0; i < pyramids.size(); ++i) {
      Part part{pyramids[i].face, 1, 1};
      if (pyramids.size() > 1) {
        const double magnitude = std::abs(products_[i * size + component]);
        part.least = std::max(0.0, magnitude - pyramids[i].error) / most * (1 - rounding);
        part.most =
            least > 0 ? std::min(1.0, (magnitude + pyramids[i].error) / least * (1 + rounding)) : 1;
      }
      result_->parts.push_back(part);
    }
    face.last = static_cast<std::uint32_t>(result_->parts.size());
  }

  std::uint32_t edge(std::size_t from, std::size_t to) {
    Set whole;
    whole.insert(from);
    whole.insert(to);
    if (const std::uint32_t found = known_.find(whole); found != FaceTable<words>::none)
      return found;
    const Part end{vertex(to), 1, 1};
    Face face;
    face.apex = order_[from];
    face.first = static_cast<std::uint32_t>(result_->parts.size());
    face.last = face.first + 1;
    result_->parts.push_back(end);
    return add(whole, face);
  }

  std::uint32_t vertex(std::size_t v) {
    if (vertices_[v] == FaceTable<words>::none) {
      vertices_[v] = static_cast<std::uint32_t>(result_->faces.size());
      Face face;
      face.apex = order_[v];
      result_->faces.push_back(face);
    }
    return vertices_[v];
  }

  std::size_t dimension_ = 0;
  std::size_t count_ = 0;
  bool with_parts_ = false;
  bool simple_ = false;  // each vertex is on as many facets as there are dimensions
  Measures* result_ = nullptr;
  std::vector<std::size_t> degrees_;  // by vertex of the region
  std::vector<std::uint32_t> order_;  // the vertices of the region
  std::vector<std::size_t> numbers_;  // of the vertices of the region, in that order
  MappedVertices mapped_;
  FaceTable<words> known_;
  std::vector<Level> levels_;            // by dimension
  std::vector<double> components_;       // of the measures of the faces
  std::vector<double> products_;         // of the pyramids of one face
  std::vector<std::uint32_t> vertices_;  // the face of each vertex
};

/// nullptr if a number leaves the range of doubles, or the region is too large. The result is valid
/// until the next call in this thread.
const Measures* measure(const EnclosedPolytope& region, bool with_parts) {
  if (region.dimension == 0 || region.dimension > exterior::most_dimensions) return nullptr;
  thread_local Measures result;
  const auto build = [&]<std::size_t words>(std::integral_constant<std::size_t, words>) {
    thread_local MeasureBuilder<words> builder;
    return builder.build(region, with_parts, result) ? &result : nullptr;
  };
  switch (std::bit_ceil(region.words())) {
    case 1:
      return build(std::integral_constant<std::size_t, 1>());
    case 2:
      return build(std::integral_constant<std::size_t, 2>());
    case 4:
      return build(std::integral_constant<std::size_t, 4>());
    case 8:
      return build(std::integral_constant<std::size_t, 8>());
    default:
      return nullptr;
  }
}

/// The volume in coordinates x: few operations, each of which errs by at most u of its result.
std::optional<DoubleInterval> volume(const Measures& measures, const EnclosedPolytope& region) {
  double factor = 1;
  const auto in_range = [&] { return factor > 0x1p-900 && factor < 0x1p900; };
  for (std::size_t j = 0; j < region.dimension; ++j) {
    factor *= region.half_width[j] / static_cast<double>(j + 1);
    if (!in_range()) return std::nullopt;
  }
  factor = std::ldexp(factor, measures.exponent);
  if (!in_range()) return std::nullopt;
  const double rounding = static_cast<double>(4 * region.dimension + 8) * unit;
  const DoubleInterval result = {
      std::max(0.0, measures.volume - measures.error) * factor * (1 - rounding),
      (measures.volume + measures.error) * factor * (1 + rounding)};
  constexpr double least = std::numeric_limits<double>::min();
  return DoubleInterval{result.lower < 2 * least ? 0 : result.lower, std::max(result.upper, least)};
}

/// Below, intervals are rounded outwards. Requires that the processor rounds upwards.
UpwardInterval product(const UpwardInterval& a, const UpwardInterval& b) {
  if (a.negated_lower <= 0)
    return {std::max(-a.negated_lower * b.negated_lower, a.upper * b.negated_lower),
            std::max(-a.negated_lower * b.upper, a.upper * b.upper)};
  if (a.upper <= 0)
    return {std::max(a.negated_lower * b.upper, -a.upper * b.upper),
            std::max(a.negated_lower * b.negated_lower, -a.upper * b.negated_lower)};
  return {std::max(a.upper * b.negated_lower, a.negated_lower * b.upper),
          std::max(a.upper * b.upper, a.negated_lower * b.negated_lower)};
}

/// The integrals divided by the volume.
[[gnu::noinline]] void enclose_means(std::span<const EnclosedPolynomial> integrands,
                                     const EnclosedPolytope& region, const Measures& measures,
                                     const MomentTable& table, std::span<UpwardInterval> results) {
  const std::size_t n = region.dimension, size = table.size();
  std::vector<UpwardInterval> points;
  for (std::size_t v = 0; v < region.vertex_count(); ++v)
    for (std::size_t j = 0; j < n; ++j) {
      const double midpoint = region.vertices[v * n + j], width = region.half_width[j];
      points.push_back({width * (region.radii[v] - midpoint) - region.centre[j],
                        width * (region.radii[v] + midpoint) + region.centre[j]});
    }
  std::vector<UpwardInterval> series(measures.faces.size() * size);
  for (std::size_t f = 0; f < measures.faces.size(); ++f) {
    const Face& face = measures.faces[f];
    UpwardInterval* const own = &series[f * size];
    for (std::size_t i = face.first; i < face.last; ++i) {
      const Part& part = measures.parts[i];
      const UpwardInterval* const base = &series[part.face * size];
      for (std::size_t m = 1; m < size; ++m) own[m].add(product({-part.least, part.most}, base[m]));
    }
    own[0] = {-1, 1};  // shares add up to 1
    const UpwardInterval* const point = &points[face.apex * n];
    for (const MomentTable::Step& step : table.steps())
      own[step.target].add(product(point[step.coordinate], own[step.source]));
  }

  const UpwardInterval* const top = &series[(measures.faces.size() - 1) * size];
  for (std::size_t i = 0; i < integrands.size(); ++i) {
    for (const EnclosedPolynomial::Term& term : integrands[i].terms()) {
      const std::size_t m = table.index(term.monomial);
      UpwardInterval mean = top[m];  // times m! n! / (|m| + n)!
      std::size_t total = n;
      for (const std::uint32_t exponent : table[m])
        for (std::uint32_t k = 1; k <= exponent; ++k) {
          const auto numerator = static_cast<double>(k), denominator = static_cast<double>(++total);
          mean.negated_lower = mean.negated_lower * numerator / denominator;
          mean.upper = mean.upper * numerator / denominator;
        }
      results[i].add(product({-term.lower, term.upper}, mean));
    }
  }
}

/// Likewise, if they are constant.
[[gnu::noinline]] void add_constants(std::span<const EnclosedPolynomial> integrands,
                                     std::span<UpwardInterval> results) {
  for (std::size_t i = 0; i < integrands.size(); ++i)
    for (const EnclosedPolynomial::Term& term : integrands[i].terms())
      results[i].add({-term.lower, term.upper});
}

[[gnu::noinline]] void multiply(const DoubleInterval& volume, std::span<const UpwardInterval> means,
                                std::span<DoubleInterval> results) {
  for (std::size_t i = 0; i < means.size(); ++i) {
    const UpwardInterval integral = product({-volume.lower, volume.upper}, means[i]);
    results[i] = {-integral.negated_lower, integral.upper};
  }
}

/// Then, without an overflow, all results are.
bool finite(std::span<const EnclosedPolynomial> integrands, const EnclosedPolytope& region) {
  for (const EnclosedPolynomial& integrand : integrands)
    for (const EnclosedPolynomial::Term& term : integrand.terms())
      if (!std::isfinite(term.lower) || !std::isfinite(term.upper)) return false;
  return std::ranges::all_of(region.centre, [](double entry) { return std::isfinite(entry); });
}

/// A table of the monomials of the integrands.
std::shared_ptr<const MomentTable> moment_table(std::span<const EnclosedPolynomial> integrands,
                                                std::size_t dimension) {
  std::vector<Polynomial> shapes;
  for (const EnclosedPolynomial& integrand : integrands) {
    std::vector<Polynomial::Term> terms;
    for (const EnclosedPolynomial::Term& term : integrand.terms())
      terms.push_back({term.monomial, 1});
    shapes.emplace_back(std::move(terms));
  }
  return MomentTable::of(shapes, dimension);
}

}  // namespace

std::optional<DoubleInterval> enclose_volume(const EnclosedPolytope& region) {
  const Measures* const measures = measure(region, false);
  return measures == nullptr ? std::nullopt : volume(*measures, region);
}

std::optional<std::vector<DoubleInterval>> enclose_integrals_in_doubles(
    std::span<const EnclosedPolynomial> integrands, const EnclosedPolytope& region) {
  if (!finite(integrands, region)) return std::nullopt;
  const bool constant = std::ranges::all_of(integrands, &EnclosedPolynomial::constant);
  const Measures* const measures = measure(region, !constant);
  if (measures == nullptr) return std::nullopt;
  const std::optional<DoubleInterval> size = volume(*measures, region);
  if (!size) return std::nullopt;
  std::vector<UpwardInterval> means(integrands.size());
  std::vector<DoubleInterval> results(integrands.size());
  const std::shared_ptr<const MomentTable> table =
      constant ? nullptr : moment_table(integrands, region.dimension);
  {
    const UpwardRounding upwards;
    if (constant)
      add_constants(integrands, means);
    else
      enclose_means(integrands, region, *measures, *table, means);
    multiply(*size, means, results);
    if (UpwardRounding::overflow()) return std::nullopt;
  }
  return results;
}

std::optional<std::vector<Interval>> enclose_integrals(
    std::span<const EnclosedPolynomial> integrands, const EnclosedPolytope& region) {
  const auto found = enclose_integrals_in_doubles(integrands, region);
  if (!found) return std::nullopt;
  std::vector<Interval> results;
  for (const DoubleInterval& interval : *found)
    results.emplace_back(Rational(interval.lower), Rational(interval.upper));
  return results;
}

}  // namespace wmi
