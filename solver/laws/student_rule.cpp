// Student's t is a normal law whose precision E has a gamma law. With s = log E, n degrees of
// freedom, a = (n + 1)/2 and b = (n + x^2)/2, its density at x is a constant times
//
//     integral of e^(as - b e^s) ds = Gamma(a) b^-a.
//
// The trapezoidal rule with step h on the whole line differs from it, by Poisson's summation, by the
// sum over k != 0 of Gamma(a + it_k) b^(-a - it_k), t_k = 2 pi k/h. Relative to the integral this is
// at most 2 sum over k >= 1 of |Gamma(a + it_k)|/Gamma(a), whatever b is: one bound for all x. With
// g(t) = |Gamma(a + it)|/Gamma(a) = product over m >= 0 of (1 + t^2/(a + m)^2)^(-1/2), of which any
// first factors are an upper bound, and -(log g)' = sum of t/((a + m)^2 + t^2) >= atan(t/a), that is
// at most 2 g(t_1)/(1 - e^(-t_1 atan(t_1/a))).
//
// The weight of s is h C e^(n (s - e^s)/2), C = (n/2)^(n/2)/Gamma(n/2). Weights below s are at most
// a geometric series in e^(-hn/2), those above in e^(-hn (e^s - 1)/2), since e^(jh) >= 1 + jh. Terms
// of a density above s grow by at most e^(h/2) from step to step besides.

#include "solver/laws/student_rule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <numbers>
#include <utility>

#include "solver/laws/independent_sums/rotation.h"
#include "solver/numeric/reals.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

constexpr double unit = 0x1p-53;
constexpr double inverse_root = 0.3989422804014327;  // 1 / sqrt(2 pi)

/// The standard normal distribution function by Taylor series around multiples of 1/8, which Arb
/// computes once. The m-th derivative of the density is at most sqrt(m!) / 2 (Cramer), so that nine
/// terms leave 1e-16; with roundings the error is at most 4 units.
class NormalTable {
 public:
  NormalTable() {
    const Reals r{128};
    for (int j = -last; j <= last; ++j) {
      const Ball at = r(ratio(j, 8));
      std::array<Ball, terms + 1> series;  // of the density: He_m (-1)^m phi / m!
      series[0] = r.normal_density(at);
      series[1] = r.negative(r.product(at, series[0]));
      for (int m = 1; m < terms; ++m)  // (m + 1) c_(m+1) = -(x c_m + c_(m-1))
        series[m + 1] = r.quotient(r.negative(r.sum(r.product(at, series[m]), series[m - 1])),
                                   r(m + 1));
      std::array<double, terms + 1>& row = rows_[j + last];
      row[0] = number(r.normal_below(at));
      for (int m = 0; m < terms; ++m) row[m + 1] = number(r.quotient(series[m], r(m + 1)));
    }
  }

  double operator()(double z) const {
    if (z >= end) return 1;
    if (z <= -end) return 0;
    const double nearest = std::nearbyint(z * 8);
    const double t = z - nearest / 8;
    const std::array<double, terms + 1>& row = rows_[static_cast<int>(nearest) + last];
    double sum = row[terms];
    for (int m = terms - 1; m >= 0; --m) sum = sum * t + row[m];
    return sum;
  }

 private:
  static constexpr int last = 68;
  static constexpr double end = 8.5;
  static constexpr int terms = 9;

  static double number(const Ball& value) {
    return arf_get_d(arb_midref(static_cast<arb_srcptr>(value)), ARF_RND_NEAR);
  }

  std::array<std::array<double, terms + 1>, 2 * last + 1> rows_;
};

double normal_below(double z) {
  static const NormalTable table;
  return table(z);
}

/// An upper bound on log g(t), but for roundings.
double log_decay(double a, double t) {
  double sum = 0;
  for (double m = 0; m < 256 + 2 * t; ++m) sum += std::log1p(t * t / ((a + m) * (a + m)));
  return -0.5 * sum;
}

double log_step_error(double a, double h) {
  const double t = 2 * std::numbers::pi / h;
  return std::log(2.1) + log_decay(a, t) - std::log1p(-std::exp(-t * std::atan(t / a)));
}

