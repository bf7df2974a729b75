#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "frontends/check/set.h"
#include "frontends/check/vector.h"

namespace wmi::check {

/// The convex hull of points (q, q x), which is shown to be the region of some rows, and its faces.
class Polytope {
 public:
  /// A face is the set of the points that it contains.
  struct Shape {
    std::size_t dimension;
    bool checked = false, listed = false;
    std::vector<std::pair<const Set, Shape>*> facets = {};  // when they are listed
  };
  using Face = std::pair<const Set, Shape>;

  explicit Polytope(std::vector<Vector> points) : points_(std::move(points)) {}

  const std::vector<Vector>& points() const { return points_; }

  /// Throws Rejected unless the hull is the region where no row is above 0, and has volume.
  void check(std::span<const Vector> rows);

  /// The rest requires that it was checked.
  Face& whole() const { return *whole_; }
  const std::vector<Face*>& facets(Face& face);
  std::size_t faces() const { return faces_.size(); }  // that were looked at

 private:
  Face& face(Set points, std::size_t dimension);
  Set not_simple(Face& face);
  std::vector<Face*> check_face(Face& face);

  std::vector<Vector> points_;
  std::vector<Set> rows_;  // the points on each that may be a facet
  std::unordered_map<Set, Shape, Set::Hash> faces_;
  Face* whole_ = nullptr;
};

}  // namespace wmi::check
