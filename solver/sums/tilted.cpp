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
// The term k = 0 is what we want. At the saddlepoint, K'(t) - n/t = x, everything on the right has
// the size of the answer, which is then e^(K(t) - tx) times a sum without cancellation: the digits
// are digits of the value, at one standard deviation or at a thousand. Any t gives a true formula;
// the saddlepoint is found in doubles, and taken as the number that it is.
//
// Each box of half width h brings to M(t + iu) / M(t) the factor
//
//     t / (t + iu) (cos hu + i coth(ht) sin hu),
//
// the Gaussian e^(-sigma^2 u^2 / 2 + i sigma^2 t u).
//
// Aliasing. The other terms of the left side are not negative. Since max(y, 0)^(n-1) / (n-1)! is at
// most e^(sy) / s^(n-1) for every s > 0, Q_n(z) <= c e^(K(s) - sz) with c = s^(1-n) (Chernoff). For
// the density, which falls on both sides of 0 and is at most p = min(1 / 2h, 1 / sqrt(2 pi) sigma)
// (h any half width), the mean over [z - 1/s, z] gives the same with c = e max(|s|, p), for all z
// and all s. So with s = t + d for k > 0 and s = t - d for k < 0 the aliases come to at most
//
//     c e^(K(t + d) - d (x + T)) / (1 - e^(-dT))  and  c e^(K(t - d) - d (T - x)) / (1 - e^(-dT)),
//
// for any d > 0 (d < t where n > 0); without a Gaussian those beyond the support are 0.
//
// Truncation. With a = ht, b = hu a box's factor has the square (a^2 + q^2 sin^2 b) / (a^2 + b^2),
// q = a / sinh a. It falls on [0, pi]: there sin 2b / 2b <= sin^2 b / b^2, which is at most the
// mediant of sinh^2 a / a^2 >= 1 and sin^2 b / b^2. Everywhere it is at most
// (a coth a)^2 / (a^2 + b^2). The larger of the first and the second at pi, and from pi on the
// second, is an envelope that falls; the terms m > N are summed in blocks, each at most its length
// times its first envelope. From block to block of twice the frequency the ratio of the envelopes
// only shrinks (boxes before pi count as 1), so that a geometric series ends the sum.
//
// Bounds are made of logarithms in doubles, raised by more than rounding can have cost. The sum
// itself is in balls.

#include "solver/sums/tilted.h"

#include <acb.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "solver/ball.h"

namespace wmi {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double pi = std::numbers::pi;
constexpr double slack = 1e-9;
constexpr double most_coefficients = 1e7;

/// log(2a / (1 - e^-2a)) = a - log(sinh(a) / a), for a >= 0.
double log_end(double a) {
  if (a < 1e-8) return a;
  if (a < 20) return a - std::log(std::sinh(a) / a);
  return std::log(2 * a) - std::log1p(-std::exp(-2 * a));
}

/// 1/t - h (coth(ht) - 1): how far below h the tilted uniform's mean is.
double mean_gap(double h, double t) {
  const double a = h * t;
  if (a < 0.01) return h * (1 - a / 3 + a * a * a / 45);
  return 1 / t - 2 * h / std::expm1(2 * a);
}

/// The variance of the tilted uniform.
double tilted_variance(double h, double t) {
  const double a = h * t;
  if (a < 0.01) return h * h * (1.0 / 3 - a * a / 15);
  const double q = a > 700 ? 0 : a / std::sinh(a);
  return (1 - q) * (1 + q) / (t * t);
}

/// A bound in logarithms: the sum of its parts, raised by what rounding may have cost.
class LogBound {
 public:
  /// `boxes` of them take part, with a logarithm near 0 each.
  explicit LogBound(double boxes) : boxes_(boxes) {}

  LogBound& operator+=(double part) {
    sum_ += part;
    size_ += std::abs(part);
    ++parts_;
    return *this;
  }
  /// A part is off by a few units of itself, a logarithm also by a few of 1, and each addition by
  /// one of the sum.
  double upper() const { return sum_ + slack + 0x1p-50 * (boxes_ + (parts_ + 4) * size_); }

