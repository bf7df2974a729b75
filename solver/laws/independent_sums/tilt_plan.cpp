// The choice of tilt, period and length for a tilted Fourier series, with proven bounds on aliasing
// and truncation. Notation as in tilted.cpp: the tilted function is g(x) = e^(tx) Q_n(x), its
// period T, w = 2 pi / T.
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
// Bounds are sums of logarithms in doubles, raised by more than the rounding errors.

#include "solver/laws/independent_sums/tilt_plan.h"

#include <algorithm>

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

/// An upper bound as a sum of logarithms, raised by a bound on the rounding errors.
class LogBound {
 public:
  /// For so many boxes, each with a logarithm near 0.
  explicit LogBound(double boxes) : boxes_(boxes) {}

  LogBound& operator+=(double part) {
    sum_ += part;
    size_ += std::abs(part);
    ++parts_;
    return *this;
  }
  /// A part has a relative error of a few units, a logarithm also an absolute one, and each
  /// addition an error of one unit of the sum.
  double upper() const { return sum_ + slack + 0x1p-50 * (boxes_ + (parts_ + 4) * size_); }

 private:
  double sum_ = 0;
  double size_ = 0;
  double parts_ = 0;
  double boxes_;
};

}  // namespace

TiltPlan::TiltPlan(const Boxes& law, unsigned order, const Rational& x, long bits)
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
  for (std::size_t j = 0; j < widths_.size(); ++j) {
    const double a = widths_[j] * tilt_;
    log_end_ += counts_[j] * log_end(a);
    const double q = a > 700 ? 0 : a < 1e-8 ? 1 : a / std::sinh(a);
    const double top = a > 20 ? a : a < 1e-8 ? 1 : a / std::tanh(a);  // a coth a
    factors_.push_back({a * a, q * q, top * top});
  }
  // The tilted density at its mean is about 0.4 / spread.
  const double wanted = (static_cast<double>(bits) + 5) * std::numbers::ln2 + std::log(spread_);
  find_period(wanted);
  find_length(wanted);
}

