// From halfspaces to vertices by the double description method, as cddlib does it on GMP rationals
// (Fukuda and Prodon, "Double description method revisited", 1996). cddlib returns generators:
// vertices, rays and lines. The rest follows from which halfspaces are tight at which generators:
//
// - a halfspace that is tight everywhere is an implicit equality, so the region is flat;
// - a ray or line of a region that is not flat makes its volume infinite;
// - no two halfspaces are parallel after `irredundant`, hence each facet has exactly one of them,
//   and the facets are the tight sets that lie in no other tight set.

#include "solver/geometry/polytope.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>

// GMPRATIONAL selects exact numbers, and cdd.h needs setoper.h before it.
// clang-format off
#define GMPRATIONAL
#include <cddlib/setoper.h>
#include <cddlib/cdd.h>
// clang-format on

namespace wmi {
namespace {

/// Scales by a positive factor, to integers without a common divisor.
std::vector<Integer> primitive(std::span<const Rational> numbers) {
  Integer denominator = 1, divisor = 0;
  for (const Rational& number : numbers) denominator = lcm(denominator, number.get_den());
  std::vector<Integer> result;
  result.reserve(numbers.size());
  for (const Rational& number : numbers) {
    result.emplace_back(number.get_num() * (denominator / number.get_den()));
    divisor = gcd(divisor, result.back());
  }
  if (divisor > 1)
    for (Integer& entry : result) entry /= divisor;
  return result;
}

Point primitive_direction(const Point& direction) {
  const std::vector<Integer> scaled = primitive(direction);
  return Point(scaled.begin(), scaled.end());
}

std::string describe(const Point& direction) {
  std::string text;
  for (const Rational& entry : direction) text += (text.empty() ? "" : ", ") + to_string(entry);
  return "region is unbounded in direction (" + text + ")";
}

bool zero(const std::vector<Integer>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [](const Integer& number) { return number == 0; });
}

/// A halfspace with a primitive normal, so that parallel halfspaces have equal normals.
struct Candidate {
  std::vector<Integer> normal;
  Rational bound;
  std::size_t given;  // its number in the list of the caller
};

Candidate candidate(const Halfspace& halfspace, std::size_t given) {
  Candidate result{primitive(halfspace.normal), halfspace.bound, given};
  for (std::size_t i = 0; i < result.normal.size(); ++i) {
    if (result.normal[i] == 0) continue;
    result.bound *= Rational(result.normal[i]) / halfspace.normal[i];
    break;
  }
  return result;
}

/// The tightest of each set of parallel halfspaces, in the order given; nullopt if a constant
/// halfspace or an opposite pair already leaves no volume.
std::optional<std::vector<Candidate>> irredundant(const std::vector<Halfspace>& halfspaces) {
  std::map<std::vector<Integer>, Candidate> tightest;
  for (std::size_t i = 0; i < halfspaces.size(); ++i) {
    Candidate next = candidate(halfspaces[i], i);
    if (zero(next.normal)) {
      if (next.bound < 0) return std::nullopt;
      continue;
    }
    const auto [entry, fresh] = tightest.try_emplace(next.normal, next);
    if (!fresh && next.bound < entry->second.bound) entry->second = std::move(next);
  }
  std::vector<Candidate> result;
  result.reserve(tightest.size());
  for (const auto& [normal, found] : tightest) {
    std::vector<Integer> opposite = normal;
    for (Integer& entry : opposite) entry = -entry;
    const auto other = tightest.find(opposite);
    if (other != tightest.end() && found.bound + other->second.bound <= 0) return std::nullopt;
    result.push_back(found);
  }
  std::sort(result.begin(), result.end(),
            [](const Candidate& a, const Candidate& b) { return a.given < b.given; });
  return result;
}

struct Generators {
  std::vector<Point> vertices;
  std::vector<Point> directions;  // rays and lines
};

struct FreeCdd {
  void operator()(dd_matrixdata* matrix) const { dd_FreeMatrix(matrix); }
  void operator()(dd_polyhedradata* polyhedron) const { dd_FreePolyhedra(polyhedron); }
};

Generators generators(std::size_t dimension, const std::vector<Candidate>& candidates) {
  static std::mutex only_one_at_a_time;
  const std::lock_guard lock(only_one_at_a_time);
  [[maybe_unused]] static const bool ready = (dd_set_global_constants(), true);

  // cddlib takes rows with all bounds 0 for a cone and omits its apex; the row 0 <= 1 prevents that.
  const bool cone = std::all_of(candidates.begin(), candidates.end(),
                                [](const Candidate& row) { return row.bound == 0; });
  const std::unique_ptr<dd_matrixdata, FreeCdd> rows(dd_CreateMatrix(
      static_cast<dd_rowrange>(candidates.size() + cone), static_cast<dd_colrange>(dimension + 1)));
  if (cone) mpq_set_ui(rows->matrix[candidates.size()][0], 1, 1);
  rows->representation = dd_Inequality;
  rows->numbtype = dd_Rational;
  for (std::size_t i = 0; i < candidates.size(); ++i) {  // 0 <= bound - normal . x
    mpq_set(rows->matrix[i][0], candidates[i].bound.get_mpq_t());
    for (std::size_t j = 0; j < dimension; ++j) {
      mpq_set_z(rows->matrix[i][j + 1], candidates[i].normal[j].get_mpz_t());
      mpq_neg(rows->matrix[i][j + 1], rows->matrix[i][j + 1]);
    }
  }

  dd_ErrorType error = dd_NoError;
  const std::unique_ptr<dd_polyhedradata, FreeCdd> polyhedron(dd_DDMatrix2Poly(rows.get(), &error));
  if (error != dd_NoError || !polyhedron)
    throw GaveUp("cddlib cannot find the vertices of a region with " +
                 std::to_string(candidates.size()) + " halfspaces in " + std::to_string(dimension) +
                 " dimensions (its error " + std::to_string(error) + ")");
  const std::unique_ptr<dd_matrixdata, FreeCdd> found(dd_CopyGenerators(polyhedron.get()));

  Generators result;
  for (dd_rowrange i = 0; i < found->rowsize; ++i) {
    Point point(dimension);
    for (std::size_t j = 0; j < dimension; ++j) point[j] = Rational(found->matrix[i][j + 1]);
    const bool vertex = mpq_sgn(found->matrix[i][0]) != 0;
    (vertex ? result.vertices : result.directions).push_back(std::move(point));
  }
  return result;
}

bool tight(const Candidate& candidate, const Point& point, const Rational& bound) {
  Rational sum = -bound;
  for (std::size_t j = 0; j < point.size(); ++j) sum += candidate.normal[j] * point[j];
  return sum == 0;
}

}  // namespace

