// Box splines: sums of uniforms by summation over the corners of their product.
//
// A uniform on [-h, h] is the difference of two steps, over 2h. So if S = R + (n boxes), then with
// the tail integrals Q of tilted.h, whose derivatives are Q_n' = -Q_(n-1),
//
//     Q_d of S (x)  =  1 / prod(2 h_j)  sum over the 2^n corners  +-  Q_(n+d) of R (x - corner),
//
// corner = sum of +-h_j, the sign that of the number of minus signs. A box that occurs m times has
// m + 1 corners with binomial weights. R is symmetric, hence for z < 0
//
//     Q_k(z) = E[(R - z)^(k-1)] / (k-1)!  +  (-1)^k Q_k(-z),
//
// a polynomial with the exact moments of R, and a tail. The polynomials, which cancel, are added in
// rationals; the tails vanish beyond the reach of R and are computed with relative accuracy, or
// omitted with a bound. Without an R there are no tails: this is the closed form.
//
// This is the method of choice where Fourier series converge too slowly: for few boxes, or if a few
// are far wider than the rest, whose own series is short.

#include "solver/laws/independent_sums/box_spline.h"

#include <arb.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "solver/laws/independent_sums/moments.h"
#include "solver/laws/independent_sums/tilt_plan.h"
#include "solver/laws/independent_sums/tilted.h"
#include "solver/numeric/ball.h"

namespace wmi {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Calls `visit(corner, weight)` for each corner of boxes with these half widths and counts.
template <class Number>
class Corners {
 public:
  void add(const Number& half_width, unsigned count) {
    std::vector<Integer> row{1};
    for (unsigned i = 0; i < count; ++i) {
      const Integer next = row.back() * (count - i) / (i + 1);
      row.push_back(next);
    }
    for (unsigned minus = 1; minus <= count; minus += 2) row[minus] = -row[minus];
    kinds_.push_back({half_width, 2 * half_width, count, std::move(row)});
  }

  template <class Visit>
  void each(const Visit& visit) const {
    below(0, Number(0), 1, visit);
  }

 private:
  struct Kind {
    Number half_width;
    Number width;
    unsigned count;
    std::vector<Integer> weights;  // signed binomial coefficients
  };

  template <class Visit>
  void below(std::size_t j, const Number& corner, const Integer& weight, const Visit& visit) const {
    if (j == kinds_.size()) return visit(corner, weight);
    const Kind& kind = kinds_[j];
    Number next = corner + kind.count * kind.half_width;
    for (unsigned minus = 0; minus <= kind.count; ++minus) {
      below(j + 1, next, Integer(weight * kind.weights[minus]), visit);
      next -= kind.width;
    }
  }

  std::vector<Kind> kinds_;
};

Boxes rest_of(const Boxes& law, std::size_t groups) {
  return {{law.boxes.begin() + static_cast<std::ptrdiff_t>(groups), law.boxes.end()}, law.sigma};
}

/// n boxes, and the product of their widths.
struct Split {
  Split(const Boxes& law, std::size_t groups) {
    for (std::size_t j = 0; j < groups; ++j) {
      count += law.boxes[j].count;
      volume *= power(2 * law.boxes[j].half_width, law.boxes[j].count);
    }
  }
  unsigned count = 0;
  Rational volume = 1;
};

Integer factorial(unsigned n) {
  Integer result;
  mpz_fac_ui(result.get_mpz_t(), n);
  return result;
}

}  // namespace

double corner_count(const Boxes& law, std::size_t groups) {
  double result = 1;
  for (std::size_t j = 0; j < groups; ++j) result *= law.boxes[j].count + 1.0;
  return result;
}

