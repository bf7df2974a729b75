// Weights are ratios of volumes, and each face needs a measure of its own. Ours is the volume of
// the projection to the coordinates that are left when the rows of the facets that it lies on are
// reduced to echelon form. The leading columns of a subspace are among those of a larger one, so
// these coordinates belong to the face, however it was reached and however many facets meet there:
// a degenerate polytope costs nothing more. From a face F to its facet G on the row h one further
// column becomes a leading one, and
//
//     det(v, s) = slack_h(v) minor(F) / minor(G) * det(s)    for all simplices s of G
//
// where minor(F) is the determinant of the rows of F in their leading columns. Eliminating without
// fractions (Bareiss), minor(G) is the first entry that the elimination leaves of h. Polygons take
// the determinants of their triangles instead.
//
// det(v, s) is an integer for each s, so the weight is one as soon as it is multiplied by the
// greatest common divisor of det(s) over all s: this is what a face hands up.
//
// All of this is done in machine words, once more in pairs of them if one grows beyond 62 bits, and
// in GMP's integers if that is not enough.

#include "solver/integrators/face_plan.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

namespace wmi {
namespace {

__extension__ typedef __int128 DoubleWord;

struct Overflow {};

std::int64_t narrow(DoubleWord value) {
  constexpr std::int64_t limit = std::int64_t{1} << 62;
  if (value >= limit || value <= -limit) throw Overflow();
  return static_cast<std::int64_t>(value);
}

/// So that it can be negated.
DoubleWord limited(DoubleWord value) {
  constexpr DoubleWord limit = DoubleWord{1} << 126;
  if (value >= limit || value <= -limit) throw Overflow();
  return value;
}

std::int64_t product(std::int64_t a, std::int64_t b) { return narrow(DoubleWord{a} * b); }
DoubleWord product(DoubleWord a, DoubleWord b) {
  DoubleWord result;
  if (__builtin_mul_overflow(a, b, &result)) throw Overflow();
  return limited(result);
}
Integer product(const Integer& a, const Integer& b) { return a * b; }

DoubleWord sum(DoubleWord a, DoubleWord b) {
  DoubleWord result;
  if (__builtin_add_overflow(a, b, &result)) throw Overflow();
  return limited(result);
}
Integer sum(const Integer& a, const Integer& b) { return a + b; }

/// a d - b c, in twice as many bits where these are few.
DoubleWord minor(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
  return DoubleWord{a} * d - DoubleWord{b} * c;
}
DoubleWord minor(DoubleWord a, DoubleWord b, DoubleWord c, DoubleWord d) {
  return sum(product(a, d), product(-b, c));
}
Integer minor(const Integer& a, const Integer& b, const Integer& c, const Integer& d) {
  return a * d - b * c;
}

/// Requires that it is exact.
DoubleWord quotient(DoubleWord a, DoubleWord b) {
  assert(b != 0);
  constexpr DoubleWord limit = std::numeric_limits<std::int64_t>::max();
  if (a <= limit && a >= -limit && b <= limit && b >= -limit)
    return static_cast<std::int64_t>(a) / static_cast<std::int64_t>(b);
  return a / b;
}
Integer quotient(const Integer& a, const Integer& b) {
  Integer result;
  mpz_divexact(result.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
  return result;
}

void assign(std::int64_t& target, DoubleWord value) { target = narrow(value); }
void assign(DoubleWord& target, DoubleWord value) { target = value; }
void assign(Integer& target, Integer&& value) { target = std::move(value); }

std::int64_t divisor(std::int64_t a, std::int64_t b) { return std::gcd(a, b); }
DoubleWord divisor(DoubleWord a, DoubleWord b) {
  constexpr DoubleWord limit = std::numeric_limits<std::int64_t>::max();
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b > limit || (b != 0 && a > limit)) a = std::exchange(b, a % b);
  if (b == 0) return a;
  return std::gcd(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b));
}
Integer divisor(const Integer& a, const Integer& b) { return gcd(a, b); }

/// Whether determinants of three vertices are likely to fit into a word.
bool likely_small(const Integers& corners) {
  constexpr std::int64_t limit = std::int64_t{1} << 18;
  return corners.small() && std::ranges::all_of(corners.words(), [](std::int64_t entry) {
           return entry < limit && entry > -limit;
         });
}

template <class Whole>
Whole magnitude(Whole value) {
  return value < 0 ? Whole(-value) : value;
}

void read(const Integers& numbers, std::vector<std::int64_t>& result) {
  if (!numbers.small()) throw Overflow();
  for (const std::int64_t number : numbers.words()) narrow(number);
  result.assign(numbers.words().begin(), numbers.words().end());
}
void read(const Integers& numbers, std::vector<DoubleWord>& result) {
  if (!numbers.small()) throw Overflow();
  result.assign(numbers.words().begin(), numbers.words().end());
}
void read(const Integers& numbers, std::vector<Integer>& result) {
  result.clear();
  result.reserve(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) result.push_back(numbers[i]);
}

Integer to_integer(std::int64_t value) { return static_cast<long>(value); }
Integer to_integer(DoubleWord value) {
  Integer result = static_cast<long>(value >> 64);
  result <<= 64;
  result += static_cast<unsigned long>(value);
  return result;
}
Integer to_integer(const Integer& value) { return value; }

Integers write(const std::vector<std::int64_t>& numbers) { return Integers(numbers); }
Integers write(const std::vector<DoubleWord>& numbers) {
  std::vector<Integer> result;
  result.reserve(numbers.size());
  for (const DoubleWord number : numbers) result.push_back(to_integer(number));
  return Integers(std::move(result));
}
Integers write(const std::vector<Integer>& numbers) { return Integers(numbers); }

using Bits = std::span<const std::uint64_t>;

std::size_t count(Bits bits) {
  std::size_t result = 0;
  for (const std::uint64_t word : bits) result += static_cast<std::size_t>(std::popcount(word));
  return result;
}

bool within(Bits inner, Bits outer) {
  for (std::size_t w = 0; w < inner.size(); ++w)
    if (inner[w] & ~outer[w]) return false;
  return true;
}

bool contains(Bits bits, std::size_t v) { return bits[v / 64] >> v % 64 & 1; }

template <class Visit>
void for_each(Bits bits, Visit&& visit) {
  for (std::size_t w = 0; w < bits.size(); ++w)
    for (std::uint64_t rest = bits[w]; rest != 0; rest &= rest - 1)
      visit(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
}

/// Numbers sets of vertices in the order in which they come.
class Memory {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// Forgets all sets; those to come have this many words.
  void clear(std::size_t words) {
    words_ = words;
    table_.assign(256, none);
    numbers_.clear();
    bits_.clear();
  }

  std::uint32_t find(Bits bits) const { return table_[place(bits)]; }

  void insert(Bits bits, std::uint32_t number) {
    if (2 * (numbers_.size() + 1) > table_.size()) {
      std::fill(table_.begin(), table_.end(), none);
      table_.resize(4 * table_.size(), none);
      for (const std::uint32_t old : numbers_) table_[place(stored(old))] = old;
    }
    if (starts_.size() <= number) starts_.resize(number + 1);
    starts_[number] = bits_.size();
    bits_.insert(bits_.end(), bits.begin(), bits.end());
    numbers_.push_back(number);
    table_[place(bits)] = number;
  }

 private:
  Bits stored(std::uint32_t number) const { return Bits(bits_).subspan(starts_[number], words_); }

  /// Where the set is in the table, or where it should be.
  std::size_t place(Bits bits) const {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : bits) hash = (hash ^ word ^ word >> 29) * 0x9e3779b97f4a7c15u;
    for (std::size_t at = hash >> 20;; ++at) {
      at &= table_.size() - 1;
      if (table_[at] == none || std::ranges::equal(stored(table_[at]), bits)) return at;
    }
  }

  std::size_t words_ = 0;
  std::vector<std::uint32_t> table_;  // a power of two, at most half full
  std::vector<std::uint32_t> numbers_;
  std::vector<std::size_t> starts_;  // by number
  std::vector<std::uint64_t> bits_;
};

}  // namespace