Unbounded::Unbounded(const Point& direction)
    : Error(describe(primitive_direction(direction))), direction_(primitive_direction(direction)) {}

const Point& plainest(const std::vector<Point>& directions) {
  const auto entries = [](const Point& direction) {
    return std::ranges::count_if(direction, [](const Rational& entry) { return entry != 0; });
  };
  return *std::min_element(directions.begin(), directions.end(),
                           [&](const Point& a, const Point& b) { return entries(a) < entries(b); });
}

Polytope::Polytope(std::size_t dimension, const std::vector<Halfspace>& halfspaces)
    : dimension_(dimension) {
  assert(std::all_of(halfspaces.begin(), halfspaces.end(), [&](const Halfspace& halfspace) {
    return halfspace.normal.size() == dimension;
  }));
  const std::optional<std::vector<Candidate>> candidates = irredundant(halfspaces);
  if (!candidates) return;
  if (dimension == 0) {
    homogeneous_vertices_ = Integers(std::vector<std::int64_t>{1});
    return;
  }
  if (candidates->empty()) {
    Point first_axis(dimension);
    first_axis[0] = 1;
    throw Unbounded(first_axis);
  }

  Generators found = generators(dimension, *candidates);
  if (found.vertices.empty()) return;
  std::sort(found.vertices.begin(), found.vertices.end());

  std::vector<std::vector<std::size_t>> touching(candidates->size());
  for (std::size_t i = 0; i < candidates->size(); ++i) {
    const Candidate& halfspace = (*candidates)[i];
    for (std::size_t v = 0; v < found.vertices.size(); ++v)
      if (tight(halfspace, found.vertices[v], halfspace.bound)) touching[i].push_back(v);
    const auto along = [&](const Point& direction) { return tight(halfspace, direction, 0); };
    if (touching[i].size() == found.vertices.size() &&
        std::all_of(found.directions.begin(), found.directions.end(), along))
      return;  // flat
  }
  if (!found.directions.empty()) throw Unbounded(plainest(found.directions));

  const auto within = [&](std::size_t i, std::size_t k) {
    return i != k && touching[i].size() <= touching[k].size() &&
           std::includes(touching[k].begin(), touching[k].end(), touching[i].begin(),
                         touching[i].end());
  };
  std::vector<Integer> rows, homogeneous_vertices;
  const std::size_t words = (found.vertices.size() + 63) / 64;
  for (std::size_t i = 0; i < candidates->size(); ++i) {
    bool facet = touching[i].size() >= dimension;
    for (std::size_t k = 0; facet && k < candidates->size(); ++k) facet = !within(i, k);
    if (!facet) continue;
    const Candidate& row = (*candidates)[i];
    rows.push_back(row.bound.get_num());
    for (const Integer& entry : row.normal) rows.emplace_back(-entry * row.bound.get_den());
    incidences_.resize(incidences_.size() + words);
    for (const std::size_t v : touching[i])
      *(incidences_.end() - static_cast<std::ptrdiff_t>(words - v / 64)) |= std::uint64_t{1}
                                                                            << v % 64;
  }
  for (Point& vertex : found.vertices) {
    vertex.insert(vertex.begin(), 1);
    for (Integer& entry : primitive(vertex)) homogeneous_vertices.push_back(std::move(entry));
  }
  rows_ = Integers(std::move(rows));
  homogeneous_vertices_ = Integers(std::move(homogeneous_vertices));
}

