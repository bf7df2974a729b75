// The transform of e^z for a sum z of independent terms. With Gamma's integral on the line
// Re s = 1,
//
//     exp(-e^v) = 1/(2 pi) integral of Gamma(s) e^(-sv) over w,   s = 1 + iw,
//
// so A(t) = E[exp(-e^(v + X))] is the same integral with the factor E[e^(-sX)], a product of terms
// sinh(rs)/(rs) for boxes and exp(s^2 sigma^2/2) for a Gaussian. Here X is the sum about its mean,
// which is symmetric, and v = log t + mean. B(t) has one factor s more.
//
// The trapezoidal rule with step 2 pi/P, by Poisson's summation, gives not A(v) but
//
//     sum over all l of e^(lP) A(v + lP),
//
// all of it positive. From A <= 1 the terms with l < 0 are at most 1/(e^P - 1) together. From
// x^q e^-x <= (q/e)^q those with l > 0 are at most (q/e)^q e^(-qv) E[e^(qX)] / (e^((q-1)P) - 1),
// for any q > 1. Likewise for B, with B(v) <= e^v E[e^X] and x^(q+1) e^-x <= ((q+1)/e)^(q+1).
//
// The sum over w is truncated at some w_N. |Gamma(1 + iw)|^2 = pi w / sinh(pi w) shrinks from one
// node to the next, d apart, by a factor of at most (1 + d/w)^(1/2) e^(-pi d/2), and
// |s| grows by at most 1 + d/w, so a geometric series bounds the rest. E[e^(-sX)] is at most the
// product of the lesser of sinh(r)/r and cosh(r)/(wr) and of exp((1 - w^2) sigma^2/2), which
// decreases.
//
// For small t, the series in t with the moments of e^z is used, as in laplace_points.cpp. Sums of
// very few boxes have few pieces, and are treated as laws.

#include <acb.h>
#include <arb_hypgeom.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "solver/laws/independent_sums/boxes.h"
#include "solver/laws/softmax/laplace.h"
#include "solver/laws/softmax/laplace_estimate.h"
#include "solver/numeric/reals.h"

namespace wmi {
namespace {

constexpr slong bound_bits = 40;  // of what only bounds an error
constexpr slong guard = 48;       // additional bits on the line, where e^-v magnifies errors

/// Owns an acb_t of Arb.
class Complex {
 public:
  Complex() { acb_init(value_); }
  Complex(const Complex& other) : Complex() { acb_set(value_, other.value_); }
  ~Complex() { acb_clear(value_); }
  Complex& operator=(const Complex& other) {
    acb_set(value_, other.value_);
    return *this;
  }
  operator acb_ptr() { return value_; }           // NOLINT: Arb's functions take it
  operator acb_srcptr() const { return value_; }  // NOLINT

 private:
  acb_t value_;
};

double to_double(const Ball& value) {
  const arb_srcptr pointer = value;
  return arf_get_d(arb_midref(pointer), ARF_RND_NEAR);
}

Ball real_part(const Complex& value) {
  Ball result;
  acb_get_real(result, value);
  return result;
}

/// sum += Re(a b)
void add_real_part(Ball& sum, const Complex& a, const Complex& b, slong bits) {
  const acb_srcptr x = a, y = b;
  arb_addmul(sum, acb_realref(x), acb_realref(y), bits);
  arb_submul(sum, acb_imagref(x), acb_imagref(y), bits);
}

/// E[e^(qX)], which is even in q.
Ball exponential_moment(const Boxes& law, const Rational& q, slong bits) {
  const Reals r{bits};
  Ball result = r(1), factor;
  for (const Box& box : law.boxes) {
    arb_sinh(factor, r(q * box.half_width), bits);
    arb_div(factor, factor, r(q * box.half_width), bits);
    arb_pow_ui(factor, factor, box.count, bits);
    arb_mul(result, result, factor, bits);
  }
  return r.product(result, r.exp(r(q * q * law.sigma * law.sigma / 2)));
}

}  // namespace

/// Gamma on the nodes 1 + iw of the line, computed on demand.
struct LaplaceMaker::GammaLine {
  explicit GammaLine(slong line_bits)
      : bits(line_bits), period(static_cast<unsigned long>(0.7 * static_cast<double>(bits)) + 4) {
    arb_const_pi(step, bits);
    arb_mul_2exp_si(step, step, 1);
    arb_div_ui(step, step, period, bits);
  }

  /// s = 1 + i m step
  Complex node(std::size_t m) const {
    Complex result;
    acb_one(result);
    arb_mul_ui(acb_imagref(static_cast<acb_ptr>(result)), step, m, bits);
    return result;
  }
  const Complex& at(std::size_t m) {
    while (values.size() <= m) {
      Complex& value = values.emplace_back();
      acb_gamma(value, node(values.size() - 1), bits);
    }
    return values[m];
  }

