// With h_i the means over the deviations, and the correlations r_ij, the probability P(h; r) that all
// are above 0 changes with a correlation like (Plackett, 1954)
//
//     dP / dr_ij = p(h_i, h_j; r_ij) * (the probability of the others, given that these are 0),
//
// p the density of two standard normal numbers. So from a first number that is independent, whose
// probability is a product, one integral leads to the correlations wanted:
//
//     two:    Phi(h_1) Phi(h_2) + integral from 0 to 1 of r p(h_1, h_2; t r) dt
//     three:  Phi(h_1) P(h_2, h_3; r_23) + integral of r_12 p(h_1, h_2; t r_12) Phi(u_3(t)) dt + likewise

#include "solver/smooth/normal_orthant.h"

#include <acb_hypgeom.h>

#include <array>
#include <vector>

#include "solver/numeric/complex_ball.h"
#include "solver/numeric/quadrature.h"
#include "solver/numeric/reals.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

/// Arithmetic of complex balls at one precision; roots are not finite where their branch cut is met.
struct Complexes {
  slong bits;
  bool analytic;

  ComplexBall of(const Ball& a) const {
    ComplexBall result;
    acb_set_arb(result, a);
    return result;
  }
  ComplexBall sum(const ComplexBall& a, const ComplexBall& b) const {
    ComplexBall result;
    acb_add(result, a, b, bits);
    return result;
  }
  ComplexBall difference(const ComplexBall& a, const ComplexBall& b) const {
    ComplexBall result;
    acb_sub(result, a, b, bits);
    return result;
  }
  ComplexBall product(const ComplexBall& a, const ComplexBall& b) const {
    ComplexBall result;
    acb_mul(result, a, b, bits);
    return result;
  }
  ComplexBall quotient(const ComplexBall& a, const ComplexBall& b) const {
    ComplexBall result;
    acb_div(result, a, b, bits);
    return result;
  }
  ComplexBall root(const ComplexBall& a) const {
    ComplexBall result;
    acb_sqrt_analytic(result, a, analytic, bits);
    return result;
  }
  ComplexBall exp(const ComplexBall& a) const {
    ComplexBall result;
    acb_exp(result, a, bits);
    return result;
  }
  /// The distribution function of the standard normal law.
  ComplexBall normal_below(const ComplexBall& a) const {
    ComplexBall result;
    acb_neg(result, a);
    acb_div(result, result, of(Reals{bits}.root(Reals{bits}(2))), bits);
    acb_hypgeom_erfc(result, result, bits);
    acb_mul_2exp_si(result, result, -1);
    return result;
  }
};

struct Standard {
  std::vector<Ball> h;
  std::array<std::array<Ball, 3>, 3> r;
};

