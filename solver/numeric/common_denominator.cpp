#include "solver/numeric/common_denominator.h"

namespace wmi {
namespace {

std::vector<const Rational*> addresses(std::span<const Rational> numbers) {
  std::vector<const Rational*> result;
  result.reserve(numbers.size());
  for (const Rational& number : numbers) result.push_back(&number);
  return result;
}

}  // namespace

CommonDenominator::CommonDenominator(std::span<const Rational* const> numbers)
    : numerators(numbers.size()) {
  fmpz_one(denominator.get());
  Fmpz own;
  for (const Rational* const number : numbers) {
    fmpz_set_mpz(own.get(), number->get_den_mpz_t());
    if (!fmpz_divisible(denominator.get(), own.get()))
      fmpz_lcm(denominator.get(), denominator.get(), own.get());
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    fmpz* const numerator = numerators[i].get();
    fmpz_set_mpz(numerator, numbers[i]->get_num_mpz_t());
    fmpz_set_mpz(own.get(), numbers[i]->get_den_mpz_t());
    if (fmpz_equal(own.get(), denominator.get())) continue;
    fmpz_divexact(own.get(), denominator.get(), own.get());
    fmpz_mul(numerator, numerator, own.get());
  }
}

CommonDenominator::CommonDenominator(std::span<const Rational> numbers)
    : CommonDenominator(std::span<const Rational* const>(addresses(numbers))) {}

/// With numerators n_k and degree d, computes the sum of n_k (f y + c)^k q^(d-k) in place by
/// Horner's rule, and multiplies the denominator by q^d.
void CommonDenominator::compose(const fmpz* f, const fmpz* c, const fmpz* q) {
  const std::size_t size = numerators.size();
  Fmpz power;
  fmpz_one(power.get());
  for (std::size_t k = size; k-- > 0;) {  // entries k, k+1, ... are a polynomial in y
    if (k + 1 == size) continue;
    fmpz_mul(power.get(), power.get(), q);
    fmpz* const row = numerators[k].get();
    fmpz_mul(row, row, power.get());
    fmpz_addmul(row, numerators[k + 1].get(), c);
    for (std::size_t j = k + 1; j < size; ++j) {
      fmpz_mul(numerators[j].get(), numerators[j].get(), f);
      if (j + 1 < size) fmpz_addmul(numerators[j].get(), numerators[j + 1].get(), c);
    }
  }
  fmpz_mul(denominator.get(), denominator.get(), power.get());
}

}  // namespace wmi
