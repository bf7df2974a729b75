// Let f be analytic in the ellipse with foci -1 and 1 whose semi-axes add up to r, and at most M there.
// Then its Chebyshev coefficients are at most 2 M r^-j (Trefethen, "Approximation theory and
// approximation practice", theorem 8.1). Those of the interpolant in n zeros of T_n are
//
//     c_j + sum over m >= 1 of (-1)^m (c_(2mn-j) + c_(2mn+j)),
//
// off by at most 4 M r^(j-2n) / (1 - r^-2n). With semi-axes A and B,
//
//     Re(a z^2 + b z + c) = a Re(z)^2 + b Re(z) - a Im(z)^2 + c,
//
// which for a <= 0 is at most its maximum over real z in [-A, A] plus |a| B^2.

#include "solver/smooth/chebyshev_expansion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "solver/numeric/reals.h"

namespace wmi {
namespace {

constexpr std::size_t count = most_chebyshev_degree + 1;
constexpr slong bits = 80;
constexpr double unit = 0x1p-53;
/// More than what a few roundings of positive numbers take away.
constexpr double up = 1 + 1e-9;

struct Nodes {
  std::array<Ball, count> places;
  /// cos(j (2i+1) pi / (2 count)): T_j at node i. Each is off by at most one unit of roundoff.
  std::array<std::array<double, count>, count> values;

  Nodes() {
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < count; ++j) {
        const Ball angle = ball(ratio(static_cast<long>(j * (2 * i + 1)), 2 * count), 128);
        Ball cosine;
        arb_cos_pi(cosine, angle, 128);
        values[i][j] = arf_get_d(arb_midref(static_cast<arb_srcptr>(cosine)), ARF_RND_NEAR);
        if (j == 1) places[i] = cosine;
      }
  }
};

const Nodes& nodes() {
  static const Nodes result;
  return result;
}

double nearest(const Ball& value) {
  return arf_get_d(arb_midref(static_cast<arb_srcptr>(value)), ARF_RND_NEAR);
}

double radius(const Ball& value) { return mag_get_d(arb_radref(static_cast<arb_srcptr>(value))); }

/// log of an upper bound of |e^(a z^2 + b z + c)| on the ellipse with semi-axes that add up to r, for
/// all numbers in the balls.
double log_most(const Ball& a, const Ball& b, const Ball& c, double r) {
  const double wide = (r + 1 / r) / 2, high = (r - 1 / r) / 2;
  const double size = std::abs(nearest(a)), slope = std::abs(nearest(b)), height = nearest(c);
  const double real = slope <= 2 * size * wide ? (size > 0 ? slope * slope / (4 * size) : 0)
                                               : (slope - size * wide) * wide;
  const double rounding = 1e-9 * (1 + std::abs(height) + (slope + size * wide) * wide);
  const double balls = ((radius(a) * wide + radius(b)) * wide + radius(c)) * up;
  return real + size * high * high + height + rounding + balls;
}

}  // namespace

ChebyshevExpansion expand_exponential(const Ball& a, const Ball& b, const Ball& c) {
  const Reals r{bits};
  ChebyshevExpansion result{std::vector<double>(count), 0};
  std::array<double, count> values;
  double most_value = 0, most_radius = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Ball& x = nodes().places[i];
    const Ball value = r.exp(r.sum(r.product(r.sum(r.product(a, x), b), x), c));
    values[i] = nearest(value);
    most_value = std::max(most_value, values[i]);
    most_radius = std::max(most_radius, radius(value));
  }
  // Each coefficient is 2/n times a sum of n products: of the sum, the values, and the cosines.
  for (std::size_t j = 0; j < count; ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += values[i] * nodes().values[i][j];
    result.coefficients[j] = (j == 0 ? 1.0 : 2.0) / count * sum;
  }
  result.rest = count * (2 * ((count + 6) * unit * most_value + most_radius) + 1e-300) * up;

  double best = std::numeric_limits<double>::infinity();
  for (const double sum : {2.0, 3.0, 4.0, 6.0, 9.0, 14.0, 22.0, 35.0, 55.0}) {
    const double n = count, log_sum = std::log(sum);
    // All coefficients from n on, and the aliases of those below n.
    const double log_rest = log_most(a, b, c, sum) - n * log_sum + 1e-9;
    const double share = 2 / (1 - 1 / sum) + 4 / sum / (1 - 1 / sum) / (1 - std::pow(sum, -2 * n));
    best = std::min(best, std::exp(log_rest) * share * up);
  }
  result.rest = (result.rest + best) * up + 1e-300;
  const bool finite =
      std::ranges::all_of(result.coefficients, [](double entry) { return std::isfinite(entry); });
  if (!finite || !std::isfinite(result.rest)) result.rest = std::numeric_limits<double>::infinity();
  return result;
}

const std::vector<std::vector<double>>& chebyshev_polynomials() {
  static const std::vector<std::vector<double>> result = [] {
    std::vector<std::vector<double>> made(count, std::vector<double>(count));
    made[0][0] = made[1][1] = 1;
    for (std::size_t j = 2; j < count; ++j)
      for (std::size_t i = 0; i < count; ++i)
        made[j][i] = (i > 0 ? 2 * made[j - 1][i - 1] : 0) - made[j - 2][i];
    return made;
  }();
  return result;
}

}  // namespace wmi
