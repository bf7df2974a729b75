// The expected softmax by one-dimensional quadrature. With S = e^(z_1) + ... + e^(z_K) and
// 1/S = integral of exp(-tS) over t > 0, and t = e^u,
//
//     p_k = E[e^(z_k)/S] = integral of F_k(u) over the line,   F_k = E[t e^(z_k) exp(-tS)]
//         = B_k(t) * product of A_j(t) over j != k
//
// by independence, where A_j = E[exp(-t e^(z_j))] and B_k = E[t e^(z_k) exp(-t e^(z_k))]
// (laplace.h). All p_k are computed in one sweep over nodes u_n = u_0 + nh, with prefix and suffix
// products instead of divisions: T_k = h sum F_k(u_n).
//
// Discretisation. F_k is analytic for |Im u| < pi/2. There |exp(-e^u S)| <= exp(-e^(Re u) cos(Im u)
// S), so that |F_k(x + iy)| <= F_k(x + log cos y) / cos y, whose integral over x is p_k / cos y.
// The error of the trapezoidal rule, from a strip of half-width a, is therefore at most
//
//     |T_k - p_k| <= delta p_k,   delta = 2 / (cos a (e^(2 pi a / h) - 1)):
//
// a bound relative to p_k itself, independent of the laws. (Trefethen and Weideman, "The
// exponentially convergent trapezoidal rule", 2014, theorem 5.1.)
// The best a is about pi/2 - h/(2 pi), and delta then about exp(-pi^2/h).
//
// Left tail, t -> 0. F_k is sum_n (-1)^n t^(n+1) E[e^(z_k) S^n]/n!, and wherever that is truncated
// the error is at most the first omitted term. The coefficients are those of the product of the
// series of B_k and A_j, which follow from the moments E[e^(nz)]. Powers of t = e^(nh + u) are
// summed in closed form, t^m/(e^(mh) - 1), so most nodes to the left need not be visited.
//
// Right tail, beyond a node at u. e^-u F_k(u) decreases, so F_k(u) is at most its mean over the
// step before with weight: h F_k(u_n) <= h/(1 - e^-h) * integral of F_k over that step. The
// integral from u on is at most that of the sum of all F_k, which is minus the derivative of the
// product of the A_j. So
//
//     tail <= h/(1 - e^-h) A_1(t) ... A_K(t).
//
// For a p_k much smaller than the others there is another bound: let s be the sum of e^z for the
// least z of each logit, then F_k(u + v) <= F_k(u) e^(v - ts(e^v - 1)) <= F_k(u) e^(-(ts - 1)v),
// and
//
//     tail <= h F_k(u) / (e^((ts - 1)h) - 1)   where ts > 1.
//
// Rounding errors are tracked by Arb. If they are too large, all is computed again with more bits.

#include "solver/laws/softmax/softmax.h"

#include <arb_poly.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "solver/laws/independent_sums/boxes.h"
#include "solver/laws/softmax/laplace.h"
#include "solver/numeric/ball.h"

namespace wmi {
namespace {

constexpr slong bound_bits = 40;              // the precision of error bounds
constexpr int most_spread = 10'000;           // of one logit
constexpr int most_deviation = 10;            // of a sum
constexpr slong smallest_exponent = 100'000;  // values below 2^-this need no digits

double to_double(const Ball& value) {
  const arb_srcptr pointer = value;
  return arf_get_d(arb_midref(pointer), ARF_RND_NEAR);
}

/// The support of a logit, or its essential part if that is unbounded.
Interval extent(const Law& law) { return law.support(); }
Interval extent(const IndependentSum& sum) {
  constexpr int far = 16;  // standard deviations
  const Boxes boxes = sum.about_mean();
  const Rational reach = boxes.reach() + far * boxes.sigma;
  return {sum.mean() - reach, sum.mean() + reach};
}
Interval extent(const Logit& logit) {
  return std::visit([](const auto& law) { return extent(law); }, logit);
}

/// Rounded to a number that nodes can have.
Rational rounded(double value) { return ratio(Integer(std::floor(value * 4096)), 4096); }

/// A polynomial in t.
class Series {
 public:
  Series() { arb_poly_init(value_); }
  Series(const Series& other) : Series() { arb_poly_set(value_, other.value_); }
  Series(Series&& other) noexcept : Series() { arb_poly_swap(value_, other.value_); }
  ~Series() { arb_poly_clear(value_); }
  Series& operator=(Series other) noexcept {
    arb_poly_swap(value_, other.value_);
    return *this;
  }

