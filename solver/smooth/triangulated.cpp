#include "solver/smooth/triangulated.h"

#include <algorithm>
#include <set>

namespace wmi {
namespace {

using Face = std::vector<std::size_t>;  // its vertices, ascending

/// The facets of a face of the polytope: the largest of its intersections with facets of the polytope.
std::vector<Face> facets_of(const Face& face, const std::vector<Face>& facets) {
  std::set<Face> found;
  for (const Face& facet : facets) {
    Face common;
    std::ranges::set_intersection(face, facet, std::back_inserter(common));
    if (!common.empty() && common.size() < face.size()) found.insert(std::move(common));
  }
  std::vector<Face> result;
  for (const Face& candidate : found)
    if (std::ranges::none_of(found, [&](const Face& other) {
          return other.size() > candidate.size() && std::ranges::includes(other, candidate);
        }))
      result.push_back(candidate);
  return result;
}

void triangulate(const Face& face, std::size_t dimension, const std::vector<Face>& facets,
                 Face& apexes, std::vector<std::vector<std::size_t>>& result) {
  if (face.size() == dimension + 1) {
    result.push_back(apexes);
    result.back().insert(result.back().end(), face.begin(), face.end());
    return;
  }
  apexes.push_back(face[0]);
  for (const Face& facet : facets_of(face, facets))
    if (facet[0] != face[0]) triangulate(facet, dimension - 1, facets, apexes, result);
  apexes.pop_back();
}

}  // namespace

std::vector<std::vector<std::size_t>> triangulated(const Polytope& polytope) {
  Face all(polytope.vertex_count());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  std::vector<Face> facets = polytope.facets();
  for (Face& facet : facets) std::ranges::sort(facet);
  std::vector<std::vector<std::size_t>> result;
  Face apexes;
  triangulate(all, polytope.dimension(), facets, apexes, result);
  return result;
}

}  // namespace wmi
