#include "solver/numeric/function_range.h"

#include <doctest/doctest.h>

#include "solver/numeric/smooth_functions.h"

namespace wmi {
namespace {

TEST_CASE("the range on an interval contains the values at many of its points") {
  for (const FunctionEntry& entry : functions())
    for (const Interval& argument :
         {Interval(ratio(1, 3), 2), Interval(-3, ratio(-1, 2)), Interval(-1, 4)}) {
      CAPTURE(entry.name);
      const std::optional<Interval> found = range(entry.function, argument);
      const bool inside = entry.function != Function::log && entry.function != Function::sqrt &&
                          entry.function != Function::reciprocal;
      const bool partly = entry.function == Function::reciprocal && !argument.contains(0);
      REQUIRE(found.has_value() == (inside || partly || argument.lower > 0));
      if (!found) continue;
      for (int i = 0; i <= 20; ++i) {
        const Rational at = argument.lower + (argument.upper - argument.lower) * ratio(i, 20);
        Ball value = ball(at, 60);
        evaluate(value, entry.function, value, 60);
        const Interval there = interval(value);
        CHECK(found->lower <= there.upper);
        CHECK(there.lower <= found->upper);
      }
      if (const std::optional<Interval> all = everywhere(entry.function)) {
        CHECK(all->lower <= found->lower);
        CHECK(found->upper <= all->upper);
      }
    }
}

TEST_CASE("a value too large to write down is no range") {
  CHECK_FALSE(range(Function::exp, Interval(0, 1'000'000'000)));
  CHECK(range(Function::exp, Interval(-1'000'000, 0))->lower >= 0);
}

}  // namespace
}  // namespace wmi