Rational exact_tail(const Boxes& law, unsigned order, const Rational& x) {
  const Split split(law, law.boxes.size());
  if (split.count == 1 && order == 0)
    return abs(x) <= law.boxes[0].half_width ? Rational(1 / split.volume) : Rational(0);
  // From the nearer end, where fewer corners contribute; Q_1(x) = 1 - Q_1(-x).
  if (x < 0) return order == 0 ? exact_tail(law, 0, -x) : Rational(1 - exact_tail(law, 1, -x));
  if (x >= law.reach()) return 0;
  const unsigned degree = split.count + order - 1;
  // Over a common denominator, so that the corners are integers.
  Integer denominator = x.get_den();
  for (const Box& box : law.boxes)
    denominator = lcm(denominator, Integer(box.half_width.get_den()));
  Corners<Integer> corners;
  for (const Box& box : law.boxes)
    corners.add(Rational(box.half_width * denominator).get_num(), box.count);
  const Integer at = Rational(x * denominator).get_num();
  Integer sum, term;
  corners.each([&](const Integer& corner, const Integer& weight) {
    if (corner <= at) return;
    term = corner - at;
    mpz_pow_ui(term.get_mpz_t(), term.get_mpz_t(), degree);
    sum += weight * term;
  });
  Integer scale;
  mpz_pow_ui(scale.get_mpz_t(), denominator.get_mpz_t(), degree);
  return ratio(sum, scale * factorial(degree)) / split.volume;
}

Ball split_tail(const Boxes& law, std::size_t groups, unsigned order, const Rational& x,
                long bits) {
  if (x < 0) {
    Ball result = split_tail(law, groups, order, -x, bits);
    if (order == 1) {
      arb_sub_ui(result, result, 1, bits + 64);
      arb_neg(result, result);
    }
    return result;
  }
  if (groups == 0) return tail_integral(law, order, x, bits);

  const Split split(law, groups);
  const Boxes rest = rest_of(law, groups);
  const unsigned k = split.count + order;
  const std::vector<Rational> moments = central_moments(rest, k - 1);

  // E[(R - z)^(k-1)] = sum of binomial(k-1, i) E[R^i] (-z)^(k-1-i), by Horner's rule in integers,
  // with common denominators d of the points and e of the coefficients.
  Integer d = x.get_den(), e = 1;
  for (std::size_t j = 0; j < groups; ++j) d = lcm(d, Integer(law.boxes[j].half_width.get_den()));
  std::vector<Rational> coefficients(k);
  Integer scale = 1;
  for (unsigned i = 0; i < k; ++i) {
    Integer binomial;
    mpz_bin_uiui(binomial.get_mpz_t(), k - 1, i);
    coefficients[i] = scale * binomial * moments[i];
    e = lcm(e, Integer(coefficients[i].get_den()));
    if (i + 1 < k) scale *= d;
  }
  std::vector<Integer> polynomial(k);
  for (unsigned i = 0; i < k; ++i) polynomial[i] = Rational(coefficients[i] * e).get_num();

  struct Tail {
    Rational at;
    Integer weight;
    double log_bound;
  };
  std::vector<Tail> tails;
  Integer sum_of_polynomials, value;
  double most = -infinity;
  Ball left_out, term;
  // Tails that are negligible compared to the largest so far are dropped.
  const auto too_small = [&](double log_bound) {
    return log_bound < most - (static_cast<double>(bits) + 8) * std::log(2);
  };
  const auto leave_out = [&](double log_bound) {
    arb_set_d(term, log_bound);
    arb_exp(term, term, 30);
    arb_add(left_out, left_out, term, 60);
  };
  const auto prune = [&] {
    std::erase_if(tails, [&](const Tail& tail) {
      if (!too_small(tail.log_bound)) return false;
      leave_out(tail.log_bound);
      return true;
    });
  };
  std::size_t room = 1024;
  const Rational reach = rest.reach();
  const Integer point = Rational(x * d).get_num();
  Corners<Integer> corners;
  for (std::size_t j = 0; j < groups; ++j)
    corners.add(Rational(law.boxes[j].half_width * d).get_num(), law.boxes[j].count);
  corners.each([&](const Integer& corner, const Integer& weight) {
    const Integer below = corner - point;  // -z
    if (below > 0) {
      value = 0;
      for (const Integer& coefficient : polynomial) {
        value *= below;
        value += coefficient;
      }
      sum_of_polynomials += weight * value;
    }
    const Rational at = ratio(abs(below), d);
    if (rest.sigma == 0 && at >= reach) return;
    const double bound = log_tail_bound(rest, k, at) + std::log(std::abs(weight.get_d()));
    most = std::max(most, bound);
    if (too_small(bound)) return leave_out(bound);
    tails.push_back({at, below > 0 && k % 2 == 1 ? Integer(-weight) : weight, bound});
    if (tails.size() < room) return;
    prune();
    room = std::max<std::size_t>(room, 2 * tails.size());
  });
  Rational exact = ratio(sum_of_polynomials, scale * e);
  exact /= factorial(k - 1);
  if (exact != 0) {
    // Its size, from the exponents of its parts, up to a factor of 4.
    const double size = static_cast<double>(mpz_sizeinbase(exact.get_num_mpz_t(), 2)) -
                        static_cast<double>(mpz_sizeinbase(exact.get_den_mpz_t(), 2));
    most = std::max(most, size * std::log(2));
  }

  const long precision = bits + 64;
  prune();
  Ball sum, weight;
  for (const Tail& tail : tails) {
    // Smaller tails need fewer digits.
    const double spare = (most - tail.log_bound) / std::log(2);
    const long enough = std::max(16L, bits - static_cast<long>(std::max(0.0, spare)));
    term = tail_integral(rest, k, tail.at, enough);
    weight = ball(Rational(tail.weight), precision);
    arb_addmul(sum, term, weight, precision);
  }
  arb_add_error(sum, left_out);
  arb_add(sum, sum, ball(exact, precision + 64), precision + 64);
  arb_div(sum, sum, ball(split.volume, precision), precision);
  return sum;
}

