#include "solver/integrators/checked_integers.h"

#include <doctest/doctest.h>

#include <random>

namespace wmi::tests {
namespace {

using namespace checked_integers;

/// Compares a result with the same computation in GMP's integers. Returns false on Overflow.
template <class Whole, class Compute>
bool agrees(Compute&& compute, const Integer& expected) {
  try {
    Whole found{};
    assign(found, compute());
    CHECK(to_integer(found) == expected);
    return true;
  } catch (const Overflow&) {
    CHECK(abs(expected) >= Integer(1) << (sizeof(Whole) == 8 ? 62 : 120));
    return false;
  }
}

template <class Whole>
void check_arithmetic(unsigned bits) {
  std::mt19937_64 engine(bits);
  int overflows = 0;
  for (int i = 0; i < 3'000; ++i) {
    CAPTURE(i);
    const auto number = [&] { return static_cast<std::int64_t>(engine() << 1) >> (64 - bits); };
    const Whole a = number(), b = number(), c = number(), d = number();
    const Integer w = to_integer(a), x = to_integer(b), y = to_integer(c), z = to_integer(d);
    overflows += !agrees<Whole>([&] { return product(a, b); }, w * x);
    overflows += !agrees<Whole>([&] { return minor(a, b, c, d); }, w * z - x * y);
    CHECK(abs(to_integer(divisor(a, b))) == gcd(w, x));
  }
  CHECK((overflows > 0) == (sizeof(Whole) == 8 && bits > 32));
}

TEST_CASE("words and pairs of words are exact or overflow") {
  check_arithmetic<std::int64_t>(20);
  check_arithmetic<std::int64_t>(50);
  check_arithmetic<DoubleWord>(50);
}

TEST_CASE("large numbers survive reading and writing") {
  const Integers large(std::vector<Integer>{Integer(1) << 100, -3});
  std::vector<Integer> numbers;
  read(large, numbers);
  CHECK(write(numbers) == large);
  std::vector<std::int64_t> words;
  CHECK_THROWS_AS(read(large, words), Overflow);
  CHECK(to_integer(-(DoubleWord{1} << 100)) == -(Integer(1) << 100));
}

}  // namespace
}  // namespace wmi::tests