  void set(unsigned power, const Ball& coefficient) {
    arb_poly_set_coeff_arb(value_, power, coefficient);
  }
  Ball coefficient(unsigned power) const {
    Ball result;
    arb_poly_get_coeff_arb(result, value_, power);
    return result;
  }
  operator arb_poly_struct*() { return value_; }              // NOLINT: Arb's functions take it
  operator const arb_poly_struct*() const { return value_; }  // NOLINT

 private:
  arb_poly_t value_;
};

/// For each k the product of `own[k]` and of `others[j]` for all j != k.
template <class T, class Times>
std::vector<T> products(const std::vector<T>& own, const std::vector<T>& others, const T& one,
                        Times&& times) {
  std::vector<T> result(own.size());
  T before = one, after = one;
  for (std::size_t k = 0; k < own.size(); ++k) {
    result[k] = times(own[k], before);
    before = times(before, others[k]);
  }
  for (std::size_t k = own.size(); k-- > 0;) {
    result[k] = times(result[k], after);
    after = times(after, others[k]);
  }
  return result;
}

/// One pass of the trapezoidal rule.
class Sweep {
 public:
  /// With relative errors of 2^-accuracy from discretisation and from each tail.
  Sweep(std::span<const Logit> logits, slong accuracy, slong bits)
      : accuracy_(accuracy), bits_(bits), order_(first_factorial_above(accuracy)) {
    choose_step();
    Rational top = extent(logits[0]).upper, bottom = extent(logits[0]).lower;
    for (const Logit& logit : logits) {
      top = std::max(top, extent(logit).upper);
      bottom = std::max(bottom, extent(logit).lower);
    }
    // Between -top and -bottom, the range of the largest logit, and beyond on both sides until the
    // tails are negligible.
    most_nodes_ = (Rational(top - bottom).get_d() + 8 * static_cast<double>(bits)) / step_.get_d();
    LaplaceMaker maker(bits, order_ + 1);
    for (const Logit& logit : logits) {
      logits_.push_back(std::visit([&](const auto& law) { return maker.make(law, -top); }, logit));
      arb_add(least_, least_, logits_.back()->least(), bound_bits);
    }
    find_series();
    sums_.resize(logits.size());
  }

  std::vector<Ball> run() {
    long n = 0;
    for (visit(n); !right_tail_is_small(); visit(++n))
      if (static_cast<double>(n) > most_nodes_) break;  // too few bits, which the sums will show
    add_right_tail();
    for (n = 0, set_node(n); !left_tail_is_small(); visit(--n))
      if (static_cast<double>(-n) > most_nodes_) break;
    add_left_tail();

    // p = T (1 + e) with |e| <= delta / (1 - delta)
    Ball factor, error;
    arb_sub_ui(error, delta_, 1, bound_bits);
    arb_div(error, delta_, error, bound_bits);
    factor = ball(step_, bits_);
    arb_mul(error, error, factor, bound_bits);
    arb_add_error(factor, error);
    for (Ball& sum : sums_) arb_mul(sum, sum, factor, bits_);
    return sums_;
  }

 private:
  static unsigned first_factorial_above(slong log_two) {
    unsigned order = 1;
    for (double left = static_cast<double>(log_two); left > 0;) left -= std::log2(++order);
    return order;
  }

  /// Chooses approximately the largest h with a small enough delta, and bounds delta rigorously.
  void choose_step() {
    const double wanted = static_cast<double>(accuracy_) * std::numbers::ln2;
    double h = 1;
    for (int i = 0; i < 20; ++i)
      h = std::numbers::pi * std::numbers::pi / (wanted + 1 + std::log(4 * std::numbers::pi / h));
    step_ = rounded(h);
    // theta = h/6 and a = pi/2 - theta
    Ball pi, theta = ball(step_ / 6, bound_bits), exponent;
    arb_const_pi(pi, bound_bits);
    arb_mul_2exp_si(exponent, pi, -1);
    arb_sub(exponent, exponent, theta, bound_bits);
    arb_mul(exponent, exponent, pi, bound_bits);
    arb_mul_2exp_si(exponent, exponent, 1);
    arb_div(exponent, exponent, ball(step_, bound_bits), bound_bits);
    arb_expm1(exponent, exponent, bound_bits);
    arb_sin(theta, theta, bound_bits);
    arb_mul(delta_, theta, exponent, bound_bits);
    arb_inv(delta_, delta_, bound_bits);
    arb_mul_2exp_si(delta_, delta_, 1);
  }

