// Shears y_j -> y_j - t y_i preserve volumes exactly if t is a double. Choosing them by Gaussian
// elimination with complete pivoting, one row for each vertex, makes directions in which the
// polytope is thin coordinates, which are then scaled by powers of two. The image has a simplex
// of volume 1/n! at least, up to rounding, so it is not thin.
//
// Errors: with u = 2^-53 and |y_j' - y_j| <= r_j, the computed p' = t y_i' is off by t r_i from
// the errors of y_i and by u |p'| from rounding, and the difference d' = y_j' - p' by r_j more and
// by u |d'| from rounding. Bounds themselves are sums of products of positive numbers, computed
// to much better than 2^-30 of their size. Underflows add less than 2^-1070 to a coordinate or
// bound, 2^-570 after scaling, and radii are at least 2^-500: the slack covers it.

#include "solver/integrators/mapped_vertices.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wmi {

using namespace error_bounds;

bool MappedVertices::assign(const EnclosedPolytope &region, std::span<const std::uint32_t> order) {
  dimension_ = region.dimension;
  count_ = order.size();
  if (!read(region, order)) return false;
  for (std::size_t i = 0; i + 1 < dimension_; ++i) eliminate(i);
  if (!scale()) return false;
  measure_distances();
  return true;
}

/// Moves the first vertex to the origin.
bool MappedVertices::read(const EnclosedPolytope &region, std::span<const std::uint32_t> order) {
  constexpr double largest = 0x1p30;
  columns_.resize(dimension_ * count_);
  errors_.resize(dimension_ * count_);
  const std::span<const double> origin = region.vertex(order[0]);
  bool valid = true;
  for (std::size_t v = 0; v < count_; ++v) {
    const std::span<const double> vertex = region.vertex(order[v]);
    const double radius = region.radii[order[v]];
    valid &= radius >= 0 && radius <= largest;
    for (std::size_t j = 0; j < dimension_; ++j) {
      valid &= std::abs(vertex[j]) <= largest;
      const double difference = vertex[j] - origin[j];
      column(j)[v] = difference;
      error(j)[v] = radius + unit * std::abs(difference);
    }
  }
  return valid;
}

/// Makes the widest of the coordinates from the i-th on the i-th, and shears the others such that
/// the vertex at that width has only zeros in them.
void MappedVertices::eliminate(std::size_t i) {
  double widest = 0;
  std::size_t row = i, pivot = 0;
  for (std::size_t j = i; j < dimension_; ++j)
    for (std::size_t v = 0; v < count_; ++v)
      if (const double size = std::abs(column(j)[v]); size > widest) {
        widest = size;
        row = j;
        pivot = v;
      }
  if (widest == 0) return;
  if (row != i) {
    std::swap_ranges(column(i), column(i) + count_, column(row));
    std::swap_ranges(error(i), error(i) + count_, error(row));
  }
  const double *const source = column(i), *const source_error = error(i);
  for (std::size_t j = i + 1; j < dimension_; ++j) {
    double *const target = column(j), *const target_error = error(j);
    const double factor = target[pivot] / source[pivot];
    for (std::size_t v = 0; v < count_; ++v) {
      const double product = factor * source[v];
      const double difference = target[v] - product;
      target_error[v] +=
          std::abs(factor) * source_error[v] + unit * (std::abs(product) + std::abs(difference));
      target[v] = difference;
    }
  }
}

bool MappedVertices::scale() {
  points_.resize(dimension_ * count_);
  radii_.assign(count_, least_square);
  exponent_ = 0;
  for (std::size_t j = 0; j < dimension_; ++j) {
    double *const coordinates = column(j), *const errors = error(j);
    double extent = 0;
    for (std::size_t v = 0; v < count_; ++v)
      extent = std::max(extent, std::abs(coordinates[v]) + errors[v]);
    if (!(extent > 0x1p-500)) return false;
    int exponent = 0;
    std::frexp(extent, &exponent);
    exponent_ += exponent;
    const double factor = std::ldexp(1.0, -exponent);
    for (std::size_t v = 0; v < count_; ++v) {
      coordinates[v] *= factor;
      points_[v * dimension_ + j] = coordinates[v];
      const double radius = errors[v] * factor;
      radii_[v] += radius * radius;
    }
  }
  for (double &radius : radii_) radius = std::sqrt(radius) * slack;
  return true;
}

void MappedVertices::measure_distances() {
  distances_.resize(count_ * count_);
  for (std::size_t u = 0; u < count_; ++u) {
    double *const row = &distances_[u * count_];
    for (std::size_t v = u + 1; v < count_; ++v) row[v] = least_square;
    for (std::size_t j = 0; j < dimension_; ++j) {
      const double *const coordinates = column(j);
      const double own = coordinates[u];
      for (std::size_t v = u + 1; v < count_; ++v) {
        const double difference = coordinates[v] - own;
        row[v] += difference * difference;
      }
    }
    for (std::size_t v = u + 1; v < count_; ++v) row[v] = std::sqrt(row[v]);
  }
}

}  // namespace wmi
