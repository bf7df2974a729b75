#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/geometry/polytope.h"
#include "solver/integrators/denominators.h"
#include "solver/integrators/limbs.h"
#include "solver/integrators/log_bounds.h"

namespace wmi::face_lattice {

using limbs::Limb;

/// The coordinates p of a vertex (q, p), as words or as numbers of a common width.
struct VertexCoordinates {
  const std::int64_t* words;
  const Limb* large;
  std::size_t large_width;

  /// target += p_j * number, both of the same width.
  template <std::size_t fixed>
  void add_product(Limb* target, const Limb* number, std::size_t width, std::size_t j) const {
    if (words == nullptr)
      limbs::add_signed_product(target, width, number, width, large + j * large_width, large_width);
    else if constexpr (fixed == 0)
      limbs::add_product(target, width, number, width, words[j]);
    else
      limbs::add_product<fixed>(target, number, words[j]);
  }
};

/// The vertices (q, p) of a region, with bounds on their logarithms.
struct FaceVertices {
  std::vector<Integer> denominators;     // q
  std::vector<double> denominator_logs;  // lower bounds on log q
  std::vector<double> lengths;           // upper bounds on log(|p_1| + ... + |p_n|)
  std::vector<double> sizes;             // likewise with p/q

  /// The region must outlive the use of `coordinates`.
  void read(const Polytope& region) {
    using namespace log_bounds;
    dimension_ = region.dimension();
    corners_ = &region.homogeneous_vertices();
    const std::size_t count = region.vertex_count();
    denominators.resize(count);
    denominator_logs.resize(count);
    lengths.resize(count);
    sizes.resize(count);
    for (std::size_t v = 0; v < count; ++v) {
      const std::size_t first = v * (dimension_ + 1);
      if (corners_->small()) {
        const std::span<const std::int64_t> corner = corners_->words().subspan(first);
        denominators[v] = static_cast<long>(corner[0]);
        double size = 0;
        for (std::size_t j = 1; j <= dimension_; ++j)
          size += std::abs(static_cast<double>(corner[j]));
        lengths[v] = size == 0 ? zero : log_above(size);
      } else {
        const std::span<const Integer> corner = corners_->large().subspan(first);
        denominators[v] = corner[0];
        Integer size;
        for (std::size_t j = 1; j <= dimension_; ++j) size += abs(corner[j]);
        lengths[v] = size == 0 ? zero : log_above(size);
      }
      denominator_logs[v] = log_below(denominators[v]);
      sizes[v] = lengths[v] - denominator_logs[v];
    }
    if (!corners_->small()) store_large();
  }

  VertexCoordinates coordinates(std::size_t v) const {
    const std::size_t first = v * (dimension_ + 1) + 1;
    if (corners_->small()) return {corners_->words().data() + first, nullptr, 0};
    return {nullptr, large_corners_.data() + first * corner_width_, corner_width_};
  }

 private:
  void store_large() {
    corner_width_ = 1;
    for (const Integer& entry : corners_->large())
      corner_width_ = std::max(corner_width_, wmi::denominators::size(entry) + 1);
    large_corners_.resize(corner_width_ * corners_->size());
    for (std::size_t i = 0; i < corners_->size(); ++i)
      limbs::store(&large_corners_[i * corner_width_], corner_width_, corners_->large()[i]);
  }

  std::size_t dimension_ = 0;
  const Integers* corners_ = nullptr;
  std::size_t corner_width_ = 0;
  std::vector<Limb> large_corners_;
};

}  // namespace wmi::face_lattice
