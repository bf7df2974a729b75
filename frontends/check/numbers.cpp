#include "frontends/check/numbers.h"

namespace wmi::check {
namespace {

__extension__ using Wide = __int128;
constexpr std::int64_t limit = std::int64_t{1} << 60;
constexpr std::size_t most_words = 32;  // so many products of such words fit a wide one

}  // namespace

Vector::Vector(std::vector<Integer> entries) : entries_(std::move(entries)) {
  if (entries_.size() > most_words) return;
  for (const Integer& entry : entries_) {
    if (entry >= limit || entry <= -limit) {
      words_.clear();
      return;
    }
    words_.push_back(entry.get_si());
  }
}

int sign_of_product(const Vector& a, const Vector& b) {
  if (!a.words_.empty() && !b.words_.empty()) {
    Wide sum = 0;
    for (std::size_t j = 0; j < a.words_.size(); ++j)
      sum += static_cast<Wide>(a.words_[j]) * b.words_[j];
    return sum > 0 ? 1 : sum < 0 ? -1 : 0;
  }
  Integer sum;
  for (std::size_t j = 0; j < a.size(); ++j)
    mpz_addmul(sum.get_mpz_t(), a[j].get_mpz_t(), b[j].get_mpz_t());
  return sgn(sum);
}

}  // namespace wmi::check
