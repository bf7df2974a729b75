// Tail integrals of a sum of boxes and a Gaussian, with relative accuracy.
//
// Let R be the sum, M(t) = E e^(tR) = e^K(t) its moment generating function, and
//
//     Q_0 = the density,     Q_n(x) = E[max(R - x, 0)^(n-1)] / (n-1)!,     so  Q_n' = -Q_(n-1).
//
// For every t > 0 the tilted function g(x) = e^(tx) Q_n(x) is integrable, and its Fourier transform
// is known: the integral of g(x) e^(iux) is M(t + iu) / (t + iu)^n. Poisson's summation formula
// with a period T and w = 2 pi / T says
//
//     sum over k of g(x + kT)  =  1/T  sum over m of  M(t + imw) / (t + imw)^n  e^(-imwx).
//
// The term k = 0 is the result. At the saddlepoint, K'(t) - n/t = x, all terms on the right have
// the size of the result, which is e^(K(t) - tx) times a sum without cancellation: the accuracy is
// relative, at one standard deviation or at a thousand. The formula holds for any t; the
// saddlepoint is computed in doubles, and the rounded number is used exactly.
//
// Each box of half width h brings to M(t + iu) / M(t) the factor
//
//     t / (t + iu) (cos hu + i coth(ht) sin hu),
//
// the Gaussian e^(-sigma^2 u^2 / 2 + i sigma^2 t u).
//
// Bounds on the omitted terms of both sides are in tilt_plan.cpp.
//
// Narrow boxes, h |t + iu| <= 2 for all frequencies, are taken together when they are many:
//
//     log(sinh(hz) / hz) = sum over i >= 1 of  (-1)^(i+1) b_i (hz)^(2i),
//     b_i = zeta(2i) / (i pi^(2i)),
//
// a polynomial in z^2 with power sums of the widths as coefficients, instead of a sine for each.
// Since zeta(2i) <= 1.65, the terms after the first I >= 1 add up to at most 2 (|hz| / pi)^(2I+2)
// for each box, |hz| the largest. Together with the Gaussian and e^(-zx) this takes one exponential
// for each frequency.

#include "solver/laws/independent_sums/tilted.h"

#include <acb.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "solver/laws/independent_sums/tilt_plan.h"
#include "solver/numeric/ball.h"

namespace wmi {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A complex ball.
class ComplexBall {
 public:
  ComplexBall() { acb_init(value_); }
  ComplexBall(const ComplexBall&) = delete;
  ComplexBall& operator=(const ComplexBall&) = delete;
  ~ComplexBall() { acb_clear(value_); }

  operator acb_ptr() { return value_; }  // NOLINT: Arb's functions take it
  arb_ptr real() { return acb_realref(value_); }
  arb_ptr imaginary() { return acb_imagref(value_); }

 private:
  acb_t value_;
};

/// product *= all factors, which are overwritten. Factors are multiplied pairwise, so that the loss
/// of accuracy grows with the logarithm of their number.
void multiply_all(ComplexBall& product, std::vector<ComplexBall>& factors, slong precision) {
  for (std::size_t stride = 1; stride < factors.size(); stride *= 2)
    for (std::size_t i = 0; i + stride < factors.size(); i += 2 * stride)
      acb_mul(factors[i], factors[i], factors[i + stride], precision);
  if (!factors.empty()) acb_mul(product, product, factors[0], precision);
}

/// Adds e^log to the radius.
void widen(arb_ptr value, double log) {
  if (log == -infinity) return;
  Ball bound;
  arb_set_d(bound, log);
  arb_exp(bound, bound, 30);
  arb_add_error(value, bound);
}

/// The number of boxes with sines of their own; the others are narrow, h |z| <= 2, and many.
std::size_t count_wide(const Boxes& law, double largest_argument) {
  constexpr std::size_t many = 16;
  constexpr double narrow = 1.99;
  std::size_t wide = 0;
  while (wide < law.boxes.size() && law.boxes[wide].half_width.get_d() * largest_argument > narrow)
    ++wide;
  return law.boxes.size() - wide < many ? law.boxes.size() : wide;
}

/// The logarithm of M(z) e^(-zx) without the wide boxes: a polynomial.
class SmoothPart {
 public:
  SmoothPart(const Boxes& law, std::size_t wide, const Rational& x, double largest_argument,
             slong precision)
      : place_(ball(x, precision)), precision_(precision) {
    double count = 0, bits_each = 0;
    for (std::size_t j = wide; j < law.boxes.size(); ++j) count += law.boxes[j].count;
    std::size_t terms = 1;
    if (count > 0) {
      const double largest = law.boxes[wide].half_width.get_d() * largest_argument * (1 + 1e-9);
      bits_each = 2 * std::log2(std::numbers::pi / largest);
      terms = 1 + static_cast<std::size_t>((static_cast<double>(precision) + std::log2(2 * count)) /
                                           bits_each);
      log_rest_ =
          std::log(2 * count) - bits_each * std::numbers::ln2 * static_cast<double>(terms + 1);
    }
    std::vector<Ball> sums(terms);
    Ball square, part;
    for (std::size_t j = wide; j < law.boxes.size(); ++j) {
      square = ball(law.boxes[j].half_width, precision);
      arb_sqr(square, square, precision);
      arb_set_ui(part, law.boxes[j].count);
      for (std::size_t i = 0; i < terms; ++i) {
        // Later terms are smaller and need fewer bits.
        const auto smaller = static_cast<slong>(bits_each * static_cast<double>(i));
        const slong enough = std::max<slong>(precision - smaller, 32);
        arb_mul(part, part, square, enough);
        arb_add(sums[i], sums[i], part, enough);
      }
    }
    // (-1)^(i+1) b_i = B_2i 2^(2i-1) / (i (2i)!)
    Ball factor;
    for (std::size_t i = 1; i <= terms; ++i) {
      arb_bernoulli_ui(factor, 2 * i, precision);
      arb_mul_2exp_si(factor, factor, static_cast<slong>(2 * i) - 1);
      arb_div_ui(factor, factor, i, precision);
      arb_fac_ui(part, 2 * i, precision);
      arb_div(factor, factor, part, precision);
      arb_mul(sums[i - 1], sums[i - 1], factor, precision);
    }
    part = ball(Rational(law.sigma * law.sigma / 2), precision);
    arb_add(sums[0], sums[0], part, precision);
    coefficients_ = std::move(sums);
  }

