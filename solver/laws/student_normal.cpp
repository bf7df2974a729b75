// The mixture of normal laws of student_rule.h: in doubles with bounds on their errors where that is
// enough, else in balls, with a step for the digits that are wanted. In balls the sum begins where
// its terms are largest and goes up and down until the bounds on the rest (student_rule.cpp) are
// small.

#include "solver/laws/student_normal.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "solver/laws/student_rule.h"
#include "solver/numeric/reals.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

constexpr unsigned most_double_digits = 12;

enum class Quantity { density, below };

/// The infinite mixture in balls.
class BallMixture {
 public:
  BallMixture(const Rational& x, double deviation, double scale, double freedom, double digits,
              slong bits)
      : r_{bits},
        digits_(digits),
        step_(student_step(freedom, digits + 1)),
        x_(r_(x)),
        inner_(r_.square(r_(Rational(deviation)))),
        outer_(r_.square(r_(Rational(scale)))),
        half_(r_(Rational(freedom / 2))) {
    arb_lgamma(constant_, half_, bits);
    constant_ = r_.difference(r_.product(half_, r_.log(half_)), constant_);
    constant_ = r_.sum(constant_, r_.log(r_(Rational(step_))));
    // Terms of a density are largest near E = (n + 1) / (n + z^2).
    const double z = std::abs(Rational(x).get_d()) / std::hypot(scale, deviation);
    const double log_square = z < 1e100 ? std::log(freedom + z * z) : 2 * log_of(x, scale);
    middle_ = std::min(0.0, std::log(freedom + 1) - log_square);
  }

  Ball operator()(Quantity quantity) {
    const bool density = quantity == Quantity::density;
    const auto start = density ? static_cast<long>(std::floor(middle_ / step_)) : 0L;
    Ball sum, rest;
    for (long k = start;; ++k) {  // upwards
      const Term term = make(k);
      const Ball value = of(term, quantity);
      sum = r_.sum(sum, value);
      // Each later term is smaller by this factor, at least.
      const Ball slope = r_.difference(r_.product(half_, r_.difference(term.precision, r_(1))),
                                       r_(ratio(1, 2)));
      if (!arb_is_positive(slope)) continue;
      const Ball factor = r_.exp(r_.negative(r_.product(r_(Rational(step_)), slope)));
      rest = r_.quotient(r_.product(density ? value : term.weight, factor),
                         r_.difference(r_(1), factor));
      if (small(rest, sum, density)) break;
    }
    arb_add_error(sum, rest);
    for (long k = start - 1;; --k) {  // downwards
      const Term term = make(k);
      sum = r_.sum(sum, of(term, quantity));
      const Ball h = r_(Rational(step_));
      const Ball next = r_.exp(r_.sum(
          constant_, r_.product(half_, r_.difference(term.place, h))));
      rest = r_.quotient(next, r_.difference(r_(1), r_.exp(r_.negative(r_.product(h, half_)))));
      if (density) rest = r_.quotient(rest, r_.root(term.variance));
      if (small(rest, sum, density)) break;
    }
    arb_add_error(sum, rest);
    if (density) sum = r_.quotient(sum, r_.root(r_.product(r_(2), r_.pi())));
    // The step's error, relative to the value.
    Ball relative = r_.exp(r_.product(r_(Rational(-digits_ - 1)), r_.log(r_(10))));
    relative = r_.product(relative, sum);
    arb_add_error(sum, r_.product(r_(ratio(11, 10)), relative));
    return sum;
  }

 private:
  struct Term {
    Ball place, precision, weight, variance;
  };

  static double log_of(const Rational& x, double scale) {
    long exponent = 0;
    const double mantissa = std::abs(mpz_get_d_2exp(&exponent, x.get_num_mpz_t()));
    long below = 0;
    const double divisor = mpz_get_d_2exp(&below, x.get_den_mpz_t());
    return std::log(mantissa / divisor / scale) +
           static_cast<double>(exponent - below) * std::log(2.0);
  }