  slong bits;
  unsigned long period;
  Ball step;
  std::vector<Complex> values;
};

class LaplaceMaker::Sum : public LaplaceTransform {
 public:
  Sum(const IndependentSum& sum, const Rational& shift, LaplaceMaker& maker)
      : bits_(maker.bits_),
        law_(sum.about_mean()),
        mean_(sum.mean() + shift),
        line_(maker.gamma_line_) {
    for (unsigned order = 0; order <= maker.moments_ + 1; ++order) {
      moments_.push_back(Sum::moment(order));
      Ball logarithm;
      arb_log(logarithm, moments_.back(), bound_bits);
      log_moments_.push_back(to_double(logarithm));
    }
    for (std::size_t i = 0; i < orders.size(); ++i)
      tails_[i] = exponential_moment(law_, orders[i], bound_bits);
    first_ = exponential_moment(law_, 1, bound_bits);
    compute_nodes();
  }

  void at(const Ball& t, double log_t, Ball& value, Ball& slope) const override {
    if (const unsigned count = terms_of_series(log_t); count > 0)
      series(t, count, value, slope);
    else
      line(t, value, slope);
  }

  Ball moment(unsigned order) const override {
    const Reals r{bits_};
    return r.product(r.exp(r(order * mean_)),
                     order > 0 ? exponential_moment(law_, order, bits_) : r(1));
  }

  Ball least() const override {
    if (law_.sigma > 0) return Ball();
    const Reals r{bound_bits};
    return r.exp(r(mean_ - law_.reach()));
  }

 private:
  static constexpr std::array<unsigned, 5> orders = {2, 4, 8, 16, 32};  // q

  /// Gamma(s) E[e^(-sX)], and s times that, on the nodes up to where the rest is negligible.
  void compute_nodes() {
    const slong bits = line_->bits;
    Ball enough;
    for (std::size_t m = 0;; ++m) {
      Complex value = line_->at(m), factor, argument;
      const Complex s = line_->node(m);
      for (const Box& box : law_.boxes) {
        acb_mul_arb(argument, s, ball(box.half_width, bits), bits);
        acb_sinh(factor, argument, bits);
        acb_div(factor, factor, argument, bits);
        acb_pow_ui(factor, factor, box.count, bits);
        acb_mul(value, value, factor, bits);
      }
      acb_mul(factor, s, s, bits);
      acb_mul_arb(factor, factor, ball(law_.sigma * law_.sigma / 2, bits), bits);
      acb_exp(factor, factor, bits);
      acb_mul(value, value, factor, bits);
      values_.push_back(value);
      add_size(value_sizes_, value);
      acb_mul(value, value, s, bits);
      slopes_.push_back(value);
      add_size(slope_sizes_, value);
      if (m == 0) {
        enough = Ball();
        acb_abs(enough, values_[0], bound_bits);
        arb_mul_2exp_si(enough, enough, -bits);
      }
      if (m % 8 != 7) continue;
      bound_rest(m);
      if (arb_lt(slope_rest_, enough)) return;
    }
  }

  static void add_size(Ball& sum, const Complex& value) {
    Ball size;
    acb_abs(size, value, bound_bits);
    arb_add(sum, sum, size, bound_bits);
  }

  /// Bounds the sum over all nodes after one.
  void bound_rest(std::size_t m) {
    const Reals r{bound_bits};
    const Ball one = r(1), w = r.product(line_->step, r(static_cast<long>(m)));
    Ball size = r.quotient(r.product(r.pi(), w), [&] {
      Ball result;
      arb_sinh(result, r.product(r.pi(), w), bound_bits);
      return result;
    }());
    size = r.root(size);
    for (const Box& box : law_.boxes) {
      Ball factor, other;
      const Ball radius = r(box.half_width);
      arb_sinh_cosh(factor, other, radius, bound_bits);
      factor = r.quotient(factor, radius);
      other = r.quotient(other, r.product(radius, w));
      arb_min(factor, factor, other, bound_bits);
      arb_pow_ui(factor, factor, box.count, bound_bits);
      size = r.product(size, factor);
    }
    const Ball variance = r(law_.sigma * law_.sigma / 2);
    size = r.product(size, r.exp(r.product(variance, r.difference(one, r.square(w)))));

    const Ball growth = r.sum(one, r.quotient(line_->step, w));
    Ball ratio = r.product(r.root(growth),
                           r.exp(r.negative(r.quotient(r.product(r.pi(), line_->step), r(2)))));
    value_rest_ = r.quotient(r.product(size, ratio), r.difference(one, ratio));
    ratio = r.product(ratio, growth);
    const Ball s = r.root(r.sum(one, r.square(w)));
    slope_rest_ = r.quotient(r.product(r.product(size, s), ratio), r.difference(one, ratio));
    if (!arb_lt(ratio, one)) arb_pos_inf(slope_rest_);
  }

  /// The number of terms of the series that suffice; 0 if none does.
  unsigned terms_of_series(double log_t) const {
    double bound = -log_moments_[1];
    for (unsigned count = 1; count + 1 < log_moments_.size(); ++count) {
      bound += log_t - std::log(count);
      if (bound + log_moments_[count + 1] < -static_cast<double>(bits_) * std::numbers::ln2)
        return count;
    }
    return 0;
  }

