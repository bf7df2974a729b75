#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/geometry/enclosed_polytope.h"

namespace wmi {

/// Error bounds of doubles that are rounded to nearest.
namespace error_bounds {

inline constexpr double unit = 0x1p-53;            // relative error of an operation
inline constexpr double slack = 1 + 0x1p-30;       // covers the rounding of a bound
inline constexpr double least_square = 0x1p-1000;  // of a length, so that squares may underflow

}  // namespace error_bounds

/// The vertices of a polytope after an affine map that preserves volumes up to a power of two and
/// makes the polytope about as wide in all directions, from -1 to 1 in each coordinate.
class MappedVertices {
 public:
  /// Takes the vertices in this order. False if a number leaves the range of doubles.
  bool assign(const EnclosedPolytope& region, std::span<const std::uint32_t> order);

  const double* point(std::size_t v) const { return &points_[v * dimension_]; }
  /// A bound on the length of its error.
  double radius(std::size_t v) const { return radii_[v]; }
  /// The computed distance of two points, at least 2^-500. Requires u < v.
  double distance(std::size_t u, std::size_t v) const { return distances_[u * count_ + v]; }
  /// The volume of the polytope is 2^exponent times that of the mapped one.
  int exponent() const { return exponent_; }

 private:
  double* column(std::size_t j) { return &columns_[j * count_]; }
  double* error(std::size_t j) { return &errors_[j * count_]; }

  bool read(const EnclosedPolytope& region, std::span<const std::uint32_t> order);
  void eliminate(std::size_t i);
  bool scale();
  void measure_distances();

  std::size_t dimension_ = 0;
  std::size_t count_ = 0;
  int exponent_ = 0;
  std::vector<double> columns_, errors_;  // by coordinate and vertex
  std::vector<double> points_;            // by vertex and coordinate
  std::vector<double> radii_;             // by vertex
  std::vector<double> distances_;         // by two vertices
};

}  // namespace wmi
