#include "bnn/predictive/conformal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

Integer ceiling(const Rational& x) {
  Integer result;
  mpz_cdiv_q(result.get_mpz_t(), x.get_num().get_mpz_t(), x.get_den().get_mpz_t());
  return result;
}

void check(const Rational& level) {
  if (level <= 0 || level >= 1) throw Error("a level of intervals is between 0 and 1");
}

}  // namespace

double conformal_score(const CentralInterval& interval, double outcome) {
  if (outcome == interval.median) return 0;
  const double half =
      outcome < interval.median ? interval.median - interval.low : interval.high - interval.median;
  if (!(half > 0)) return std::numeric_limits<double>::infinity();
  return std::abs(outcome - interval.median) / half;
}

CentralInterval stretched(const CentralInterval& interval, double factor) {
  if (std::isinf(factor)) return {-factor, interval.median, factor};
  return {interval.median - factor * (interval.median - interval.low), interval.median,
          interval.median + factor * (interval.high - interval.median)};
}

double conformal_factor(std::span<const double> scores, const Rational& level) {
  check(level);
  const Integer rank = ceiling(level * Rational(Integer(scores.size() + 1)));
  if (rank > Integer(scores.size())) return std::numeric_limits<double>::infinity();
  std::vector<double> sorted(scores.begin(), scores.end());
  const auto place = sorted.begin() + static_cast<std::ptrdiff_t>(rank.get_ui() - 1);
  std::ranges::nth_element(sorted, place);
  return *place;
}

std::size_t least_conformal_rows(const Rational& level) {
  check(level);
  // ceil((n + 1) level) <= n is (n + 1) (1 - level) >= 1.
  return ceiling(1 / (1 - level)).get_ui() - 1;
}

}  // namespace wmi::bnn