  Term make(long k) const {
    Term term;
    term.place = r_(Rational(step_) * Rational(Integer(k)));
    term.precision = r_.exp(term.place);
    term.weight = r_.exp(r_.sum(
        constant_, r_.product(half_, r_.difference(term.place, term.precision))));
    term.variance = r_.sum(inner_, r_.quotient(outer_, term.precision));
    return term;
  }

  Ball of(const Term& term, Quantity quantity) const {
    const Ball root = r_.root(term.variance);
    if (quantity == Quantity::below)
      return r_.product(term.weight, r_.normal_below(r_.quotient(x_, root)));
    const Ball q = r_.quotient(r_.square(x_), r_.product(r_(-2), term.variance));
    return r_.quotient(r_.product(term.weight, r_.exp(q)), root);
  }

  bool small(const Ball& rest, const Ball& sum, bool relative) const {
    Ball bound = r_.exp(r_.product(r_(Rational(-digits_ - 1)), r_.log(r_(10))));
    if (relative) bound = r_.product(bound, sum);
    return arb_le(rest, bound) != 0;
  }

  Reals r_;
  double digits_, step_, middle_ = 0;
  Ball x_, inner_, outer_, half_, constant_;
};

Interval around(const StudentRule::Value& value) {
  const Rational middle(value.value), error(value.error);
  return {middle - error, middle + error};
}

Interval clamped(Interval value, const Rational& most) {
  return {std::max(value.lower, Rational(0)), std::min(value.upper, most)};
}

}  // namespace

StudentNormal::StudentNormal(Rational mean, double deviation, double scale, double freedom)
    : mean_(std::move(mean)), deviation_(deviation), scale_(scale), freedom_(freedom) {
  if (!(deviation >= 0 && std::isfinite(deviation)))
    throw Error("the deviation of a normal law must not be below 0");
  if (!(scale > 0 && std::isfinite(scale)))
    throw Error("the scale of Student's law must be above 0");
  rule_ = student_rule(freedom);
}

Rational StudentNormal::variance() const {
  if (!(freedom_ > 2))
    throw Error("Student's law has a variance only with more than 2 degrees of freedom");
  const Rational deviation(deviation_), scale(scale_), freedom(freedom_);
  return deviation * deviation + scale * scale * freedom / (freedom - 2);
}

Interval StudentNormal::density(const Rational& x, unsigned digits) const {
  const Rational distance = x - mean_;
  if (digits <= most_double_digits && abs(distance) < Rational(1e100)) {
    const double wanted = std::pow(10, -static_cast<double>(digits));
    const auto found = rule_->density(distance.get_d(), deviation_, scale_, wanted / 8);
    if (found.value > 1e-200 && found.error <= 0.45 * wanted * found.value) return around(found);
  }
  const Ball result = refined(digits, [&](slong bits) {
    return BallMixture(distance, deviation_, scale_, freedom_, digits + 1.0,
                       bits)(Quantity::density);
  });
  return interval(result);
}

Interval StudentNormal::log_density(const Rational& x, unsigned digits) const {
  const Interval value = density(x, digits + 1);
  const Reals r{bits_of(digits) + 64};
  return {interval(r.log(r(value.lower))).lower, interval(r.log(r(value.upper))).upper};
}

Interval StudentNormal::cdf(const Rational& x, unsigned digits) const {
  const Rational distance = x - mean_;
  const double wanted = std::pow(10, -static_cast<double>(digits));
  if (digits <= most_double_digits && abs(distance) < Rational(1e100)) {
    const auto found = rule_->cdf(distance.get_d(), deviation_, scale_, wanted / 8);
    if (found.error <= 0.45 * wanted) return clamped(around(found), 1);
  }
  const slong bits = bits_of(digits) + 64;
  const Ball result =
      BallMixture(distance, deviation_, scale_, freedom_, digits + 1.0, bits)(Quantity::below);
  return clamped(interval(result), 1);
}

}  // namespace wmi
