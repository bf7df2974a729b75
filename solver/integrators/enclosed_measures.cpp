// The volume of a polytope whose vertices are known as enclosures.
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
// These bounds are for cells that are about as wide in all directions, so at first the points are
// mapped (MappedVertices). All that is lost is a part of the radii: thin cells have relative errors
// of about the radius over the width.

#include "solver/integrators/enclosed_measures.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "solver/integrators/exterior_product.h"
#include "solver/integrators/mapped_vertices.h"
#include "solver/integrators/vertex_sets.h"

namespace wmi {

using namespace error_bounds;

namespace {

constexpr double negligible = 0x1p-900;

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

/// Keeps its memory from one polytope to the next.
template <std::size_t words>
class MeasureBuilder {
 public:
  /// False if a number leaves the range of doubles.
  bool build(const EnclosedPolytope& region, bool with_faces, EnclosedMeasures& result) {
    dimension_ = region.dimension;
    count_ = region.vertex_count();
    result_ = with_faces ? &result : nullptr;
    result.faces.clear();
    result.pyramids.clear();
    components_.clear();
    measures_.clear();
    known_.clear();
    vertices_.assign(count_, none);
    if (levels_.size() <= dimension_) levels_.resize(dimension_ + 1);
    sort(region);
    if (!mapped_.assign(region, order_)) return false;
    if (dimension_ == 1) {
      if (with_faces) edge(0, 1);
      return set_volume(region, *mapped_.point(1) - *mapped_.point(0), edge_error(0, 1),
                        result.volume);
    }
    Set whole;
    for (std::size_t v = 0; v < count_; ++v) whole.insert(v);
    const Measure& top = measures_[visit(whole, dimension_)];
    return set_volume(region, components_[top.start], top.error, result.volume);
  }

  /// Whether its memory is not to be kept.
  bool large() const { return measures_.size() > 1 << 13; }

 private:
  using Set = VertexSet<words>;

  static constexpr std::uint32_t none = FaceTable<words>::none;

  /// Of a face: a k-vector and a bound on its error.
  struct Measure {
    std::size_t start = 0;  // of its components
    double length = 0;
    double error = 0;
    std::uint32_t face = 0;  // of the result
  };

  struct Pyramid {
    Set base;
    std::uint32_t measure;  // of the base; none if that is an edge
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
      std::uint32_t measure = none;
      if (k > 2) {
        measure = known_.find(base);
        if (measure == none) {
          find_facets(k, base);
          measure = visit(base, k - 1);
        }
      }
      level.pyramids.push_back({base, measure});
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

  /// The k-vector of a pyramid of dimension k; sets its error. `rounding` is that of product and sum.
  void compute(Pyramid& pyramid, std::size_t apex, std::size_t k, double rounding,
               double* out) const {
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
      const Measure& measure = measures_[pyramid.measure];
      base = &components_[measure.start];
      length = measure.length;
      error = measure.error;
    }
    pyramid.error = (rounding * distance * length + distance * error +
                     edge_error(apex, nearest) * (length + error)) *
                        slack +
                    negligible;
    exterior::product(dimension_, k - 1)(height.data(), base, out);
  }

  /// Adds the face of this level, whose pyramids are known but not computed.
  std::uint32_t close(const Set& whole, std::size_t apex, std::size_t k) {
    std::vector<Pyramid>& pyramids = levels_[k].pyramids;
    const std::size_t size = exterior::binomial(dimension_, k), count = pyramids.size();
    assert(count > 0);
    products_.resize(count * size);
    const auto degree = static_cast<double>(k);
    const double rounding = (degree * std::sqrt(degree) + static_cast<double>(count)) * unit;
    magnitudes_.assign(size, 0);
    for (std::size_t i = 0; i < count; ++i) {
      double* const out = &products_[i * size];
      compute(pyramids[i], apex, k, rounding, out);
      for (std::size_t c = 0; c < size; ++c) magnitudes_[c] += std::abs(out[c]);
    }
    const auto component = static_cast<std::size_t>(
        std::max_element(magnitudes_.begin(), magnitudes_.end()) - magnitudes_.begin());

    Measure measure;
    measure.start = components_.size();
    components_.resize(measure.start + size);
    double* const sum = &components_[measure.start];
    for (std::size_t i = 0; i < count; ++i) {
      const double* const own = &products_[i * size];
      measure.error += pyramids[i].error;
      if (count > 1 && size > 1 && !(std::abs(own[component]) > pyramids[i].error)) {
        measure.error += length_of(own, size);
      } else if (own[component] < 0) {
        for (std::size_t c = 0; c < size; ++c) sum[c] -= own[c];
      } else {
        for (std::size_t c = 0; c < size; ++c) sum[c] += own[c];
      }
    }
    measure.length = length_of(sum, size);
    measure.error = measure.error * slack + negligible;
    if (result_ != nullptr) measure.face = add_face(pyramids, apex, k, component);
    return add(whole, measure);
  }

  static double length_of(const double* vector, std::size_t size) {
    double sum = least_square;
    for (std::size_t c = 0; c < size; ++c) sum += vector[c] * vector[c];
    return std::sqrt(sum);
  }

