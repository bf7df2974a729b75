// Rigorous values of smooth functions. All arithmetic is on rational intervals rounded outwards, so
// that each of them contains the true number.
//
// exp by its Taylor series on [0, 1/2], whose remainder is below twice the first omitted term, and
// squaring; tanh and the logistic function from exp; log(1 + z) = 2 artanh(z / (2 + z));
// Phi(x) = 1/2 + phi(x) (x + x^3/3 + x^5/(3*5) + ...), all terms positive, with a geometric
// remainder.

#include "encoders/smooth_function.h"

#include <algorithm>

#include "solver/terms/error.h"

namespace wmi::encoders {

Rational rounded_down(const Rational& x, unsigned bits) {
  const Integer scaled = x.get_num() << bits;
  Integer result;
  mpz_fdiv_q(result.get_mpz_t(), scaled.get_mpz_t(), x.get_den().get_mpz_t());
  return ratio(result, Integer(1) << bits);
}

Rational rounded_up(const Rational& x, unsigned bits) { return -rounded_down(-x, bits); }

namespace {

constexpr unsigned precision = 96;

Rational unit(unsigned bits) { return ratio(1, Integer(1) << bits); }

Interval rounded(const Interval& x) {
  return {rounded_down(x.lower, precision), rounded_up(x.upper, precision)};
}

/// e^x for x >= 0.
Interval exp_of_positive(const Rational& x) {
  unsigned halvings = 0;
  Rational y = x;
  for (; y > ratio(1, 2); y /= 2) ++halvings;
  Interval sum = Rational(1), term = Rational(1);
  for (unsigned i = 1; i <= 24; ++i) {
    term = rounded(term * Interval(y / i));
    sum = sum + term;
  }
  sum.upper += 2 * term.upper * y / 25;
  for (; halvings > 0; --halvings) sum = rounded(sum * sum);
  return sum;
}

Interval exp_of(const Rational& x) {
  // Numbers with many digits are rounded outwards first; exp is monotone.
  const Interval around = rounded(Interval(x));
  const auto at = [](const Rational& end) -> Interval {
    return end >= 0 ? exp_of_positive(end) : Interval(1) / exp_of_positive(-end);
  };
  if (around.exact()) return rounded(at(x));
  return rounded({at(around.lower).lower, at(around.upper).upper});
}

Interval logistic_of(const Rational& x) {
  return rounded(Interval(1) / (Interval(1) + exp_of(-x)));
}

Interval tanh_of(const Rational& x) {
  return rounded(Interval(2) / (Interval(1) + exp_of(-2 * x)) - Interval(1));
}

/// log(1 + z) for 0 < z <= 1.
Interval log_after_one(const Interval& z) {
  const Interval u = rounded(Interval(1) - Interval(2) / (Interval(2) + z));  // at most 1/3
  const Interval square = rounded(u * u);
  Interval power = u, sum;
  for (unsigned i = 0; i <= 32; ++i) {
    sum = sum + power * Interval(ratio(2, 2 * i + 1));
    power = rounded(power * square);
  }
  sum.upper += power.upper;  // at least 2 power / (67 (1 - 1/9))
  return rounded(sum);
}

Interval softplus_of(const Rational& x) {
  return Interval(std::max(x, Rational(0))) + log_after_one(exp_of(-abs(x)));
}

/// sqrt(2 pi).
const Interval& root_two_pi() {
  static const Interval result = [] {
    const Rational two_pi = 2 * parse_number("3.14159265358979323846264338327950288419716939937");
    const auto root = [](const Rational& x) -> Integer {
      const Rational scaled = x * (Integer(1) << 2UL * precision);
      return sqrt(Integer(scaled.get_num() / scaled.get_den()));
    };
    return Interval(Rational(root(two_pi)) * unit(precision),
                    Rational(root(two_pi + 2 * parse_number("1e-47")) + 1) * unit(precision));
  }();
  return result;
}

/// x Phi(x) for x >= 0.
Interval gelu_of_positive(const Rational& x) {
  const Rational square = x * x;
  Interval term = x, sum = x;
  for (unsigned odd = 3;; odd += 2) {
    term = rounded(term * Interval(square / odd));
    if (2 * square <= odd && term.upper <= unit(precision - 8)) {
      sum.upper += 2 * term.upper;
      break;
    }
    sum = sum + term;
  }
  const Interval phi = Interval(ratio(1, 2)) + sum / (exp_of(square / 2) * root_two_pi());
  return rounded(Interval(x) * phi);
}

Interval gelu_of(const Rational& x) {
  return x >= 0 ? gelu_of_positive(x) : gelu_of_positive(-x) + Interval(x);
}

Rational hardswish_of(const Rational& x) {
  return x <= -3 ? Rational(0) : x >= 3 ? x : Rational(x * (x + 3) / 6);
}

}  // namespace

Interval value_of(Smooth function, const Rational& x) {
  switch (function) {
    case Smooth::tanh:
      return tanh_of(x);
    case Smooth::sigmoid:
      return logistic_of(x);
    case Smooth::gelu:
      return gelu_of(x);
    case Smooth::softplus:
      return softplus_of(x);
    case Smooth::hardswish:
      return hardswish_of(x);
  }
  throw Error("no such function");
}

Interval SmoothCurve::second_derivative(const Rational& a, const Rational& b) {
  switch (function_) {
    case Smooth::tanh:
    case Smooth::sigmoid: {  // (1 + tanh(x/2)) / 2, so an eighth of tanh''
      const bool is_tanh = function_ == Smooth::tanh;
      const Rational p = is_tanh ? value(a).lower : Rational(2 * value(a).lower - 1);
      const Rational q = is_tanh ? value(b).upper : Rational(2 * value(b).upper - 1);
      // 2t^3 - 2t; t = +-1/sqrt(3) gives -+0.7698
      const auto at = [](const Rational& t) { return Interval(2 * t * (t * t - 1)); };
      Interval result = hull(at(p), at(q));
      const Rational third = ratio(1, 3);
      if ((p <= 0 || p * p <= third) && q > 0 && q * q >= third)
        result = hull(result, Rational(ratio(-77, 100)));
      if ((q >= 0 || q * q <= third) && p < 0 && p * p >= third)
        result = hull(result, Rational(ratio(77, 100)));
      return is_tanh ? result : result * Interval(ratio(1, 8));
    }
    case Smooth::softplus: {  // s(1 - s), for the logistic function s
      const Rational p = logistic(a).lower, q = logistic(b).upper;
      const auto at = [](const Rational& s) { return Interval(s * (1 - s)); };
      Interval result = hull(at(p), at(q));
      if (2 * p <= 1 && 2 * q >= 1) result = hull(result, Rational(ratio(1, 4)));
      return result;
    }
    case Smooth::gelu: {  // phi(x) (2 - x^2): falls in x^2 up to 4, there -0.10799, then rises
      const Rational p = a <= 0 && b >= 0 ? Rational(0) : std::min<Rational>(a * a, b * b);
      const Rational q = std::max<Rational>(a * a, b * b);
      Interval result = hull(gelu_second_derivative(p), gelu_second_derivative(q));
      if (p <= 4 && q >= 4) result = hull(result, Rational(ratio(-11, 100)));
      return result;
    }
    case Smooth::hardswish:  // no kink between
      return a >= -3 && b <= 3 ? Rational(ratio(1, 3)) : Rational(0);
  }
  throw Error("no such function");
}

std::vector<Rational> SmoothCurve::kinks() const {
  return function_ == Smooth::hardswish ? std::vector<Rational>{-3, 3} : std::vector<Rational>{};
}

Asymptote SmoothCurve::left() const {
  if (function_ == Smooth::tanh) return {0, -1, true};
  return {0, 0, function_ != Smooth::gelu};
}

Asymptote SmoothCurve::right() const {
  if (function_ == Smooth::tanh || function_ == Smooth::sigmoid) return {0, 1, false};
  return {1, 0, function_ != Smooth::gelu};
}

Rational SmoothCurve::tail_distance(const Rational& low, const Rational& high) {
  const Interval before = value(low) - Interval(left().at(low));
  const Interval after = value(high) - Interval(right().at(high));
  return std::max({before.upper, Rational(-before.lower), after.upper, Rational(-after.lower)});
}

Rational SmoothCurve::least_reach() const {
  switch (function_) {
    case Smooth::gelu:
      return ratio(3, 2);  // the inflection is at sqrt(2)
    case Smooth::hardswish:
      return 3;
    default:
      return ratio(1, 8);  // tanh and sigmoid have their inflection at 0
  }
}

const Interval& SmoothCurve::cached(std::map<Rational, Interval>& values, const Rational& x,
                                    Smooth function) {
  const auto found = values.find(x);
  return found != values.end() ? found->second
                               : values.emplace(x, value_of(function, x)).first->second;
}

const Interval& SmoothCurve::gelu_second_derivative(const Rational& square) {
  const auto found = others_.find(square);
  if (found != others_.end()) return found->second;
  return others_
      .emplace(square, rounded(exp_of(-square / 2) * Interval(2 - square) / root_two_pi()))
      .first->second;
}

}  // namespace wmi::encoders
