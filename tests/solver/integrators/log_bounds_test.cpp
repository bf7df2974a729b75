#include "solver/integrators/log_bounds.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace wmi::tests {
namespace {

TEST_CASE("bounds on logarithms are on the right side, and close") {
  std::mt19937_64 engine(1);
  for (int i = 0; i < 2'000; ++i) {
    CAPTURE(i);
    Integer number = static_cast<unsigned long>(engine() >> engine() % 64) + Integer(1);
    if (i % 3 == 0) number <<= engine() % 300;
    const double exact = std::log2(number.get_d());
    CHECK(log_bounds::log_above(number) >= exact);
    CHECK(log_bounds::log_above(number) <= exact + 0.3);
    CHECK(log_bounds::log_below(number) <= exact);
    CHECK(log_bounds::log_below(number) >= exact - 0.1);
    CHECK(log_bounds::log_above(number.get_d()) >= exact);
  }
  CHECK(log_bounds::log_above(Integer(0)) == log_bounds::zero);
}

TEST_CASE("the bound on the logarithm of a sum is on the right side") {
  std::mt19937_64 engine(2);
  std::uniform_real_distribution<double> logs(-40, 40);
  for (int i = 0; i < 2'000; ++i) {
    const double a = logs(engine), b = logs(engine);
    CAPTURE(a);
    CAPTURE(b);
    const double exact = std::log2(std::exp2(a) + std::exp2(b));
    CHECK(log_bounds::log_sum(a, b) >= exact);
    CHECK(log_bounds::log_sum(a, b) <= exact + 1);
  }
  CHECK(log_bounds::log_sum(3, log_bounds::zero) == 3);
}

TEST_CASE("a number of 64 bits needs a second word") {
  CHECK(log_bounds::words_for(-5) == 1);
  CHECK(log_bounds::words_for(63.9) == 1);
  CHECK(log_bounds::words_for(64) == 2);
}

}  // namespace
}  // namespace wmi::tests
