#include "solver/simplices.h"

#include <algorithm>

#include "solver/error.h"

namespace wmi {
namespace {

using Face = std::vector<std::uint32_t>;  // its vertices, ascending

bool includes(const Face& whole, const Face& part) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

/// The facets of a face: the largest of its intersections with the facets of the polytope.
std::vector<Face> facets_of(const Face& face, const std::vector<Face>& facets) {
  std::vector<Face> result;
  for (const Face& facet : facets) {
    Face common;
    std::set_intersection(face.begin(), face.end(), facet.begin(), facet.end(),
                          std::back_inserter(common));
    if (common.empty() || common.size() == face.size()) continue;
    if (std::any_of(result.begin(), result.end(),
                    [&](const Face& other) { return includes(other, common); }))
      continue;
    std::erase_if(result, [&](const Face& other) { return includes(common, other); });
    result.push_back(std::move(common));
  }
  return result;
}

class Pulling {
 public:
  Pulling(std::vector<Face>& result, std::size_t most) : result_(result), most_(most) {}

  /// Dimensions are few, so it recurses.
  void pull(const Face& face, const std::vector<Face>& facets, std::size_t dimension) {
    if (face.size() == dimension + 1) {
      if (result_.size() == most_)
        throw GaveUp("a cell has more than " + std::to_string(most_) + " simplices");
      Face simplex = apexes_;
      simplex.insert(simplex.end(), face.begin(), face.end());
      std::sort(simplex.begin(), simplex.end());
      result_.push_back(std::move(simplex));
      return;
    }
    const std::vector<Face> sides = facets_of(face, facets);
    apexes_.push_back(face[0]);
    for (const Face& side : sides)
      if (side[0] != face[0]) pull(side, sides, dimension - 1);
    apexes_.pop_back();
  }

 private:
  std::vector<Face>& result_;
  std::size_t most_;
  Face apexes_;
};

}  // namespace

std::vector<Face> simplices(const Polytope& polytope, std::size_t most) {
  std::vector<Face> facets;
  for (const std::vector<std::size_t>& facet : polytope.facets())
    facets.emplace_back(facet.begin(), facet.end());
  Face all(polytope.vertex_count());
  for (std::uint32_t v = 0; v < all.size(); ++v) all[v] = v;
  std::vector<Face> result;
  Pulling(result, most).pull(all, facets, polytope.dimension());
  return result;
}

}  // namespace wmi
