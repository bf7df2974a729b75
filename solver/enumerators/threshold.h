#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "solver/geometry/product_region.h"
#include "solver/terms/rational.h"

namespace wmi {

/// Places that a search leaves open: those with an integral of the weight of at most `least`;
/// without it, all that have a bounded one.
struct Threshold {
  std::optional<Rational> least = {};

  /// Of a bounded region on which the weight is at most `most`. Its volume is only asked for if the
  /// box around it does not tell.
  bool covers(const Rational& most, const ProductRegion& region,
              const std::function<Rational()>& volume) const;
};

/// One search after the other, each for smaller regions: largest regions first, in the memory of
/// one path. A search that finds little more than the one before is no way to go on: then the
/// threshold falls faster, and in the end nothing is left open.
class Narrowing {
 public:
  /// Of the next search; nothing if that is to leave nothing open. The first one leaves open all
  /// that is bounded.
  const std::optional<Threshold>& threshold() const { return threshold_; }

  /// After a search that had a threshold, came to so many cells and left at most that much open.
  void lower(std::size_t cells, const Rational& left_open);

 private:
  std::optional<Threshold> threshold_ = Threshold{};
  unsigned shift_ = 4;
  std::size_t cells_ = 0;  // of the last search
};

}  // namespace wmi