Standard standard(std::span<const Rational> mean, std::span<const Rational> covariance,
                  const Reals& r) {
  const std::size_t n = mean.size();
  Standard result;
  std::vector<Ball> deviations;
  for (std::size_t i = 0; i < n; ++i) {
    deviations.push_back(r.root(r(covariance[i * n + i])));
    result.h.push_back(r.quotient(r(mean[i]), deviations.back()));
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      result.r[i][j] =
          r.quotient(r(covariance[i * n + j]), r.product(deviations[i], deviations[j]));
  return result;
}

const Univariate& one() {
  static const Univariate result = Univariate::constant(1);
  return result;
}

Ball arc_sine(const Ball& x, slong bits) {
  Ball result;
  arb_asin(result, x, bits);
  return result;
}

Ball arc_cosine(const Ball& x, slong bits) {
  Ball result;
  arb_acos(result, x, bits);
  return result;
}

/// Correlations t r on the way from t = 0 to 1, with R t = cos(phi): near the end 1 - t may be small, and
/// is made of small numbers, so that its ball is.
class Path {
 public:
  Path(const Ball& largest, slong bits)
      : largest_(largest), end_(arc_cosine(largest, bits)), length_(arc_sine(largest, bits)) {}

  struct Place {
    ComplexBall sine;       // of phi
    ComplexBall remaining;  // 1 - t
  };

  /// For x from 0 to 1.
  Place at(acb_srcptr x, const Complexes& c) const {
    const Reals reals{c.bits};
    ComplexBall phi, half, cosine;
    acb_sub_ui(phi, x, 1, c.bits);
    acb_neg(phi, phi);
    phi = c.sum(c.product(phi, c.of(length_)), c.of(end_));
    Place result;
    acb_sin(result.sine, phi, c.bits);
    acb_mul_2exp_si(half, phi, -1);
    acb_sin(half, half, c.bits);
    half = c.product(half, half);
    acb_mul_2exp_si(half, half, 1);  // 1 - cos(phi)
    const ComplexBall most = c.of(reals.difference(largest_, reals(1)));
    result.remaining = c.quotient(c.sum(most, half), c.of(largest_));
    return result;
  }

  const Ball& length() const { return length_; }

 private:
  Ball largest_, end_, length_;
};

/// A correlation s = t r.
struct Correlation {
  ComplexBall less, more;  // 1 - s, 1 + s

  Correlation(const Ball& r, const ComplexBall& remaining, const Complexes& c) {
    const Reals reals{c.bits};
    const ComplexBall missing = c.product(remaining, c.of(r));
    less = c.sum(c.of(reals.difference(reals(1), r)), missing);
    more = c.difference(c.of(reals.sum(reals(1), r)), missing);
  }
};

/// e^((s a b - (a^2 + b^2) / 2) / (1 - s^2)) / 2 pi: the density of two times the root of 1 - s^2. With the
/// square of a - b, or of a + b, there is no difference of large numbers.
ComplexBall peak(const Ball& a, const Ball& b, const Ball& r, const Correlation& s,
                 const Complexes& c) {
  const Reals reals{c.bits};
  const bool positive = arb_is_nonnegative(r);
  const Ball apart = positive ? reals.difference(a, b) : reals.sum(a, b);
  const Ball square = reals.quotient(reals.square(apart), reals(2));
  const Ball product = positive ? reals.product(a, b) : reals.negative(reals.product(a, b));
  ComplexBall exponent = c.quotient(c.of(square), c.product(s.less, s.more));
  exponent = c.sum(exponent, c.quotient(c.of(product), positive ? s.more : s.less));
  acb_neg(exponent, exponent);
  return c.quotient(c.exp(exponent), c.of(reals.product(reals(2), reals.pi())));
}

/// A ball around 0 that holds the integral of r p(a, b; t r) from t = 0 to 1, if that is at most
/// 2^-negligible: for every correlation the exponent is at most -max(a^2, b^2) / 2, and the integral
/// of r / sqrt(1 - (t r)^2) is arcsin r.
std::optional<Ball> negligible_integral(const Ball& a, const Ball& b,
                                        std::optional<slong> negligible) {
  if (!negligible) return std::nullopt;
  const Reals reals{64};
  Ball greatest, bound;
  arb_max(greatest, reals.square(a), reals.square(b), reals.bits);
  arb_mul_2exp_si(greatest, greatest, -1);
  bound = reals.quotient(reals.exp(reals.negative(greatest)), reals(4));
  Ball most, result;
  arb_set_ui(most, 1);
  arb_mul_2exp_si(most, most, -*negligible);
  if (!arb_le(bound, most)) return std::nullopt;
  arb_add_error(result, bound);
  return result;
}

/// With t R = cos(phi), R = |r|, r p dt is the peak times dx, and the length has the sign of r.
Ball of_two(const Ball& a, const Ball& b, const Ball& r, slong bits,
            std::optional<slong> negligible) {
  const Reals reals{bits};
  const Ball apart = reals.product(reals.normal_below(a), reals.normal_below(b));
  if (arb_is_zero(r)) return apart;
  if (const auto bound = negligible_integral(a, b, negligible)) return reals.sum(apart, *bound);
  const Path path(reals.size(r), bits);
  const Analytic integrand = [&](acb_ptr result, acb_srcptr x, bool analytic, slong precision) {
    const Complexes c{precision, analytic};
    acb_set(result, peak(a, b, r, Correlation(r, path.at(x, c).remaining, c), c));
  };
  return reals.sum(apart,
                   reals.product(arc_sine(r, bits), integrate(one(), integrand, 0, 1, bits)));
}

/// With R^2 the square of the multiple correlation of the first with the others and R t = cos(phi), the
/// determinant of the correlations is (1 - r_23^2) sin(phi)^2.
Ball of_three(const Standard& x, slong bits, std::optional<slong> negligible) {
  const Reals reals{bits};
  Ball apart = reals.product(reals.normal_below(x.h[0]),
                             of_two(x.h[1], x.h[2], x.r[1][2], bits, negligible));
  if (arb_is_zero(x.r[0][1]) && arb_is_zero(x.r[0][2])) return apart;
  const Ball others = reals.difference(reals(1), reals.square(x.r[1][2]));
  const Ball twice =
      reals.product(reals(2), reals.product(x.r[1][2], reals.product(x.r[0][1], x.r[0][2])));
  const Ball multiple = reals.root(reals.quotient(
      reals.difference(reals.sum(reals.square(x.r[0][1]), reals.square(x.r[0][2])), twice),
      others));
  const Path path(multiple, bits);
  const Ball root = reals.root(others);
  struct Part {
    Ball h, r;                  // of i
    std::array<Ball, 3> given;  // k given that 0 and i are at their bounds: a quadratic in 1 - t
  };
  std::vector<Part> parts;
  for (const auto& [i, k] : {std::pair<std::size_t, std::size_t>(1, 2), {2, 1}}) {
    const Ball &with = x.r[0][i], &other = x.r[1][2];
    if (arb_is_zero(with)) continue;
    if (const auto bound = negligible_integral(x.h[0], x.h[i], negligible)) {
      apart = reals.sum(apart, *bound);
      continue;
    }
    Part& part = parts.emplace_back(Part{x.h[i], with, {}});
    const Ball constant = reals.difference(x.h[k], reals.product(other, x.h[i]));
    const Ball slope =
        reals.product(reals.difference(reals.product(with, other), x.r[0][k]), x.h[0]);
    const Ball square = reals.product(
        with, reals.difference(reals.product(x.r[0][k], x.h[i]), reals.product(with, x.h[k])));
    part.given[0] = reals.sum(constant, reals.sum(slope, square));
    part.given[1] = reals.negative(reals.sum(slope, reals.product(reals(2), square)));
    part.given[2] = square;
  }
  if (parts.empty()) return apart;
  const Analytic integrand = [&](acb_ptr result, acb_srcptr place, bool analytic, slong precision) {
    const Complexes c{precision, analytic};
    const Path::Place at = path.at(place, c);
    acb_zero(result);
    for (const Part& part : parts) {
      const Correlation s(part.r, at.remaining, c);
      const ComplexBall deviation = c.root(c.product(s.less, s.more));
      const ComplexBall given = c.sum(
          c.of(part.given[0]),
          c.product(at.remaining,
                    c.sum(c.of(part.given[1]), c.product(at.remaining, c.of(part.given[2])))));
      const ComplexBall u = c.quotient(given, c.product(c.product(c.of(root), at.sine), deviation));
      const ComplexBall change =
          c.quotient(c.product(c.of(part.r), peak(x.h[0], part.h, part.r, s, c)), deviation);
      acb_add(result, result, c.product(change, c.normal_below(u)), precision);
    }
    acb_mul(result, result, at.sine, precision);  // dt = sin(phi) dx / R
  };
  const Ball scale = reals.quotient(path.length(), multiple);
  return reals.sum(apart, reals.product(scale, integrate(one(), integrand, 0, 1, bits)));
}

}  // namespace

