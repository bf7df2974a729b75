// A polyhedron without lines, with n facets at each vertex, is a signed sum of cones (Lawrence 1991,
// Varchenko 1987). Let c be a direction that increases in all directions in which the region is
// unbounded, and is constant along no edge. At a vertex, replace each facet's halfspace by its
// complement if c decreases along the edge that leaves the facet; with k of them replaced, the cone
// counts (-1)^k. Up to a set of measure 0, the indicator functions add up to that of the region.
//
// A cone with n facets has the mass of an orthant, under the joint normal law of the distances from
// them: for n <= 3 an integral in one dimension (normal_orthant.h), however wide the region is. Where
// it is narrow, the masses of the cones cancel, and other integrators are better.

#include "solver/smooth/normal_cones.h"

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

#include "solver/numeric/reals.h"
#include "solver/smooth/normal_orthant.h"
#include "solver/smooth/stop_scope.h"

namespace wmi {
namespace {

using Matrix = std::vector<std::vector<Rational>>;

Rational dot(const Point& a, const Point& b) {
  Rational result = 0;
  for (std::size_t i = 0; i < a.size(); ++i) result += a[i] * b[i];
  return result;
}

/// The mass of the orthant under this law is that of a cone.
struct Cone {
  std::vector<Rational> mean, covariance;
  bool negative = false;

  /// Bits that are lost where the normals, in deviations, are nearly dependent.
  slong guard_bits(const Rational& determinant) const {
    Rational product = 1;
    const std::size_t n = mean.size();
    for (std::size_t i = 0; i < n; ++i) product *= covariance[i * n + i];
    const Rational independence = determinant / product;  // 1 minus what they share
    return static_cast<slong>(mpz_sizeinbase(independence.get_den_mpz_t(), 2)) -
           static_cast<slong>(mpz_sizeinbase(independence.get_num_mpz_t(), 2)) + 1;
  }
};

struct Vertex {
  Point point;
  std::vector<std::size_t> facets;  // n of them
  std::vector<Point> edges;         // edges[i] leaves facets[i] and stays in the others
  Rational square;                  // of the determinant of the facets' normals
};

/// The point on n facets and the edges from it; nullopt if their normals are not independent.
std::optional<Vertex> meeting_of(const std::vector<Halfspace>& facets,
                                 const std::vector<std::size_t>& chosen) {
  const std::size_t n = chosen.size();
  Matrix rest, inverse(n, std::vector<Rational>(n));
  Rational determinant = 1;  // up to its sign
  for (std::size_t i = 0; i < n; ++i) {
    rest.push_back(facets[chosen[i]].normal);
    inverse[i][i] = 1;
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t row = k;
    while (row < n && rest[row][k] == 0) ++row;
    if (row == n) return std::nullopt;
    std::swap(rest[row], rest[k]);
    std::swap(inverse[row], inverse[k]);
    const Rational pivot = rest[k][k];
    determinant *= pivot;
    for (std::size_t i = 0; i < n; ++i) {
      rest[k][i] /= pivot;
      inverse[k][i] /= pivot;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const Rational factor = rest[i][k];
      for (std::size_t j = 0; j < n; ++j) {
        rest[i][j] -= factor * rest[k][j];
        inverse[i][j] -= factor * inverse[k][j];
      }
    }
  }
  Vertex result{Point(n), chosen, std::vector<Point>(n, Point(n)), determinant * determinant};
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i) {
      result.point[k] += inverse[k][i] * facets[chosen[i]].bound;
      result.edges[i][k] = -inverse[k][i];
    }
  return result;
}

/// nullopt if more than n facets meet somewhere, or there are too many.
std::optional<std::vector<Vertex>> simple_vertices(const std::vector<Halfspace>& facets,
                                                   std::size_t n) {
  constexpr std::size_t most_facets = 12;
  if (facets.size() < n || facets.size() > most_facets) return std::nullopt;
  std::vector<Vertex> result;
  for (unsigned set = 0; set < 1U << facets.size(); ++set) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < facets.size(); ++i)
      if (set >> i & 1U) chosen.push_back(i);
    if (chosen.size() != n) continue;
    std::optional<Vertex> vertex = meeting_of(facets, chosen);
    if (!vertex) continue;
    std::size_t tight = 0;
    bool outside = false;
    for (const Halfspace& facet : facets) {
      const Rational value = dot(facet.normal, vertex->point);
      outside = outside || value > facet.bound;
      if (value == facet.bound) ++tight;
    }
    if (outside) continue;
    if (tight > n) return std::nullopt;
    result.push_back(*std::move(vertex));
  }
  return result;
}

