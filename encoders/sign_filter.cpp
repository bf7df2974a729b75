#include "encoders/sign_filter.h"

#include <algorithm>
#include <cmath>

namespace wmi::encoders {

void SignFilter::set_range(Variable variable, const Interval& range) {
  if (variable >= ranges_.size()) ranges_.resize(variable + 1);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  // `get_d` rounds towards 0, by less than the distance to the next double.
  ranges_[variable] = {std::nextafter(range.lower.get_d(), -infinity),
                       std::nextafter(range.upper.get_d(), infinity)};
}

// The denominator is positive, so the sign is that of the sum of integers c times variables v.
// Divided by a power of 2 such that the largest is between 1/2 and 1, each c is taken as a double d,
// cut off by less than 2^-52 |d|; that is exact otherwise, since smaller ones than 2^-900 are
// refused. With v the end of the range, rounded outwards, at which d v is least, the product c v is
// a lower bound of its term. The rounded product is off by less than (2^-52 + 2^-53) |d v|, plus
// 2^-1074 where it underflows, and a sum of n doubles by less than n 2^-53 (1 + n 2^-53) times the
// sum A of their sizes. So the sum of the rounded products is off by less than (n + 4) 2^-52 A +
// n 2^-1074, and the bound below is more than twice as large, which includes its own rounding. (n
// is below 2^32.) Overflow makes it infinite or NaN, and nothing is decided.
std::optional<int> SignFilter::sign(const AffineTensor& tensor, std::size_t entry) const {
  const std::span<const AffineTensor::Term> terms = tensor.terms(entry);
  if (terms.empty()) return 0;
  if (terms.size() == 1 && terms[0].key == 0) return terms[0].size < 0 ? -1 : 1;
  long highest = std::numeric_limits<long>::min();
  const auto read = [](const AffineTensor::Term& term, long& exponent) {
    mpz_t view;
    return mpz_get_d_2exp(&exponent, mpz_roinit_n(view, term.limbs, term.size));
  };
  for (const AffineTensor::Term& term : terms) {
    long exponent = 0;
    read(term, exponent);
    highest = std::max(highest, exponent);
  }
  double least = 0, most = 0, sizes = 0;
  for (const AffineTensor::Term& term : terms) {
    long exponent = 0;
    const double mantissa = read(term, exponent);
    if (exponent - highest < -900) return std::nullopt;
    const double d = std::ldexp(mantissa, static_cast<int>(exponent - highest));
    if (term.key > ranges_.size()) return std::nullopt;
    const Range range = term.key == 0 ? Range{1, 1} : ranges_[term.key - 1];
    least += d * (d > 0 ? range.lower : range.upper);
    most += d * (d > 0 ? range.upper : range.lower);
    sizes += std::abs(d) * std::max(std::abs(range.lower), std::abs(range.upper));
  }
  const double error =
      (static_cast<double>(terms.size()) + 4) * std::ldexp(1.0, -50) * sizes + 1e-290;
  if (least > error) return 1;
  if (most < -error) return -1;
  return std::nullopt;
}

}  // namespace wmi::encoders