  /// Computes the power series of all F_k in t, and the first node, from the first moments.
  void find_series() {
    std::vector<Series> own(logits_.size()), others(logits_.size());
    Ball mean, factorial, term;
    for (std::size_t k = 0; k < logits_.size(); ++k) {
      arb_one(factorial);
      for (unsigned n = 0; n <= order_ + 1; ++n) {
        Ball coefficient = logits_[k]->moment(n);
        if (n == 1) arb_add(mean, mean, coefficient, bound_bits);
        if (n > 0) arb_div_si(factorial, factorial, -static_cast<slong>(n), bits_);
        arb_mul(coefficient, coefficient, factorial, bits_);
        others[k].set(n, coefficient);
        arb_mul_si(coefficient, coefficient, -static_cast<slong>(n), bits_);
        own[k].set(n, coefficient);
      }
    }
    Series one;
    arb_poly_one(one);
    series_ = products(own, others, one, [this](const Series& a, const Series& b) {
      Series result;
      arb_poly_mullow(result, a, b, order_ + 2, bits_);
      return result;
    });
    arb_log(mean, mean, bound_bits);
    start_ = rounded(-to_double(mean));
  }

  void set_node(long n) {
    const Rational u = start_ + n * step_;
    log_t_ = u.get_d();
    t_ = ball(u, bits_ + 32);
    arb_exp(t_, t_, bits_);
  }

  /// Adds the values at a node to the sums.
  void visit(long n) {
    set_node(n);
    std::vector<Ball> values(logits_.size()), slopes(logits_.size());
    arb_one(product_);
    for (std::size_t k = 0; k < logits_.size(); ++k) {
      logits_[k]->at(t_, log_t_, values[k], slopes[k]);
      arb_mul(product_, product_, values[k], bound_bits);
    }
    Ball one;
    arb_one(one);
    terms_ = products(slopes, values, one, [this](const Ball& a, const Ball& b) {
      Ball result;
      arb_mul(result, a, b, bits_);
      return result;
    });
    for (std::size_t k = 0; k < logits_.size(); ++k) arb_add(sums_[k], sums_[k], terms_[k], bits_);
  }

  /// Bounds on the sums over all nodes to the right of the node.
  std::vector<Ball> right_tails() const {
    Ball common, falling, one, h = ball(step_, bound_bits);
    arb_one(one);
    arb_neg(common, h);
    arb_expm1(common, common, bound_bits);
    arb_neg(common, common);
    arb_div(common, product_, common, bound_bits);

    arb_mul(falling, t_, least_, bound_bits);
    arb_sub(falling, falling, one, bound_bits);
    arb_mul(falling, falling, h, bound_bits);
    arb_expm1(falling, falling, bound_bits);
    const bool falls = arb_is_positive(falling);
    std::vector<Ball> tails(terms_.size(), common);
    for (std::size_t k = 0; falls && k < tails.size(); ++k) {
      Ball own;
      arb_div(own, terms_[k], falling, bound_bits);
      arb_min(tails[k], common, own, bound_bits);
    }
    return tails;
  }
  bool right_tail_is_small() const { return small(right_tails()); }
  void add_right_tail() {
    const std::vector<Ball> tails = right_tails();
    for (std::size_t k = 0; k < sums_.size(); ++k) add_between_zero_and(sums_[k], tails[k]);
  }

  /// The sum of t^power over all nodes to the left of the node.
  Ball powers_to_the_left(unsigned power, slong bits) const {
    Ball result, ratio = ball(power * step_, bits);
    arb_expm1(ratio, ratio, bits);
    arb_pow_ui(result, t_, power, bits);
    arb_div(result, result, ratio, bits);
    return result;
  }
  /// Chooses where to truncate the series: at a high power, unless e^z has heavy tails, as for a
  /// Gaussian z.
  bool left_tail_is_small() {
    for (broken_off_ = order_ + 1; broken_off_ > 1; --broken_off_) {
      const Ball power = powers_to_the_left(broken_off_, bound_bits);
      std::vector<Ball> errors(sums_.size());
      for (std::size_t k = 0; k < sums_.size(); ++k)
        arb_mul(errors[k], power, series_[k].coefficient(broken_off_), bound_bits);
      if (small(errors)) return true;
    }
    return false;
  }
  void add_left_tail() {
    for (unsigned power = 1; power <= broken_off_; ++power) {
      const Ball left = powers_to_the_left(power, bits_);
      for (std::size_t k = 0; k < sums_.size(); ++k) {
        Ball term;
        arb_mul(term, left, series_[k].coefficient(power), bits_);
        if (power < broken_off_)
          arb_add(sums_[k], sums_[k], term, bits_);
        else
          arb_add_error(sums_[k], term);
      }
    }
  }