  void exponent(ComplexBall& result, ComplexBall& z) const {
    ComplexBall square;
    acb_sqr(square, z, precision_);
    acb_zero(result);
    for (std::size_t i = coefficients_.size(); i-- > 0;) {
      arb_add(result.real(), result.real(), coefficients_[i], precision_);
      acb_mul(result, result, square, precision_);
    }
    arb_submul(result.real(), z.real(), place_, precision_);
    arb_submul(result.imaginary(), z.imaginary(), place_, precision_);
    widen(result.real(), log_rest_);
    widen(result.imaginary(), log_rest_);
  }

 private:
  std::vector<Ball> coefficients_;  // of z^2, z^4, ...
  Ball place_;
  double log_rest_ = -infinity;
  slong precision_;
};

}  // namespace

double tail_work(const Boxes& law, unsigned order, const Rational& x, long bits) {
  const TiltPlan plan(law, order, x, bits);
  if (plan.beyond()) return 0;
  // In sines: at each frequency one for each wide box and about ten for all else, and about ten for
  // each narrow box in advance.
  const std::size_t wide = count_wide(law, plan.largest_argument());
  return plan.length() * static_cast<double>(wide + 10) +
         10 * static_cast<double>(law.boxes.size() - wide);
}

Ball tail_integral(const Boxes& law, unsigned order, const Rational& x, long bits) {
  const TiltPlan plan(law, order, x, bits);
  Ball result;
  if (plan.beyond()) return result;
  if (!(plan.length() < infinity))
    throw GaveUp("the Fourier series of the sum converges too slowly");
  const double guard =
      std::log2(1 + plan.largest_angle()) + 2 * std::log2(1.0 + static_cast<double>(law.count()));
  const long precision = bits + 16 + static_cast<long>(guard);
  const std::size_t wide = count_wide(law, plan.largest_argument());
  const SmoothPart smooth(law, wide, x, plan.largest_argument(), precision);

  Ball tilt, period, frequency;
  arb_set_d(tilt, plan.tilt());
  arb_set_d(period, plan.period());
  arb_const_pi(frequency, precision);
  arb_mul_2exp_si(frequency, frequency, 1);
  arb_div(frequency, frequency, period, precision);  // w

  // At u = 0: M(t) e^(-tx) / t^n. Per wide box the half width times w, and coth(ht).
  ComplexBall z, start, smoothed;
  Ball scale, sinh, cosh, argument;
  arb_set(z.real(), tilt);
  smooth.exponent(start, z);
  arb_exp(scale, start.real(), precision);
  arb_pow_ui(argument, tilt, order, precision);
  arb_div(scale, scale, argument, precision);
  std::vector<Ball> angles, cotangents;
  unsigned long powers = order;
  for (std::size_t j = 0; j < wide; ++j) {
    const Ball width = ball(law.boxes[j].half_width, precision);
    arb_mul(argument, width, tilt, precision);
    arb_sinh_cosh(sinh, cosh, argument, precision);
    arb_div(cosh, cosh, sinh, precision);
    cotangents.push_back(cosh);
    arb_div(sinh, sinh, argument, precision);
    arb_pow_ui(sinh, sinh, law.boxes[j].count, precision);
    arb_mul(scale, scale, sinh, precision);
    arb_mul(argument, width, frequency, precision);
    angles.push_back(argument);
    powers += law.boxes[j].count;
  }

  Ball sum;
  ComplexBall product, lag;
  std::vector<ComplexBall> factors(wide);
  const auto length = static_cast<unsigned long>(plan.length());
  for (unsigned long m = 1; m <= length; ++m) {
    arb_mul_ui(z.imaginary(), frequency, m, precision);
    // (t / (t + iu))^(wide boxes + n)
    arb_one(lag.real());
    arb_div(lag.imaginary(), z.imaginary(), tilt, precision);
    acb_inv(lag, lag, precision);
    acb_pow_ui(product, lag, powers, precision);
    for (std::size_t j = 0; j < wide; ++j) {
      ComplexBall& box = factors[j];
      arb_mul_ui(argument, angles[j], m, precision);
      arb_sin_cos(box.imaginary(), box.real(), argument, precision);
      arb_mul(box.imaginary(), box.imaginary(), cotangents[j], precision);
      if (law.boxes[j].count > 1) acb_pow_ui(box, box, law.boxes[j].count, precision);
    }
    multiply_all(product, factors, precision);
    smooth.exponent(smoothed, z);
    acb_sub(smoothed, smoothed, start, precision);
    acb_exp(smoothed, smoothed, precision);
    acb_mul(product, product, smoothed, precision);
    arb_add(sum, sum, product.real(), precision);
  }
  arb_mul_2exp_si(sum, sum, 1);
  arb_add_ui(sum, sum, 1, precision);
  arb_div(sum, sum, period, precision);
  widen(sum, plan.log_rest());
  widen(sum, plan.log_alias());
  arb_mul(result, sum, scale, precision);
  return result;
}

}  // namespace wmi
