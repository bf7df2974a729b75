#pragma once

#include <optional>
#include <vector>

#include "solver/terms/interval.h"

namespace wmi {

/// A sum of many intervals in which only numbers of like size meet.
///
/// Adding fractions one by one to a running total is quadratic in their number, for the total
/// grows. Here it is a binary counter: place k holds the sum of 2^k of them or nothing.
class Accumulator {
 public:
  void add(Interval value) {
    for (std::optional<Interval>& place : places_) {
      if (!place) {
        place = std::move(value);
        return;
      }
      value += *place;
      place.reset();
    }
    places_.emplace_back(std::move(value));
  }

  Interval total() const {
    Interval result;
    for (const std::optional<Interval>& place : places_)
      if (place) result += *place;
    return result;
  }

 private:
  std::vector<std::optional<Interval>> places_;
};

}  // namespace wmi
