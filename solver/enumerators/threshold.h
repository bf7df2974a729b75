#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "solver/geometry/product_region.h"
#include "solver/terms/rational.h"

namespace wmi {

/// Which regions a search leaves open: those whose integral of the weight is at most `least`; without
/// it, all on which that integral is bounded.
struct Threshold {
  std::optional<Rational> least = {};

  /// For a bounded region on which the weight is at most `most`. The volume is computed only if the
  /// bounding box does not decide.
  bool covers(const Rational& most, const ProductRegion& region,
              const std::function<Rational()>& volume) const;
};

/// The thresholds of successive searches: the largest regions are searched first, in the memory of
/// one path. After a search that found few more cells than the one before, the threshold falls
/// faster; in the end nothing is left open.
class Narrowing {
 public:
  /// Of the next search; nullopt if it leaves nothing open. The first search leaves open every
  /// bounded region.
  const std::optional<Threshold>& threshold() const { return threshold_; }

  /// After a search with a threshold that found so many cells and left at most this weight open.
  void lower(std::size_t cells, const Rational& left_open);

 private:
  std::optional<Threshold> threshold_ = Threshold{};
  unsigned shift_ = 4;
  std::size_t cells_ = 0;  // of the last search
};

}  // namespace wmi
