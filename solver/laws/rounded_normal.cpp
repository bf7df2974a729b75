// The normal distribution function by Taylor series around multiples of 1/8, whose coefficients Arb
// computes once. The m-th derivative of the density is at most sqrt(m!)/2 (Cramer's bound of Hermite
// functions), so that nine terms leave 1e-16. In the sum of the series only the last addition rounds
// a number of size 1, by u = 2^-53; with the coefficients' own roundings it errs by 4u at most.

#include "solver/laws/rounded_normal.h"

#include <array>
#include <cmath>
#include <cstddef>

#include "solver/laws/independent_sums/rotation.h"
#include "solver/numeric/reals.h"

namespace wmi {
namespace {

constexpr double unit = 0x1p-53;
constexpr double inverse_root = 0.3989422804014327;  // 1 / sqrt(2 pi)

class NormalTable {
 public:
  NormalTable() {
    const Reals r{128};
    for (int j = -last; j <= last; ++j) {
      const Ball at = r(ratio(j, 8));
      std::array<Ball, terms + 1> series;  // of the density
      series[0] = r.normal_density(at);
      series[1] = r.negative(r.product(at, series[0]));
      for (std::size_t m = 1; m < terms; ++m)  // (m + 1) c_(m+1) = -(x c_m + c_(m-1))
        series[m + 1] =
            r.quotient(r.negative(r.sum(r.product(at, series[m]), series[m - 1])),
                       r(Rational(Integer(m + 1))));
      std::array<double, terms + 1>& row = rows_[static_cast<std::size_t>(j + last)];
      row[0] = number(r.normal_below(at));
      for (std::size_t m = 0; m < terms; ++m)
        row[m + 1] = number(r.quotient(series[m], r(Rational(Integer(m + 1)))));
    }
  }

  double operator()(double z) const {
    if (z >= end) return 1;
    if (z <= -end) return 0;
    const double nearest = std::nearbyint(z * 8);
    const double t = z - nearest / 8;
    const std::array<double, terms + 1>& row =
        rows_[static_cast<std::size_t>(static_cast<int>(nearest) + last)];
    double sum = row[terms];
    for (std::size_t m = terms; m-- > 0;) sum = sum * t + row[m];
    return sum;
  }

 private:
  static constexpr int last = 68;
  static constexpr double end = 8.5;
  static constexpr std::size_t terms = 9;

  static double number(const Ball& value) {
    return arf_get_d(arb_midref(static_cast<arb_srcptr>(value)), ARF_RND_NEAR);
  }

  std::array<std::array<double, terms + 1>, 2 * last + 1> rows_;
};

}  // namespace

double tabled_normal_cdf(double z) {
  static const NormalTable table;
  return table(z);
}

// z has 11 units of relative error, and |z| phi(z) is at most 1/4.
RoundedValue rounded_normal_cdf(double x, double deviation) {
  return {tabled_normal_cdf(x / deviation), 8 * unit};
}

// z^2/2 has 23 units, its exponential six more, and the product four.
RoundedValue rounded_normal_density(double x, double deviation) {
  const double z = x / deviation, q = z * z / 2;
  const double value = inverse_root * exp_minus(q) / deviation;
  return {value, (24 * q + 16) * unit * value + (q > 600 ? 1e-250 / deviation : 0)};
}

}  // namespace wmi
