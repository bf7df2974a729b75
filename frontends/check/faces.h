#pragma once

#include <map>
#include <vector>

#include "frontends/check/set.h"

namespace wmi::check {

/// The faces of the convex hull of some points, which is checked to be the region of some rows.
class Faces {
 public:
  /// The properties of a face.
  struct Shape {
    std::size_t dimension;
    bool checked = false, listed = false;
    std::vector<std::pair<const Set, Shape>*> facets = {};  // if listed
  };
  /// A face is the set of the points that it contains.
  using Face = std::pair<const Set, Shape>;

  /// Of so many points in so many dimensions, at which all rows are <= 0; `rows` has the points on
  /// each row. Throws Rejected unless the hull is the region of the rows, and has volume.
  Faces(std::size_t dimension, std::size_t points, const std::vector<Set>& rows);

  Face& whole() const { return *whole_; }
  const std::vector<Face*>& facets(Face& face);

 private:
  Face& face(const Set& points, std::size_t dimension);
  Set not_simple(Face& face);
  void check(Face& face);

  std::vector<Set> rows_;  // those that may be facets
  std::map<Set, Shape> faces_;
  Face* whole_;
};

}  // namespace wmi::check
