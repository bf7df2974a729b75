#include "solver/integrators/limbs.h"

#include <doctest/doctest.h>

#include <random>
#include <vector>

namespace wmi::tests {
namespace {

TEST_CASE("numbers of a fixed width multiply like integers modulo their width") {
  std::mt19937_64 engine(1);
  const auto random_integer = [&](std::size_t width) {
    Integer result;
    for (std::size_t i = 0; i < width; ++i) {
      const std::uint64_t kind = engine() % 4;
      result <<= 64;
      result += kind == 0 ? 0ul : kind == 1 ? ~0ul : static_cast<unsigned long>(engine());
    }
    mpz_fdiv_q_2exp(result.get_mpz_t(), result.get_mpz_t(), 1);  // leave room for a sign
    return engine() % 2 == 0 ? result : Integer(-result);
  };
  const auto modulo = [](const Integer& value, std::size_t width) {
    Integer result, half = Integer(1) << (64 * width - 1);
    mpz_fdiv_r_2exp(result.get_mpz_t(), Integer(value + half).get_mpz_t(), 64 * width);
    return Integer(result - half);
  };
  const auto load = [](std::vector<limbs::Limb>& number) {
    Integer result;
    limbs::load(result, number.data(), number.size());
    return result;
  };
  for (int i = 0; i < 20'000; ++i) {
    CAPTURE(i);
    const bool large = i % 20 == 0;
    const std::size_t width = 1 + engine() % (large ? 90 : 9);
    const std::size_t size = 1 + engine() % (large ? 60 : 6);
    const std::size_t factor_size = 1 + engine() % (large ? 60 : 4);
    const Integer target = random_integer(width), number = random_integer(size),
                  factor = random_integer(factor_size);
    std::vector<limbs::Limb> to(width), from(size), by(factor_size);
    limbs::store(from.data(), size, number);
    limbs::store(to.data(), width, target);
    limbs::store(by.data(), factor_size, factor);
    limbs::add_signed_product(to.data(), width, from.data(), size, by.data(), factor_size);
    CHECK(load(to) == modulo(target + number * factor, width));

    const Integer positive = abs(factor) + 1;
    limbs::store(to.data(), width, target);
    limbs::add_product(to.data(), width, from.data(), size, mpz_limbs_read(positive.get_mpz_t()),
                       mpz_size(positive.get_mpz_t()));
    CHECK(load(to) == modulo(target + number * positive, width));

    const auto word = static_cast<std::int64_t>(engine()) >> engine() % 64;
    limbs::with_width(width, [&](auto constant) {
      if constexpr (constexpr std::size_t fixed = decltype(constant)::value; fixed > 0) {
        limbs::Limb same[fixed];
        limbs::extend(same, fixed, from.data(), size);
        limbs::store(to.data(), width, target);
        limbs::add_product<fixed>(to.data(), same, word);
        CHECK(load(to) == modulo(target + number * Integer(static_cast<long>(word)), width));
        limbs::store(to.data(), width, target);
        limbs::add_product<fixed>(to.data(), from.data(), size,
                                  mpz_limbs_read(positive.get_mpz_t()),
                                  mpz_size(positive.get_mpz_t()));
        CHECK(load(to) == modulo(target + number * positive, width));
      }
    });
    limbs::store(to.data(), width, target);
    limbs::add_product(to.data(), width, from.data(), size, word);
    CHECK(load(to) == modulo(target + number * Integer(static_cast<long>(word)), width));
  }
}

}  // namespace
}  // namespace wmi::tests
