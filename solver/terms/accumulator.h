#pragma once

#include <optional>
#include <vector>

#include "solver/terms/interval.h"

namespace wmi {

/// A sum of many intervals that only adds numbers of similar length.
///
/// Adding fractions one by one to a running total takes quadratic time, since the total grows.
/// This is a binary counter instead: digit k is empty or the sum of 2^k intervals.
///
///     Accumulator sum;
///     sum.add(Interval(ratio(1, 3)));
///     sum.add(Interval(0, 1));
///     sum.total();  // [1/3, 4/3]
class Accumulator {
 public:
  void add(Interval value) {
    for (std::optional<Interval>& digit : digits_) {
      if (!digit) {
        digit = std::move(value);
        return;
      }
      value += *digit;
      digit.reset();
    }
    digits_.emplace_back(std::move(value));
  }

  Interval total() const {
    Interval result;
    for (const std::optional<Interval>& digit : digits_)
      if (digit) result += *digit;
    return result;
  }

 private:
  std::vector<std::optional<Interval>> digits_;
};

}  // namespace wmi
