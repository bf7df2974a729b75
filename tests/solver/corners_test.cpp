#include "solver/sums/corners.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "solver/ball.h"
#include "solver/sums/tilted.h"
#include "tests/solver/random_sum.h"

namespace wmi::tests {
namespace {

Rational width(const Interval& value) { return value.upper - value.lower; }

/// Digits of the value itself.
bool has_digits(const Interval& value, int digits) {
  return width(value) <= ten_to(-digits) * value.upper;
}

TEST_CASE("tilted series, with and without corners, hold the closed form") {
  constexpr unsigned seed = 21;
  CAPTURE(seed);
  RandomSum random(seed);
  int found = 0;
  for (int round = 0; round < times(150); ++round) {
    const Widths widths = all_widths[round % std::size(all_widths)];
    const std::vector<Rational> halves =
        random.halves(random.integer(2, widths == Widths::equal ? 20 : 12), widths);
    const Boxes law = boxes_of(halves);
    const Rational x = random.place(sum_of(halves), rough_spread(law));
    CAPTURE(round);
    for (const unsigned order : {0u, 1u}) {
      const Rational expected = exact_tail(law, order, x);
      for (std::size_t groups = 0; groups < std::min<std::size_t>(law.boxes.size(), 4); ++groups) {
        CAPTURE(order);
        CAPTURE(groups);
        Boxes rest = law;
        rest.boxes.erase(rest.boxes.begin(),
                         rest.boxes.begin() + static_cast<std::ptrdiff_t>(groups));
        unsigned k = order;
        for (std::size_t j = 0; j < groups; ++j) k += law.boxes[j].count;
        const long bits = random.integer(4, 50);
        if (!(tail_work(rest, k, 0, bits) < 5000)) continue;
        ++found;
        const Interval value = interval(split_tail(law, groups, order, x, bits));
        CHECK(value.contains(expected));
        // Boxes that are all taken in the series have relative accuracy.
        if (groups == 0 && x >= 0 && expected > 0)
          CHECK(has_digits(value, static_cast<int>(0.3 * static_cast<double>(bits)) - 1));
      }
    }
  }
  CHECK(found > times(150));
}

}  // namespace
}  // namespace wmi::tests