Ball normal_orthant(std::span<const Rational> mean, std::span<const Rational> covariance,
                    slong bits, std::optional<slong> negligible) {
  const Reals reals{bits};
  if (mean.empty()) return reals(1);
  const Standard x = standard(mean, covariance, reals);
  switch (mean.size()) {
    case 1:
      return reals.normal_below(x.h[0]);
    case 2:
      return of_two(x.h[0], x.h[1], x.r[0][1], bits, negligible);
    case 3:
      return of_three(x, bits, negligible);
    default:
      throw Error("orthants of more than three normal numbers have no such integral");
  }
}

Ball normal_quadrant(std::span<const Rational> mean, std::span<const Rational> covariance,
                     unsigned digits) {
  constexpr unsigned most_doublings = 12;
  const slong bits = bits_of(digits) + 32;
  const Reals reals{bits};
  const Standard x = standard(mean, covariance, reals);
  const Ball& r = x.r[0][1];
  const Ball rest = reals.root(reals.difference(reals(1), reals.square(r)));
  // The first from 0 to L, with the probability of the second given it; beyond L the first alone.
  const Analytic integrand = [&](acb_ptr result, acb_srcptr place, bool analytic, slong precision) {
    const Complexes c{precision, analytic};
    ComplexBall z;
    acb_sub_arb(z, place, x.h[0], precision);
    ComplexBall square = c.product(z, z);
    acb_mul_2exp_si(square, square, -1);
    acb_neg(square, square);
    const ComplexBall u = c.quotient(c.sum(c.of(x.h[1]), c.product(c.of(r), z)), c.of(rest));
    acb_set(result, c.product(c.exp(square), c.normal_below(u)));
  };
  const Ball scale = reals.root(reals.product(reals(2), reals.pi()));
  Ball result;
  Rational from = 0, to = 4;
  for (unsigned doubling = 0; doubling < most_doublings; ++doubling) {
    result = reals.sum(result, reals.quotient(integrate(one(), integrand, from, to, bits), scale));
    const Ball beyond = reals.normal_below(reals.difference(x.h[0], reals(to)));
    Ball whole = result;
    arb_add_error(whole, beyond);
    if (has_digits(whole, digits)) return whole;
    from = to;
    to *= 2;
  }
  throw GaveUp("the probability of an orthant is too small to have digits");
}

}  // namespace wmi