 private:
  double sum_ = 0;
  double size_ = 0;
  double parts_ = 0;
  double boxes_;
};

/// The inversion of one tail integral: tilt, period and length of the series, and what it leaves.
class Plan {
 public:
  Plan(const Boxes& law, unsigned order, const Rational& x, long bits)
      : order_(order),
        count_(static_cast<double>(law.count())),
        reach_(law.reach().get_d()),
        sigma_(law.sigma.get_d()) {
    for (const Box& box : law.boxes) {
      widths_.push_back(box.half_width.get_d());
      counts_.push_back(box.count);
    }
    const Rational gap = law.reach() - x;
    gap_ = gap.get_d();
    beyond_ = law.sigma == 0 && gap <= 0;
    if (beyond_) return;
    find_saddlepoint(std::sqrt(law.variance().get_d()));
    // The tilted density at its mean is about 0.4 / spread.
    const double wanted = (static_cast<double>(bits) + 5) * std::numbers::ln2 + std::log(spread_);
    find_period(wanted);
    find_length(wanted);
  }

  /// The whole integral is 0: x is at or beyond the end of the support.
  bool beyond() const { return beyond_; }
  double tilt() const { return tilt_; }
  double period() const { return period_; }
  double length() const { return length_; }
  /// Bounds of what is left out, over M(t) e^(-tx) / t^n.
  double log_alias() const { return log_alias_; }
  double log_rest() const { return log_rest_; }
  /// The size of the angles and exponents that will be taken.
  double largest_angle() const {
    const double frequency = tilt_ + 2 * pi / period_ * length_;
    return frequency * (2 * reach_ + std::abs(gap_) + sigma_ * sigma_ * tilt_);
  }

 private:
  /// K'(t) - n/t = x, as  sum of mean gaps + n/t - sigma^2 t = reach - x; the left side falls. Its
  /// derivative is minus the tilted variance, so we are there when we miss by a part of the spread.
  void find_saddlepoint(double spread) {
    // x = 0 has its saddlepoint at t = 0; a little beside it is as good.
    double low = 1e-3 / spread, high = infinity;
    tilt_ = low;
    for (int step = 0; step < 200; ++step) {
      double excess = order_ / tilt_ - sigma_ * sigma_ * tilt_ - gap_;
      double variance = sigma_ * sigma_ + order_ / (tilt_ * tilt_);
      for (std::size_t j = 0; j < widths_.size(); ++j) {
        excess += counts_[j] * mean_gap(widths_[j], tilt_);
        variance += counts_[j] * tilted_variance(widths_[j], tilt_);
      }
      spread_ = std::sqrt(variance);
      if (std::abs(excess) < 0.05 * spread_ || (step == 0 && excess <= 0)) return;
      (excess > 0 ? low : high) = tilt_;
      tilt_ += excess / variance;
      if (tilt_ <= low || tilt_ >= high)
        tilt_ = high == infinity ? 4 * low
                : high > 2 * low ? std::sqrt(low * high)
                                 : (low + high) / 2;
      if (tilt_ > 1e300) return;
    }
  }

  /// The logarithm of c, times t^n.
  double log_constant(double s) const {
    const double scale = order_ * std::log(tilt_);
    if (order_ > 0) return scale + (1.0 - order_) * std::log(s);
    double peak = infinity;
    if (!widths_.empty()) peak = 1 / (2 * widths_.front());
    if (sigma_ > 0) peak = std::min(peak, 1 / (std::sqrt(2 * pi) * sigma_));
    return scale + 1 + std::log(std::max(std::abs(s), peak));
  }

  /// At least the logarithm of c e^(K(s) - K(t) - (s - t) x). With K(s) - s reach instead of K(s),
  /// which is the same in the end, nothing large cancels: a box has -log_end(h|s|) there, and
  /// 2h|s| more if s < 0.
  double log_alias_at(double s) const {
    LogBound bound(count_);
    bound += log_constant(s);
    bound += (s - tilt_) * gap_;
    bound += (s - tilt_) * sigma_ * sigma_ * ((s + tilt_) / 2);
    if (s < 0) bound += -2 * s * reach_;
    for (std::size_t j = 0; j < widths_.size(); ++j) {
      bound += -(counts_[j] * log_end(widths_[j] * std::abs(s)));
      bound += counts_[j] * log_end(widths_[j] * tilt_);
    }
    return bound.upper();
  }