/// Keeps its memory from one plan to the next.
template <class Whole>
class FacePlan::Builder {
 public:
  /// Throws Overflow, and then leaves the plan as it was.
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
  struct Part {
    std::uint32_t face;
    Whole weight;
  };

  /// A face on the way down, and its facets.
  struct Level {
    std::vector<std::uint64_t> bits;
    std::vector<std::size_t> origins;  // the facet of the region that cuts off each
    std::vector<Whole> rows;           // what is left of its row, in these columns
    std::vector<std::size_t> columns;
    Whole minor;
    std::vector<Part> parts;
  };

  void clear(const Polytope& region) {
    dimension_ = region.dimension();
    words_ = (region.vertex_count() + 63) / 64;
    read(region.corners(), corners_);
    read(region.rows(), rows_);
    memory_.clear(words_);
    vertices_.assign(region.vertex_count(), Memory::none);
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

  /// The column in which a row leads, as its place among the columns of the level.
  static std::size_t lead(const Level& level, std::size_t i) {
    std::size_t k = 0;
    while (level.rows[i * level.columns.size() + k] == 0) ++k;
    return k;
  }

  /// The vertex on most facets, and the first of these: what is left are few pyramids, and faces
  /// that share vertices are likely to share their apex.
  std::size_t apex(Bits bits) const {
    std::size_t best = vertices_.size();
    for_each(bits, [&](std::size_t v) {
      if (best == vertices_.size() || facets_at_[v] > facets_at_[best]) best = v;
    });
    return best;
  }

  /// Requires that the level of this depth is that of the face, of dimension 3 or more.
  std::uint32_t visit(Bits whole, std::size_t depth) {
    Level& level = levels_[depth];
    const std::size_t pulled = apex(whole);
    level.parts.clear();
    for (std::size_t i = 0; i < size(depth); ++i) {
      const Bits facet = face(depth, i);
      if (contains(facet, pulled)) continue;
      std::uint32_t found = memory_.find(facet);
      if (found == Memory::none) {
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

  /// The i-th facet of the face of this depth, and its facets in turn, as the next level.
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

  /// The sets of vertices of the facets of a facet; as origins, their numbers in the level above.
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

  /// The i-th facet of a face of dimension 3.
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

  /// Requires its edges in `edges_`, and the coordinates to which it is projected.
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

  /// Of an edge only the vertices count, so it has no content.
  std::uint32_t edge(Bits bits, std::size_t from, std::size_t to) {
    const std::uint32_t found = memory_.find(bits);
    if (found != Memory::none) return found;
    const std::uint32_t part = vertex(to);
    const auto first = static_cast<std::uint32_t>(parts_.size());
    parts_.push_back(part);
    weights_.push_back(1);
    return add(bits, from, 1, first);
  }

  std::uint32_t vertex(std::size_t v) {
    if (vertices_[v] == Memory::none) {
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
    memory_.insert(bits, number);
    return number;
  }

  std::size_t dimension_ = 0;
  std::size_t words_ = 0;
  std::vector<Whole> corners_, rows_;
  Memory memory_;
  std::vector<Face> faces_;              // of the plan
  std::vector<std::uint32_t> parts_;     // likewise
  std::vector<std::uint32_t> vertices_;  // the face that each is
  std::vector<std::size_t> facets_at_;   // how many meet at each
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
    }
    constexpr std::size_t many = 1 << 13;  // not worth keeping the memory for the next
    if (faces_.size() > many) builder = Builder<Whole>();
    return true;
  };
  (likely_small(region.corners()) && build(std::int64_t())) || build(DoubleWord()) ||
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