/// Solves K'(t) - n/t = x, as  sum of mean gaps + n/t - sigma^2 t = reach - x; the left side
/// decreases. Its derivative is minus the tilted variance, so an error of a fraction of the spread
/// is small enough.
void TiltPlan::find_saddlepoint(double spread) {
  // For x = 0 the saddlepoint is t = 0; a point nearby is as good.
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
    found_ = std::abs(excess) < 0.05 * spread_ || (step == 0 && excess <= 0);
    if (found_) return;
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
double TiltPlan::log_constant(double s) const {
  const double scale = order_ * std::log(tilt_);
  if (order_ > 0) return scale + (1.0 - order_) * std::log(s);
  double peak = infinity;
  if (!widths_.empty()) peak = 1 / (2 * widths_.front());
  if (sigma_ > 0) peak = std::min(peak, 1 / (std::sqrt(2 * pi) * sigma_));
  return scale + 1 + std::log(std::max(std::abs(s), peak));
}

/// An upper bound on the logarithm of c e^(K(s) - K(t) - (s - t) x). Using K(s) - s reach instead
/// of K(s), which is equivalent, avoids cancellation: a box contributes -log_end(h|s|), and 2h|s|
/// more if s < 0.
double TiltPlan::log_alias_at(double s) const {
  LogBound bound(count_);
  bound += log_constant(s);
  bound += (s - tilt_) * gap_;
  bound += (s - tilt_) * sigma_ * sigma_ * ((s + tilt_) / 2);
  if (s < 0) bound += -2 * s * reach_;
  bound += log_end_;
  for (std::size_t j = 0; j < widths_.size(); ++j) {
    const double a = widths_[j] * std::abs(s);
    // log(sinh(a) / a) <= a^2 / 6 is tight enough for small a, and fast.
    bound += -(counts_[j] * (a < 0.02 ? a - a * a / 6 : log_end(a)));
  }
  return bound.upper();
}

void TiltPlan::find_period(double wanted) {
  const double step = 1 / spread_;
  double best[2] = {infinity, infinity}, shifted[2] = {tilt_, tilt_};
  for (const int side : {0, 1}) {
    const auto consider = [&](double d) {
      const double s = side == 0 ? tilt_ + d : tilt_ - d;
      if (s == tilt_ || (order_ > 0 && s <= 0)) return;
      // d after rounding: the difference of two nearby doubles is exact.
      const double period = (log_alias_at(s) + wanted) / std::abs(s - tilt_);
      if (!(period < best[side])) return;
      best[side] = period;
      shifted[side] = s;
    };
    double last = infinity;
    for (double d = step / 4; d < 1e9 * step; d *= 1.4) {
      consider(d);
      if (best[side] < infinity && best[side] == last && d > 4 * std::abs(shifted[side] - tilt_))
        break;
      last = best[side];
    }
    if (order_ > 0 && side == 1)
      for (double part = 1; part > 1e-3; part /= 2) consider(tilt_ * (1 - part / 2));
  }
  // Without a Gaussian there is no mass beyond the support.
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
  if (none[0] && none[1]) return;
  double sum = 0;
  for (const int side : {0, 1})
    if (!none[side]) {
      const double s = shifted[side], d = std::abs(s - tilt_);
      const double exponent = log_alias_at(s) - d * period_ * (1 - slack);
      sum += std::exp(exponent + wanted) / -std::expm1(-d * period_);
    }
  log_alias_ = std::log(std::max(sum, 1e-300)) + slack - wanted;
}

/// An upper bound on the logarithm of the envelope at frequency u, relative to its value at 0.
double TiltPlan::log_envelope(double u) const {
  LogBound bound(count_);
  bound += -sigma_ * sigma_ * u * u / 2;
  bound += -0.5 * order_ * std::log1p(u / tilt_ * (u / tilt_));
  double product = 1;  // of squares, while it is not too small
  for (std::size_t j = 0; j < widths_.size(); ++j) {
    const Factor& factor = factors_[j];
    const double b = widths_[j] * u;
    if (b < 1e-8) break;  // this factor and those of narrower boxes are 1
    const double far = std::max(b, pi);
    double square = factor.top / (factor.tilt + far * far);
    if (b <= pi) {
      // sin^2 b = b^2 - b^4/3 + 2b^6/45 - ...: at most that, as cos 2b is at least its sixth sum.
      const double y = b * b, sine = b < 0.3 ? 0 : std::sin(b);
      const double sine_square = b < 0.3 ? y * (1 - y * (1.0 / 3 - y * (2.0 / 45))) : sine * sine;
      square = std::max(square, (factor.tilt + factor.fall * sine_square) / (factor.tilt + y));
    }
    if (square >= 1) continue;
    if (counts_[j] == 1 && product > 1e-200 && square > 1e-100)
      product *= square;
    else
      bound += 0.5 * counts_[j] * std::log(square);
    if (product < 1e-200) {
      bound += 0.5 * std::log(product);
      product = 1;
    }
  }
  bound += 0.5 * std::log(product);
  return bound.upper();
}

/// An upper bound on the ratio of the envelopes at 2u' and u', for all u' >= u.
double TiltPlan::ratio(double u) const {
  double log = -1.5 * sigma_ * sigma_ * u * u;
  const auto falls = [&](double a, double b) {
    return -0.5 * std::log1p(3 / (1 + a / b * (a / b)));
  };
  log += order_ * falls(tilt_, u);
  for (std::size_t j = 0; j < widths_.size(); ++j)
    if (widths_[j] * u >= pi) log += counts_[j] * falls(tilt_, u);
  return std::exp(log) * (1 + slack);
}

/// An upper bound on the logarithm of the sum of the envelopes at (n+1)w, (n+2)w, ...
double TiltPlan::log_rest(double n) const {
  const double w = 2 * pi / period_ * (1 - slack);
  double sum = 0;
  const double first = log_envelope(w * (n + 1));
  double envelope = 1;  // at m, over that at n + 1
  for (double m = n + 1; m < 1e30;) {
    const double length = std::max(1.0, std::floor(m / 8));
    sum += length * envelope;
    m += length;
    envelope = std::exp(log_envelope(w * m) - first) * (1 + slack);
    if (m < 16) continue;
    // Blocks [m, 2m), [2m, 4m), ... from here.
    const double block = m * envelope, shrink = 2 * ratio(w * m);
    if (shrink < 0.9 && block / (1 - shrink) < 0.5 * sum)
      return first + std::log(sum + block / (1 - shrink)) + slack;
  }
  return infinity;
}

void TiltPlan::find_length(double wanted) {
  length_ = infinity;
  // If x is so large that doubles cannot resolve the saddlepoint, the series is unusable.
  if (!found_ || tilt_ * 0x1p-52 * spread_ > 0.05 || !(period_ < infinity)) return;
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

double log_tail_bound(const Boxes& law, unsigned order, const Rational& x) {
  // K(s) <= v s^2 / 2, since log(sinh a / a) <= a^2 / 6; the best s is x / v, or near 1 / sqrt(v).
  const double variance = law.variance().get_d();
  const double at = std::min(x, Rational(1e100)).get_d();  // the bound decreases in x
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

}  // namespace wmi