  void find_period(double wanted) {
    const double step = 1 / spread_;
    double best[2] = {infinity, infinity}, shift[2] = {};
    for (const int side : {0, 1}) {
      const auto consider = [&](double d) {
        const double s = side == 0 ? tilt_ + d : tilt_ - d;
        if (order_ > 0 && s <= 0) return;
        const double period = (log_alias_at(s) + wanted) / d;
        if (period >= best[side]) return;
        best[side] = period;
        shift[side] = d;
      };
      double last = infinity;
      for (double d = step / 4; d < 1e9 * step; d *= 1.4) {
        consider(d);
        if (best[side] < infinity && best[side] == last && d > 4 * shift[side]) break;
        last = best[side];
      }
      if (order_ > 0 && side == 1)
        for (double part = 1; part > 1e-3; part /= 2) consider(tilt_ * (1 - part / 2));
    }
    // Without a Gaussian there is nothing beyond the support.
    bool none[2] = {};
    if (sigma_ == 0) {
      const double ends[2] = {gap_, 2 * reach_ - gap_};
      for (const int side : {0, 1}) {
        if (side == 1 && order_ > 0) continue;
        const double end = ends[side] * (1 + slack);
        if (end > best[side]) continue;
        best[side] = end;
        none[side] = true;
      }
    }
    period_ = std::max({best[0], best[1], 3 * spread_});
    double sum = 0;
    for (const int side : {0, 1})
      if (!none[side]) {
        const double d = shift[side];
        const double s = side == 0 ? tilt_ + d : tilt_ - d;
        const double exponent = log_alias_at(s) - d * period_ * (1 - slack);
        sum += std::exp(exponent + wanted) / -std::expm1(-d * period_);
      }
    log_alias_ = sum == 0 ? -infinity : std::log(sum) + slack - wanted;
  }

  /// The logarithm of the envelope at frequency u, over its value at 0.
  double log_envelope(double u) const {
    LogBound bound(count_);
    bound += -sigma_ * sigma_ * u * u / 2;
    bound += -0.5 * order_ * std::log1p(u / tilt_ * (u / tilt_));
    for (std::size_t j = 0; j < widths_.size(); ++j) {
      const double a = widths_[j] * tilt_, b = widths_[j] * u;
      const double q = a > 700 ? 0 : a < 1e-8 ? 1 : a / std::sinh(a);
      const double top = a > 20 ? a : a < 1e-8 ? 1 : a / std::tanh(a);  // a coth a
      double square = top * top / (a * a + std::max(b, pi) * std::max(b, pi));
      if (b <= pi) {
        const double sine = std::sin(b);
        if (b > 1e-8)
          square = std::max(square, (a * a + q * q * sine * sine) / (a * a + b * b));
        else
          square = 1;
      }
      bound += 0.5 * counts_[j] * std::log(std::min(square, 1.0));
    }
    return bound.upper();
  }

  /// At least the ratio of the envelopes at 2u and u, there and from there on.
  double ratio(double u) const {
    double log = -1.5 * sigma_ * sigma_ * u * u;
    const auto falls = [&](double a, double b) {
      return -0.5 * std::log1p(3 / (1 + a / b * (a / b)));
    };
    log += order_ * falls(tilt_, u);
    for (std::size_t j = 0; j < widths_.size(); ++j)
      if (widths_[j] * u >= pi) log += counts_[j] * falls(tilt_, u);
    return std::exp(log) * (1 + slack);
  }