  void add_between_zero_and(Ball& sum, const Ball& most) const {
    Ball half;
    arb_mul_2exp_si(half, most, -1);
    arb_add(sum, sum, half, bits_);
    arb_add_error(sum, half);
  }

  /// Whether each error is certainly small compared to its sum.
  bool small(const std::vector<Ball>& errors) const {
    for (std::size_t k = 0; k < errors.size(); ++k) {
      Ball error;
      arb_abs(error, errors[k]);
      arb_mul_2exp_si(error, error, accuracy_);
      if (!arb_le(error, sums_[k])) return false;
    }
    return true;
  }

  slong accuracy_;
  slong bits_;
  unsigned order_;  // of the series to the left
  Rational step_, start_;
  Ball delta_;  // relative error of the rule
  double most_nodes_;
  std::vector<std::unique_ptr<LaplaceTransform>> logits_;
  Ball least_;                  // sum of e^z for the least z of each
  std::vector<Series> series_;  // of each F_k
  unsigned broken_off_ = 1;     // the first power that is omitted
  std::vector<Ball> sums_;      // of each F_k, over the nodes visited

  // At the current node:
  Ball t_;
  double log_t_ = 0;
  Ball product_;             // of all A_j
  std::vector<Ball> terms_;  // F_k
};

constexpr const char* nothing = "softmax: there are no logits; give at least one";
std::string name_of(std::size_t k) { return "softmax: logit " + std::to_string(k + 1); }

void check(const Law& law, const std::string& name) {
  if (!law.non_negative())
    throw Error(name + " has a density that is negative somewhere, so it is no law");
  if (law.zero()) throw Error(name + " has no mass");
  const Interval support = law.support();
  if (support.upper - support.lower > most_spread)
    throw GaveUp(name + " is spread over more than " + std::to_string(most_spread) +
                 "; scale the logits");
}

void check(const IndependentSum& sum, const std::string& name) {
  if (sum.variance() > most_deviation * most_deviation)
    throw GaveUp(name + " has a standard deviation of more than " + std::to_string(most_deviation) +
                 "; scale the logits");
}

/// Whether it has so many digits, or is too small to need them.
bool settled(const Ball& probability, unsigned digits) {
  if (has_digits(probability, digits)) return true;
  mag_t size;
  mag_init(size);
  arb_get_mag(size, probability);
  const bool negligible = mag_cmp_2exp_si(size, -smallest_exponent) < 0;
  mag_clear(size);
  return negligible;
}

}  // namespace

void check_logits(std::span<const Law> logits) {
  if (logits.empty()) throw Error(nothing);
  for (std::size_t k = 0; k < logits.size(); ++k) check(logits[k], name_of(k));
}

void check_logits(std::span<const Logit> logits) {
  if (logits.empty()) throw Error(nothing);
  for (std::size_t k = 0; k < logits.size(); ++k)
    std::visit([&](const auto& law) { check(law, name_of(k)); }, logits[k]);
}

std::vector<Interval> softmax(std::span<const Law> logits, unsigned digits) {
  return softmax(std::vector<Logit>(logits.begin(), logits.end()), digits);
}

std::vector<Interval> softmax(std::span<const Logit> logits, unsigned digits) {
  check_logits(logits);
  if (logits.size() == 1) return {Interval(1)};
  const slong accuracy = bits_of(digits) + 2;
  const slong guard = 24 + static_cast<slong>(std::log2(logits.size()));
  for (slong bits = accuracy + guard; bits <= 64 * (accuracy + guard); bits *= 2) {
    const std::vector<Ball> found = Sweep(logits, accuracy, bits).run();
    if (!std::ranges::all_of(found, [&](const Ball& p) { return settled(p, digits); })) continue;
    std::vector<Interval> result;
    for (const Ball& p : found) {
      const Interval hull = interval(p);
      result.emplace_back(std::max(hull.lower, Rational(0)), std::min(hull.upper, Rational(1)));
    }
    return result;
  }
  throw GaveUp("softmax: " + std::to_string(digits) + " digits are out of reach");
}

}  // namespace wmi
