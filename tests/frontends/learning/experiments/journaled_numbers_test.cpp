#include "frontends/learning/experiments/journaled_numbers.h"

#include <doctest/doctest.h>

#include "solver/terms/error.h"
#include "tests/temporary_directory.h"

using namespace wmi::frontends;

TEST_CASE("recorded numbers are not computed again") {
  const TemporaryDirectory scratch;
  Conditions conditions;
  conditions.out = scratch.path();
  std::size_t runs = 0;
  const auto task = [&](std::size_t i) {
    if (++runs == 3) throw wmi::Stopped();
    return std::vector<double>{static_cast<double>(i), 0.1 * static_cast<double>(i)};
  };
  CHECK_THROWS_AS(journaled_numbers(conditions, "tenths", "five", 5, 1, task), wmi::Stopped);
  const auto found = journaled_numbers(conditions, "tenths", "five", 5, 1, task);
  CHECK(runs == 6);  // two, the one that was stopped, three
  for (std::size_t i = 0; i < 5; ++i) CHECK(found.at(i) == task(i));
  CHECK_THROWS_AS(journaled_numbers(conditions, "tenths", "six", 6, 1, task), wmi::Error);
}