  /// At least the logarithm of the sum of the envelopes at (n+1)w, (n+2)w, ...
  double log_rest(double n) const {
    const double w = 2 * pi / period_ * (1 - slack);
    double sum = 0;
    const double first = log_envelope(w * (n + 1));
    for (double m = n + 1; m < 1e30;) {
      const double length = std::max(1.0, std::floor(m / 8));
      sum += length * std::exp(log_envelope(w * m) - first);
      m += length;
      if (m < 16) continue;
      // Blocks [m, 2m), [2m, 4m), ... from here.
      const double block = m * std::exp(log_envelope(w * m) - first), shrink = 2 * ratio(w * m);
      if (shrink < 0.9 && block / (1 - shrink) < 0.5 * sum + 1e-300)
        return first + std::log(sum + block / (1 - shrink)) + slack;
    }
    return infinity;
  }

  void find_length(double wanted) {
    // The rest is 2/T times a sum of envelopes.
    const double target = -wanted + std::log(period_ / 2);
    const double w = 2 * pi / period_;
    double high = 8;
    while (high < most_coefficients && log_envelope(w * high) > target) high *= 2;
    double low = high / 2;
    while (high - low > std::max(1.0, low / 64)) {
      const double middle = std::floor((low + high) / 2);
      (log_envelope(w * middle) > target ? low : high) = middle;
    }
    for (length_ = high; length_ < most_coefficients;
         length_ += std::max(1.0, std::floor(length_ / 16))) {
      log_rest_ = log_rest(length_) + std::log(2 / period_) + slack;
      if (log_rest_ <= -wanted) return;
    }
    length_ = infinity;
  }

  unsigned order_;
  double count_;
  double reach_;
  double sigma_;
  double gap_;  // reach - x
  bool beyond_;
  std::vector<double> widths_;
  std::vector<unsigned> counts_;
  double tilt_ = 0;
  double spread_ = 0;
  double period_ = 0;
  double length_ = 0;
  double log_alias_ = -infinity;
  double log_rest_ = -infinity;
};

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

/// product *= all factors, which are overwritten. Pairwise: each level may double the relative
/// error of a complex ball and a half more, so the order keeps the loss to a few bits.
void multiply_all(ComplexBall& product, std::vector<ComplexBall>& factors, slong precision) {
  for (std::size_t stride = 1; stride < factors.size(); stride *= 2)
    for (std::size_t i = 0; i + stride < factors.size(); i += 2 * stride)
      acb_mul(factors[i], factors[i], factors[i + stride], precision);
  if (!factors.empty()) acb_mul(product, product, factors[0], precision);
}

/// Adds e^log on both sides.
void widen(Ball& value, double log) {
  if (log == -infinity) return;
  Ball bound;
  arb_set_d(bound, log);
  arb_exp(bound, bound, 30);
  arb_add_error(value, bound);
}

}  // namespace

double tail_work(const Boxes& law, unsigned order, const Rational& x, long bits) {
  const Plan plan(law, order, x, bits);
  return plan.beyond() ? 0 : plan.length() * static_cast<double>(law.boxes.size() + 1);
}

double log_tail_bound(const Boxes& law, unsigned order, const Rational& x) {
  // K(s) <= v s^2 / 2, for log(sinh a / a) <= a^2 / 6; the best s is x / v, or near 1 / sqrt(v).
  const double variance = law.variance().get_d(), at = x.get_d();
  const double s = std::max(at / variance, 1 / std::sqrt(variance));
  LogBound bound(0);
  bound += variance * s * s / 2;
  bound += -s * at;
  if (order > 0) {
    bound += (1.0 - order) * std::log(s);
  } else {
    double peak = infinity;
    if (!law.boxes.empty()) peak = 1 / (2 * law.boxes.front().half_width.get_d());
    if (law.sigma > 0) peak = std::min(peak, 1 / (std::sqrt(2 * pi) * law.sigma.get_d()));
    bound += 1 + std::log(std::max(s, peak));
  }
  return bound.upper();
}

