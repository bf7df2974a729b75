#include "solver/integrators/denominators.h"

#include <doctest/doctest.h>

#include <random>

namespace wmi::tests {
namespace {

/// A positive number of one word or of several, often with common factors.
Integer positive(std::mt19937_64& engine) {
  Integer result = static_cast<unsigned long>(engine() >> engine() % 64) + Integer(1);
  if (engine() % 3 == 0) result *= static_cast<unsigned long>(engine() | 1);
  if (engine() % 4 == 0) result *= 720720;
  return result;
}

TEST_CASE("multiples, quotients and divisors equal those of GMP") {
  std::mt19937_64 engine(1);
  for (int i = 0; i < 5'000; ++i) {
    CAPTURE(i);
    const Integer a = i % 7 == 0 ? Integer(1) : positive(engine),
                  b = i % 5 == 0 ? a : positive(engine);
    Integer multiple = a;
    denominators::set_multiple(multiple, b);
    CHECK(multiple == lcm(a, b));
    Integer quotient;
    denominators::set_quotient(quotient, multiple, b);
    CHECK(quotient * b == multiple);
    const mp_limb_t word = denominators::limb(a), other = denominators::limb(b);
    if (word != 0)
      CHECK(denominators::divisor(word, other) ==
            denominators::limb(gcd(Integer(word), Integer(other))));
  }
}

TEST_CASE("a factor grows beyond a word") {
  std::mt19937_64 engine(2);
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    Integer expected = positive(engine), storage = expected;
    denominators::Factor factor(storage);
    for (int k = 0; k < 5; ++k) {
      const Integer next = positive(engine);
      factor.multiply(next);
      expected *= next;
      Integer found;
      mpz_import(found.get_mpz_t(), factor.size(), -1, sizeof(mp_limb_t), 0, 0, factor.data());
      CHECK(found == expected);
      CHECK((factor.word() == 0 || expected == Integer(factor.word())));
    }
  }
}

}  // namespace
}  // namespace wmi::tests