  void series(const Ball& t, unsigned count, Ball& value, Ball& slope) const {
    const Reals r{bits_};
    value = r(1);
    slope = Ball();
    Ball power = r(1);  // (-t)^n/n!
    for (unsigned n = 1; n <= count; ++n) {
      const Ball before = power;
      power = r.quotient(r.product(power, r.negative(t)), r(n));
      // The last terms of both bound the remainder.
      const Ball last = r.product(power, moments_[n]);
      if (n < count)
        value = r.sum(value, last);
      else
        arb_add_error(value, last);
      slope = r.sum(slope, r.product(r.product(before, t), moments_[n]));
    }
    arb_add_error(slope, r.product(r.product(power, t), moments_[count + 1]));
  }

  void line(const Ball& t, Ball& value, Ball& slope) const {
    const slong bits = line_->bits;
    const Reals r{bits};
    const Ball v = r.sum(r.log(t), r(mean_)), decay = r.exp(r.negative(v));
    // The real parts of the sums of values and slopes times turn^m, turn = e^(-iv step), those with
    // m > 0 twice. Balls would grow with repeated rotation; so powers are midpoints, and since
    // |turn| = 1 the error of each is that of the one before plus that of its product.
    Complex turn, power, product;
    arb_neg(acb_imagref(static_cast<acb_ptr>(turn)), r.product(v, line_->step));
    acb_exp(turn, turn, bits);
    acb_one(power);
    Ball power_error, error, sum, slope_sum;
    for (std::size_t m = 1; m < values_.size(); ++m) {
      acb_mul(product, power, turn, bits);
      acb_get_mid(power, product);
      acb_sub(product, product, power, bound_bits);
      acb_abs(error, product, bound_bits);
      arb_add(power_error, power_error, error, bound_bits);
      add_real_part(sum, values_[m], power, bits);
      add_real_part(slope_sum, slopes_[m], power, bits);
    }
    const auto finish = [&](Ball& result, const Ball& rest, const Complex& first, const Ball& sizes,
                            const Ball& left_out) {
      Ball lost = r.product(power_error, sizes);
      result = rest;
      arb_add_error(result, r.sum(lost, left_out));
      arb_mul_2exp_si(result, result, 1);
      result = r.sum(result, real_part(first));
      result = r.product(result, r.quotient(decay, r(static_cast<long>(line_->period))));
    };
    finish(value, sum, values_[0], value_sizes_, value_rest_);
    finish(slope, slope_sum, slopes_[0], slope_sizes_, slope_rest_);

    const Reals b{bound_bits};
    const auto geometric = [&](unsigned long order) {  // 1/(e^(order P) - 1)
      Ball result = b(Rational(order * line_->period));
      arb_expm1(result, result, bound_bits);
      return b.quotient(b(1), result);
    };
    const auto hump = [&](unsigned q) {  // the maximum of x^q e^-x
      Ball result = b.quotient(b(q), b.exp(b(1)));
      arb_pow_ui(result, result, q, bound_bits);
      return result;
    };
    arb_add_error(value, geometric(1));
    arb_add_error(slope, b.product(b.product(b.exp(v), first_), geometric(2)));
    Ball value_error, slope_error;
    arb_pos_inf(value_error);
    arb_pos_inf(slope_error);
    for (std::size_t i = 0; i < orders.size(); ++i) {
      const unsigned q = orders[i];
      const Ball common = b.product(
          b.product(b.exp(b.product(b(-static_cast<int>(q)), v)), tails_[i]), geometric(q - 1));
      arb_min(value_error, value_error, b.product(common, hump(q)), bound_bits);
      arb_min(slope_error, slope_error, b.product(common, hump(q + 1)), bound_bits);
    }
    arb_add_error(value, value_error);
    arb_add_error(slope, slope_error);
  }

  slong bits_;
  Boxes law_;  // about the mean
  Rational mean_;
  std::shared_ptr<GammaLine> line_;
  std::vector<Ball> moments_;  // E[e^(nz)]
  std::vector<double> log_moments_;
  std::array<Ball, orders.size()> tails_;  // E[e^(qX)]
  Ball first_;                             // E[e^X]
  std::vector<Complex> values_, slopes_;   // of the integrands
  Ball value_sizes_, slope_sizes_;         // sums of their absolute values
  Ball value_rest_, slope_rest_;           // bounds on those of the omitted nodes
};

std::unique_ptr<LaplaceTransform> LaplaceMaker::make(const IndependentSum& sum,
                                                     const Rational& shift) {
  if (const std::optional<Law> law = short_law(sum)) return make(*law, shift);
  if (!gamma_line_) gamma_line_ = std::make_shared<GammaLine>(bits_ + guard);
  return std::make_unique<Sum>(sum, shift, *this);
}

}  // namespace wmi