Ball tail_integral(const Boxes& law, unsigned order, const Rational& x, long bits) {
  const Plan plan(law, order, x, bits);
  Ball result;
  if (plan.beyond()) return result;
  if (!(plan.length() < infinity))
    throw GaveUp("the Fourier series of the sum converges too slowly");
  const long length = static_cast<long>(plan.length());
  const double guard =
      std::log2(1 + plan.largest_angle()) + 2 * std::log2(1.0 + static_cast<double>(law.count()));
  const long precision = bits + 16 + static_cast<long>(guard);

  Ball tilt, frequency, at = ball(x, precision), sigma = ball(law.sigma, precision), period;
  arb_set_d(tilt, plan.tilt());
  arb_set_d(period, plan.period());
  arb_const_pi(frequency, precision);
  arb_mul_2exp_si(frequency, frequency, 1);
  arb_div(frequency, frequency, period, precision);  // w

  // Per box: its half width times w, and coth(ht); and M(t) on the way.
  std::vector<Ball> angles, cotangents;
  Ball scale, sinh, cosh, argument, variance;
  arb_one(scale);
  for (const Box& box : law.boxes) {
    const Ball width = ball(box.half_width, precision);
    arb_mul(argument, width, tilt, precision);
    arb_sinh_cosh(sinh, cosh, argument, precision);
    arb_div(cosh, cosh, sinh, precision);
    cotangents.push_back(cosh);
    arb_div(sinh, sinh, argument, precision);
    arb_pow_ui(sinh, sinh, box.count, precision);
    arb_mul(scale, scale, sinh, precision);
    arb_mul(argument, width, frequency, precision);
    angles.push_back(argument);
  }
  arb_mul(variance, sigma, sigma, precision);

  // e^(sigma^2 t^2 / 2 - tx) / (t^n T)
  Ball exponent, factor, shift;
  arb_mul(shift, variance, tilt, precision);  // sigma^2 t
  arb_mul_2exp_si(exponent, shift, -1);
  arb_sub(exponent, exponent, at, precision);
  arb_mul(exponent, exponent, tilt, precision);
  arb_exp(exponent, exponent, precision);
  arb_mul(scale, scale, exponent, precision);
  arb_pow_ui(factor, tilt, order, precision);
  arb_div(scale, scale, factor, precision);
  arb_sub(shift, shift, at, precision);  // the phase of frequency u is (sigma^2 t - x) u
  arb_mul(shift, shift, frequency, precision);
  arb_mul(variance, variance, frequency, precision);
  arb_mul(variance, variance, frequency, precision);
  arb_mul_2exp_si(variance, variance, -1);  // sigma^2 w^2 / 2

  Ball sum;
  ComplexBall product, wave, lag;
  std::vector<ComplexBall> factors(law.boxes.size());
  const auto powers = static_cast<unsigned long>(law.count()) + order;
  for (long m = 1; m <= length; ++m) {
    const auto index = static_cast<unsigned long>(m);
    // (t / (t + iu))^(boxes + n)
    arb_mul_ui(lag.imaginary(), frequency, index, precision);
    arb_div(lag.imaginary(), lag.imaginary(), tilt, precision);
    arb_one(lag.real());
    acb_inv(lag, lag, precision);
    acb_pow_ui(product, lag, powers, precision);
    for (std::size_t j = 0; j < angles.size(); ++j) {
      ComplexBall& box = factors[j];
      arb_mul_ui(argument, angles[j], index, precision);
      arb_sin_cos(box.imaginary(), box.real(), argument, precision);
      arb_mul(box.imaginary(), box.imaginary(), cotangents[j], precision);
      if (law.boxes[j].count > 1) acb_pow_ui(box, box, law.boxes[j].count, precision);
    }
    multiply_all(product, factors, precision);
    arb_mul_ui(argument, shift, index, precision);
    arb_sin_cos(wave.imaginary(), wave.real(), argument, precision);
    arb_mul(argument, product.real(), wave.real(), precision);
    arb_submul(argument, product.imaginary(), wave.imaginary(), precision);
    if (law.sigma > 0) {
      arb_mul_ui(factor, variance, index, precision);
      arb_mul_ui(factor, factor, index, precision);
      arb_neg(factor, factor);
      arb_exp(factor, factor, precision);
      arb_mul(argument, argument, factor, precision);
    }
    arb_add(sum, sum, argument, precision);
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