  std::uint32_t add(const Set& whole, const Measure& measure) {
    const auto number = static_cast<std::uint32_t>(measures_.size());
    measures_.push_back(measure);
    known_.insert(whole, number);
    return number;
  }

  /// Adds a face to the result. Shares of pyramids are ratios of one component of them and of their
  /// sum. It is not 0 in the sum if it is certainly not 0 in one of them; otherwise nothing is known
  /// about the shares.
  std::uint32_t add_face(std::span<const Pyramid> pyramids, std::size_t apex, std::size_t k,
                         std::size_t component) {
    const std::size_t size = exterior::binomial(dimension_, k);
    const double rounding = 4 * static_cast<double>(pyramids.size() + 4) * unit;
    shares_.clear();
    double least = 0, most = 0;
    for (std::size_t i = 0; i < pyramids.size(); ++i) {
      const Set& base = pyramids[i].base;
      const double value = std::abs(products_[i * size + component]);
      shares_.push_back({k == 2 ? edge(base.first(), base.without_first().first())
                                : measures_[pyramids[i].measure].face,
                         std::max(0.0, value - pyramids[i].error), value + pyramids[i].error});
      least += shares_[i].least;
      most += shares_[i].most;
    }
    for (EnclosedMeasures::Pyramid& share : shares_) {
      share.least = shares_.size() == 1 ? 1 : share.least / most * (1 - rounding);
      share.most = shares_.size() == 1 || least == 0
                       ? 1
                       : std::min(1.0, share.most / least * (1 + rounding));
    }
    return add_face(apex, shares_);
  }

  std::uint32_t add_face(std::size_t apex, std::span<const EnclosedMeasures::Pyramid> pyramids) {
    EnclosedMeasures::Face face;
    face.apex = order_[apex];
    face.first = static_cast<std::uint32_t>(result_->pyramids.size());
    result_->pyramids.insert(result_->pyramids.end(), pyramids.begin(), pyramids.end());
    face.last = static_cast<std::uint32_t>(result_->pyramids.size());
    result_->faces.push_back(face);
    return static_cast<std::uint32_t>(result_->faces.size() - 1);
  }

  /// The face of the result.
  std::uint32_t edge(std::size_t from, std::size_t to) {
    Set whole;
    whole.insert(from);
    whole.insert(to);
    std::uint32_t number = known_.find(whole);
    if (number == none) {
      if (vertices_[to] == none) vertices_[to] = add_face(to, {});
      Measure measure;
      measure.face = add_face(from, std::array{EnclosedMeasures::Pyramid{vertices_[to], 1, 1}});
      number = add(whole, measure);
    }
    return measures_[number].face;
  }

  /// The volume in coordinates x, from n! times that of the mapped polytope. Each operation errs by
  /// at most u of its result, and there are fewer than 4n + 8.
  bool set_volume(const EnclosedPolytope& region, double value, double error,
                  DoubleInterval& result) const {
    double factor = 1;
    const auto in_range = [&] { return factor > 0x1p-900 && factor < 0x1p900; };
    for (std::size_t j = 0; j < dimension_; ++j) {
      factor *= region.half_width[j] / static_cast<double>(j + 1);
      if (!in_range()) return false;
    }
    factor = std::ldexp(factor, mapped_.exponent());
    if (!in_range()) return false;
    const double rounding = static_cast<double>(4 * dimension_ + 8) * unit;
    result.lower = std::max(0.0, std::abs(value) - error) * factor * (1 - rounding);
    result.upper = (std::abs(value) + error) * factor * (1 + rounding);
    constexpr double least = 0x1p-1000;  // below, rounding may err by more
    if (result.lower < least) result.lower = 0;
    result.upper = std::max(result.upper, least);
    return true;
  }

  std::size_t dimension_ = 0;
  std::size_t count_ = 0;
  bool simple_ = false;                 // each vertex is on as many facets as there are dimensions
  EnclosedMeasures* result_ = nullptr;  // if it is to have faces
  std::vector<std::size_t> degrees_;    // by vertex of the region
  std::vector<std::uint32_t> order_;    // the vertices of the region
  std::vector<std::size_t> numbers_;    // of the vertices of the region, in that order
  MappedVertices mapped_;
  FaceTable<words> known_;                         // numbers of measures
  std::vector<Measure> measures_;                  // of faces; edges have none, but a face
  std::vector<double> components_;                 // of the measures
  std::vector<Level> levels_;                      // by dimension
  std::vector<double> products_;                   // of the pyramids of one face
  std::vector<double> magnitudes_;                 // of their components, summed up
  std::vector<EnclosedMeasures::Pyramid> shares_;  // likewise
  std::vector<std::uint32_t> vertices_;            // the face of each vertex
};

}  // namespace

const EnclosedMeasures* EnclosedMeasures::of(const EnclosedPolytope& region, bool with_faces) {
  if (region.dimension == 0 || region.dimension > exterior::most_dimensions) return nullptr;
  thread_local EnclosedMeasures result;
  const auto build = [&]<std::size_t words>(std::integral_constant<std::size_t, words>) {
    thread_local MeasureBuilder<words> builder;
    const bool found = builder.build(region, with_faces, result);
    if (builder.large()) builder = {};
    return found ? &result : nullptr;
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

}  // namespace wmi