Polytope::Polytope(std::size_t dimension, Integers homogeneous_vertices, Integers rows,
                   std::vector<std::uint64_t> incidences)
    : dimension_(dimension),
      homogeneous_vertices_(std::move(homogeneous_vertices)),
      rows_(std::move(rows)),
      incidences_(std::move(incidences)) {
  assert(incidences_.size() == facet_count() * ((vertex_count() + 63) / 64));
}

std::vector<Point> Polytope::vertices() const {
  std::vector<Point> result(vertex_count(), Point(dimension_));
  for (std::size_t v = 0; v < result.size(); ++v)
    for (std::size_t j = 0; j < dimension_; ++j)
      result[v][j] = ratio(homogeneous_vertices_[v * (dimension_ + 1) + j + 1],
                           homogeneous_vertices_[v * (dimension_ + 1)]);
  return result;
}

std::vector<Halfspace> Polytope::halfspaces() const {
  std::vector<Halfspace> result(facet_count(), {std::vector<Rational>(dimension_), 0});
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i].bound = rows_[i * (dimension_ + 1)];
    for (std::size_t j = 0; j < dimension_; ++j)
      result[i].normal[j] = -rows_[i * (dimension_ + 1) + j + 1];
  }
  return result;
}

std::vector<std::vector<std::size_t>> Polytope::facets() const {
  std::vector<std::vector<std::size_t>> result(facet_count());
  for (std::size_t i = 0; i < result.size(); ++i)
    for (std::size_t v = 0; v < vertex_count(); ++v)
      if (incidence(i)[v / 64] >> v % 64 & 1) result[i].push_back(v);
  return result;
}

}  // namespace wmi
