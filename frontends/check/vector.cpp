#include "frontends/check/vector.h"

#include <algorithm>

namespace wmi::check {
namespace {

__extension__ using Wide = __int128;
constexpr std::size_t small_bits = 60, most_words = 32;  // so many products fit a wide word

}  // namespace

Vector::Vector(std::vector<Integer> entries) : entries_(std::move(entries)) {
  const auto small = [](const Integer& x) {
    return mpz_sizeinbase(x.get_mpz_t(), 2) <= small_bits;
  };
  if (size() <= most_words && std::ranges::all_of(entries_, small))
    for (const Integer& entry : entries_) words_.push_back(entry.get_si());
}

Integer product(const Vector& a, const Vector& b) {
  Integer sum;
  for (std::size_t j = 0; j < a.size(); ++j)
    mpz_addmul(sum.get_mpz_t(), a[j].get_mpz_t(), b[j].get_mpz_t());
  return sum;
}

int sign_of_product(const Vector& a, const Vector& b) {
  if (a.words_.empty() || b.words_.empty()) return sgn(product(a, b));
  Wide sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += static_cast<Wide>(a.words_[j]) * b.words_[j];
  return sum > 0 ? 1 : sum < 0 ? -1 : 0;
}

}  // namespace wmi::check
