#include "frontends/check/numbers.h"

#include <algorithm>

namespace wmi::check {
namespace {

__extension__ using Wide = __int128;
constexpr std::int64_t limit = std::int64_t{1} << 60;
constexpr std::size_t most_words = 32;  // so many products of such words fit a wide one

/// (a b - c d) / e, without a remainder. False if it does not fit.
bool reduce(Wide& a, Wide b, Wide c, Wide d, Wide e) {
  if (__builtin_mul_overflow(a, b, &a) || __builtin_mul_overflow(c, d, &c) ||
      __builtin_sub_overflow(a, c, &a))
    return false;
  a /= e;
  return true;
}

bool reduce(Integer& a, const Integer& b, const Integer& c, const Integer& d, const Integer& e) {
  a *= b;
  mpz_submul(a.get_mpz_t(), c.get_mpz_t(), d.get_mpz_t());
  mpz_divexact(a.get_mpz_t(), a.get_mpz_t(), e.get_mpz_t());
  return true;
}

/// Bareiss's elimination; the determinant is then in the last place. False if a number does not
/// fit.
template <class Number>
bool eliminate(std::vector<Number>& m, std::size_t size) {
  Number previous = 1;
  for (std::size_t k = 0; k + 1 < size; ++k) {
    std::size_t pivot = k;
    while (pivot < size && m[pivot * size + k] == 0) ++pivot;
    if (pivot == size) {
      m.back() = 0;
      return true;
    }
    for (std::size_t j = 0; j < size && pivot != k; ++j) {  // with the sign of an exchange
      std::swap(m[pivot * size + j], m[k * size + j]);
      m[k * size + j] = -m[k * size + j];
    }
    for (std::size_t i = k + 1; i < size; ++i)
      for (std::size_t j = k + 1; j < size; ++j)
        if (!reduce(m[i * size + j], m[k * size + k], m[i * size + k], m[k * size + j], previous))
          return false;
    previous = m[k * size + k];
  }
  return true;
}

Integer integer(Wide value) {
  Integer result = static_cast<long>(value >> 64);
  result <<= 64;
  return result + static_cast<unsigned long>(value);
}

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
  const std::span<const std::int64_t> x = a.words(), y = b.words();
  if (!x.empty() && !y.empty()) {
    Wide sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) sum += static_cast<Wide>(x[j]) * y[j];
    return sum > 0 ? 1 : sum < 0 ? -1 : 0;
  }
  Integer sum;
  for (std::size_t j = 0; j < a.size(); ++j)
    mpz_addmul(sum.get_mpz_t(), a[j].get_mpz_t(), b[j].get_mpz_t());
  return sgn(sum);
}

Integer determinant(std::span<const Vector* const> rows, std::size_t omitted) {
  std::vector<Wide> small;
  std::vector<Integer> large;
  const bool fits = std::none_of(rows.begin(), rows.end(),
                                 [](const Vector* row) { return row->words().empty(); });
  for (const Vector* row : rows)
    for (std::size_t j = 0; fits && j < row->size(); ++j)
      if (j != omitted) small.push_back(row->words()[j]);
  if (fits && eliminate(small, rows.size())) return integer(small.back());
  for (const Vector* row : rows)
    for (std::size_t j = 0; j < row->size(); ++j)
      if (j != omitted) large.push_back((*row)[j]);
  eliminate(large, rows.size());
  return large.back();
}

}  // namespace wmi::check