std::shared_ptr<const StudentRule> make_rule(double freedom, double digits) {
  const double smallest = std::pow(10, -digits - 3);  // weights beyond are left out
  const auto rule = std::make_shared<StudentRule>();
  rule->freedom = freedom;
  rule->error = 1.001 * std::pow(10, -digits);
  const double h = student_step(freedom, digits), half = freedom / 2;
  const Reals r{160};
  const Ball shape = r(Rational(half));
  Ball constant;
  arb_lgamma(constant, shape, r.bits);
  constant = r.sum(r.difference(r.product(shape, r.log(shape)), constant), r.log(r(Rational(h))));
  // From the middle up to the first node, then down.
  const auto log_weight = [&](double s) {
    return half * (s - std::exp(s)) + half * std::log(half) - std::lgamma(half) + std::log(h);
  };
  const auto growth = [&](double s) { return h * (half * std::expm1(s) - 0.5); };
  long first = 0;
  for (double s = 0;; ++first, s = h * static_cast<double>(first))
    if (growth(s) > 0.1 && log_weight(s) + s / 2 < std::log(smallest) - 1) break;
  for (long k = first;; --k) {
    const double s = h * static_cast<double>(k);
    const Ball precision = r.exp(r(Rational(s)));
    const Ball weight = r.exp(r.sum(
        constant, r.product(shape, r.difference(r(Rational(s)), precision))));
    const Ball variance = r.quotient(r(1), precision);
    const double beyond = 1.01 *
                          std::exp(half * (s - h) + half * std::log(half) - std::lgamma(half) +
                                   std::log(h)) /
                          -std::expm1(-h * half);
    rule->nodes.push_back({arf_get_d(arb_midref(static_cast<arb_srcptr>(variance)), ARF_RND_NEAR),
                           arf_get_d(arb_midref(static_cast<arb_srcptr>(weight)), ARF_RND_NEAR),
                           beyond});
    if (beyond < smallest) break;
  }
  const double top = h * static_cast<double>(first);
  const double ratio = std::exp(-growth(top)) * 1.01;
  rule->before_factor = ratio / (1 - ratio);
  rule->before = rule->nodes[0].weight * rule->before_factor;
  return rule;
}

}  // namespace

double student_step(double freedom, double digits) {
  const double a = (freedom + 1) / 2, wanted = -digits * std::numbers::ln10 - 1e-3;
  double fine = 0x1p-16, coarse = 2;
  while (log_step_error(a, fine) > wanted) fine /= 2;
  while (coarse - fine > 0.01 * fine) {
    const double middle = (fine + coarse) / 2;
    (log_step_error(a, middle) <= wanted ? fine : coarse) = middle;
  }
  return std::max(std::floor(fine * 0x1p16), 1.0) * 0x1p-16;
}

std::shared_ptr<const StudentRule> student_rule(double freedom, double digits) {
  if (!(freedom >= 1 && freedom <= 1000))
    throw Error("the degrees of freedom must be from 1 to 1000");
  static std::mutex mutex;
  static std::map<std::pair<double, double>, std::shared_ptr<const StudentRule>> made;
  const std::lock_guard lock(mutex);
  if (made.size() > 1000) made.clear();
  std::shared_ptr<const StudentRule>& entry = made[{freedom, digits}];
  if (!entry) entry = make_rule(freedom, std::min(digits, 14.0));
  return entry;
}

// Roundings, in units u: a variance has 14 (its node 8, products and a sum), a root 8, z = x/root 11
// with the 2 of x, q = z^2/2 has 23.
StudentRule::Value StudentRule::density(double x, double deviation, double scale,
                                        double enough) const {
  const double inner = deviation * deviation, outer = scale * scale;
  double sum = 0, spread = 0, rest = 0;
  for (const Node& node : nodes) {
    const double root = std::sqrt(inner + outer * node.variance);
    const double z = x / root, q = z * z / 2;
    const double term = node.weight * exp_minus(q) / root;
    sum += term;
    spread += term * q;
    rest = node.beyond / root;
    if (rest <= enough * sum) break;
  }
  const Node& top = nodes.front();
  const double root = std::sqrt(inner + outer * top.variance), z = x / root;
  const double first =
      before_factor * (top.weight * exp_minus(z * z / 2) + 1e-290) / root * 1.01;
  // Exponentials that underflowed are of no account unless all did.
  const double lost = 1e-290 * static_cast<double>(nodes.size()) / root;
  const double roundings = 40 + static_cast<double>(nodes.size());
  return {inverse_root * sum, inverse_root * 1.01 * (sum * (error + roundings * unit) +
                                                     24 * unit * spread + rest + first + lost)};
}

StudentRule::Value StudentRule::cdf(double x, double deviation, double scale,
                                    double enough) const {
  const double inner = deviation * deviation, outer = scale * scale;
  double sum = 0, rest = 0;
  for (const Node& node : nodes) {
    sum += node.weight * normal_below(x / std::sqrt(inner + outer * node.variance));
    rest = node.beyond;
    if (rest <= enough) break;
  }
  const double roundings = 24 + static_cast<double>(nodes.size());
  return {sum, 1.01 * (error + roundings * unit + before + rest)};
}

}  // namespace wmi
