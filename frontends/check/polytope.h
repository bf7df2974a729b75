#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "frontends/check/monomials.h"
#include "frontends/check/numbers.h"

namespace wmi::check {

/// The convex hull of points (q, q x), which is claimed to be the region of some rows.
class Polytope {
 public:
  explicit Polytope(std::vector<Vector> points) : points_(std::move(points)) {}

  const std::vector<Vector>& points() const { return points_; }

  /// Throws Rejected unless the hull is the region where no row is above 0, and has volume.
  void check(std::span<const Vector> rows);
  std::size_t faces() const { return faces_.size(); }

  /// Of all monomials, by place; over it, or over the points of it where a row is 0, divided by the
  /// length of the row's gradient. Requires that it was checked, and a row that is nowhere above 0
  /// in it, or nowhere below.
  std::vector<Rational> integrals(const Monomials& monomials, const Vector* row);

 private:
  using Set = std::span<const std::uint64_t>;  // of points: bits
  struct Face {
    std::size_t dimension;
    bool expanded = false;
    std::uint32_t first = 0, last = 0;  // of `facets_`
  };
  struct Integral;
  using Integrals = std::vector<std::unique_ptr<Integral>>;  // by face

  Set set(std::uint32_t face) const { return Set(bits_).subspan(face * words_, words_); }
  std::span<const std::uint32_t> facets(std::uint32_t face) const {
    return std::span(facets_).subspan(faces_[face].first, faces_[face].last - faces_[face].first);
  }
  std::optional<std::uint32_t> find(Set points) const;
  std::uint32_t face(Set points, std::size_t dimension);
  void expand(std::uint32_t face);
  bool check_face(std::uint32_t face);
  const Integral& integral(std::uint32_t face, const Monomials& monomials, Integrals& known);

  std::vector<Vector> points_;
  std::size_t words_ = 0;                 // of a set
  std::vector<std::uint64_t> on_, bits_;  // sets, of each row (points where it is 0) and each face
  std::vector<std::uint32_t> facets_;     // of each face that is expanded
  std::vector<Face> faces_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> numbers_;  // of faces, by a hash
};

}  // namespace wmi::check