std::size_t best_split(const Boxes& law, unsigned order, const Rational& x, long bits) {
  // Costs in units of one sine; planning has a cost, too, which grows with the number of boxes.
  constexpr double plan_work = 500, corner_work = 0.5, bound_work = 5;
  const double series_enough = 20'000 + 20 * static_cast<double>(law.boxes.size());
  // Limits on corners, without and with a rest, and on work: less than a minute each.
  constexpr double most_corners = 1 << 22, most_split_corners = 1 << 17, most_work = 5e7;
  const double sine = 1 + static_cast<double>(bits) / 256;  // cost at this precision
  std::size_t best = 0;
  double least = sine * tail_work(law, order, abs(x), bits);
  if (least <= sine * series_enough) return 0;
  unsigned count = 0;
  double square = 0;  // of the spread of the corners
  Integer denominator = x.get_den();
  for (std::size_t groups = 1; groups <= law.boxes.size(); ++groups) {
    const Box& box = law.boxes[groups - 1];
    count += box.count;
    square += box.count * std::pow(box.half_width.get_d(), 2);
    const double corners = corner_count(law, groups);
    if (corners > most_corners) break;
    const bool closed = groups == law.boxes.size() && law.sigma == 0;
    // Powers of corners have the bits of all denominators.
    denominator = lcm(denominator, Integer(box.half_width.get_den()));
    const auto size = static_cast<double>(mpz_sizeinbase(denominator.get_mpz_t(), 2));
    if (!closed && corners > most_split_corners) continue;
    double work = corners * corner_work * count * (1 + size * count / 4096);
    if (!closed) {
      // Tails contribute within so many deviations of the rest, or within its reach.
      const Boxes rest = rest_of(law, groups);
      double near =
          std::sqrt(2 * std::log(2) * static_cast<double>(bits) * rest.variance().get_d());
      if (rest.sigma == 0) near = std::min(near, rest.reach().get_d());
      const double tails = 1 + corners * std::min(1.0, near / std::sqrt(square));
      work += corners * bound_work;
      work += sine * tails * (plan_work + tail_work(rest, count + order, 0, bits));
    }
    if (work < least) {
      least = work;
      best = groups;
    }
  }
  if (least > most_work)
    throw GaveUp("the sum has too few terms for a Fourier series and too many for its corners");
  return best;
}

}  // namespace wmi