/// A sum of inward normals: it increases in all directions in which the region is unbounded.
std::optional<Point> sweep_direction(const std::vector<Halfspace>& facets,
                                     const std::vector<Vertex>& vertices, std::size_t n) {
  for (unsigned attempt = 0; attempt < 8; ++attempt) {
    Point result(n);
    for (std::size_t i = 0; i < facets.size(); ++i) {
      Rational size = 0;
      for (const Rational& entry : facets[i].normal) size += abs(entry);
      const Rational weight =
          (1 + ratio(static_cast<long>((attempt + 1) * (i * i + i)), 64)) / size;
      for (std::size_t k = 0; k < n; ++k) result[k] -= weight * facets[i].normal[k];
    }
    bool constant = false;
    for (const Vertex& vertex : vertices)
      for (const Point& edge : vertex.edges) constant = constant || dot(result, edge) == 0;
    if (!constant) return result;
  }
  return std::nullopt;
}

/// Whether the region is unbounded, or some vertex is far from another one in deviations.
bool wide(const NormalLaw& law, const ConvexRegion& region, const std::vector<Vertex>& vertices) {
  if (!region.polytope) return true;
  const Rational far = 25;
  for (const Vertex& vertex : vertices) {
    Point apart = vertex.point;
    for (std::size_t i = 0; i < apart.size(); ++i) apart[i] -= vertices[0].point[i];
    Rational square = 0;
    for (std::size_t i = 0; i < apart.size(); ++i)
      square += apart[i] * dot(law.precision[i], apart);
    if (square > far) return true;
  }
  return false;
}

}  // namespace

std::optional<Ball> integrate_normal_cones(const NormalLaw& law, const ConvexRegion& region,
                                           unsigned digits) {
  constexpr std::size_t least_dimension = 2, most_dimension = 3;
  const std::size_t n = region.dimension;
  if (n < least_dimension || n > most_dimension || region.line()) return std::nullopt;
  const std::vector<Halfspace> facets = region.facets();
  const auto vertices = simple_vertices(facets, n);
  if (!vertices || vertices->empty() || !wide(law, region, *vertices)) return std::nullopt;
  const auto direction = sweep_direction(facets, *vertices, n);
  if (!direction) return std::nullopt;

  std::vector<Cone> cones;
  slong guard = 0;
  for (const Vertex& vertex : *vertices) {
    Cone& cone = cones.emplace_back();
    std::vector<Point> inward;  // the distances are inward . x + a constant
    for (std::size_t i = 0; i < n; ++i) {
      const Halfspace& facet = facets[vertex.facets[i]];
      const bool replaced = dot(*direction, vertex.edges[i]) < 0;
      cone.negative ^= replaced;
      const Rational sign = replaced ? 1 : -1;
      Point normal = facet.normal;
      for (Rational& entry : normal) entry *= sign;
      cone.mean.emplace_back(dot(normal, law.mean) - sign * facet.bound);
      inward.push_back(std::move(normal));
    }
    for (const Point& a : inward)
      for (const Point& b : inward) {
        Rational& entry = cone.covariance.emplace_back(0);
        for (std::size_t k = 0; k < n; ++k) entry += a[k] * dot(law.covariance[k], b);
      }
    guard = std::max(guard, cone.guard_bits(law.determinant * vertex.square));
  }
  constexpr slong most_guard_bits = 1000;
  if (guard > most_guard_bits) return std::nullopt;
  const slong first = bits_of(digits) + 16;
  // Most often what is many deviations from the mean does not count; in a far tail nothing else does.
  struct Attempt {
    slong wanted;
    std::optional<slong> negligible;
  };
  for (const auto& [wanted, negligible] : std::initializer_list<Attempt>{
           {first, 4 * first}, {first, {}}, {2 * first, {}}, {4 * first, {}}}) {
    const slong bits = wanted + guard;
    const Reals r{bits};
    Ball sum;
    for (const Cone& cone : cones) {
      if (StopScope::stopped()) return std::nullopt;
      const Ball mass = normal_orthant(cone.mean, cone.covariance, bits, negligible);
      sum = cone.negative ? r.difference(sum, mass) : r.sum(sum, mass);
    }
    if (!has_digits(sum, digits)) continue;
    Ball whole = r.root(r(law.determinant));
    for (std::size_t i = 0; i < n; ++i) whole = r.product(whole, r.root(r.product(r(2), r.pi())));
    return r.product(r.product(sum, whole), r.exp(r(law.greatest)));
  }
  return std::nullopt;
}

}  // namespace wmi
