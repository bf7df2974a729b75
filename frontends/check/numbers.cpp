#include "frontends/check/numbers.h"

#include <algorithm>

namespace wmi::check {
namespace {

__extension__ using Wide = __int128;
constexpr std::int64_t limit = std::int64_t{1} << 60;
constexpr std::size_t most_words = 32;  // so many products of such words fit a wide one

bool multiply(Wide& target, Wide by) { return !__builtin_mul_overflow(target, by, &target); }

/// Bareiss's elimination, in which every division leaves no remainder. False if a number does not
/// fit; else the determinant is in the last place.
bool eliminate(std::vector<Wide>& m, std::size_t size, bool& negative) {
  Wide previous = 1;
  for (std::size_t k = 0; k + 1 < size; ++k) {
    std::size_t pivot = k;
    while (pivot < size && m[pivot * size + k] == 0) ++pivot;
    if (pivot == size) {
      m.back() = 0;
      return true;
    }
    if (pivot != k) {
      std::swap_ranges(&m[pivot * size], &m[pivot * size] + size, &m[k * size]);
      negative = !negative;
    }
    for (std::size_t i = k + 1; i < size; ++i)
      for (std::size_t j = k + 1; j < size; ++j) {
        Wide gain = m[i * size + j], loss = m[i * size + k];
        if (!multiply(gain, m[k * size + k]) || !multiply(loss, m[k * size + j]) ||
            __builtin_sub_overflow(gain, loss, &gain))
          return false;
        m[i * size + j] = gain / previous;
      }
    previous = m[k * size + k];
  }
  return true;
}

Integer eliminate(std::vector<Integer>& m, std::size_t size, bool& negative) {
  Integer previous = 1;
  for (std::size_t k = 0; k + 1 < size; ++k) {
    std::size_t pivot = k;
    while (pivot < size && m[pivot * size + k] == 0) ++pivot;
    if (pivot == size) return 0;
    if (pivot != k) {
      for (std::size_t j = 0; j < size; ++j) swap(m[pivot * size + j], m[k * size + j]);
      negative = !negative;
    }
    for (std::size_t i = k + 1; i < size; ++i)
      for (std::size_t j = k + 1; j < size; ++j) {
        Integer& entry = m[i * size + j];
        entry *= m[k * size + k];
        mpz_submul(entry.get_mpz_t(), m[i * size + k].get_mpz_t(), m[k * size + j].get_mpz_t());
        mpz_divexact(entry.get_mpz_t(), entry.get_mpz_t(), previous.get_mpz_t());
      }
    previous = m[k * size + k];
  }
  return m.back();
}

Integer integer(Wide value) {
  const bool negative = value < 0;
  const auto size = negative ? -static_cast<unsigned __int128>(value)
                             : static_cast<unsigned __int128>(value);
  Integer result = static_cast<unsigned long>(size >> 64);
  result <<= 64;
  result += static_cast<unsigned long>(size);
  return negative ? Integer(-result) : result;
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
  const std::size_t size = rows.size();
  bool negative = false;
  if (std::none_of(rows.begin(), rows.end(), [](const Vector* v) { return v->words().empty(); })) {
    std::vector<Wide> small;
    small.reserve(size * size);
    for (const Vector* row : rows)
      for (std::size_t j = 0; j < row->size(); ++j)
        if (j != omitted) small.push_back(row->words()[j]);
    if (eliminate(small, size, negative)) return integer(negative ? -small.back() : small.back());
    negative = false;
  }
  std::vector<Integer> large;
  for (const Vector* row : rows)
    for (std::size_t j = 0; j < row->size(); ++j)
      if (j != omitted) large.push_back((*row)[j]);
  const Integer result = eliminate(large, size, negative);
  return negative ? Integer(-result) : result;
}

}  // namespace wmi::check
