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

/// e^((s a b - (a^2 + b^2) / 2) / rest) / 2 pi: the density of two times the root of rest = 1 - s^2.
ComplexBall peak(const Ball& a, const Ball& b, const ComplexBall& s, const ComplexBall& rest,
                 const Complexes& c) {
  const Reals reals{c.bits};
  const Ball squares = reals.quotient(reals.sum(reals.square(a), reals.square(b)), reals(2));
  const ComplexBall mixed = c.product(s, c.of(reals.product(a, b)));
  return c.quotient(c.exp(c.quotient(c.difference(mixed, c.of(squares)), rest)),
                    c.of(reals.product(reals(2), reals.pi())));
}

/// With t r = sin(x), p dt is the peak dx.
Ball of_two(const Ball& a, const Ball& b, const Ball& r, slong bits) {
  const Reals reals{bits};
  const Ball apart = reals.product(reals.normal_below(a), reals.normal_below(b));
  if (arb_is_zero(r)) return apart;
  const Ball end = arc_sine(r, bits);
  const Analytic integrand = [&](acb_ptr result, acb_srcptr x, bool analytic, slong precision) {
    const Complexes c{precision, analytic};
    ComplexBall angle, sine, cosine;
    acb_mul_arb(angle, x, end, precision);
    acb_sin_cos(sine, cosine, angle, precision);
    acb_set(result, peak(a, b, sine, c.product(cosine, cosine), c));
  };
  return reals.sum(apart, reals.product(end, integrate(one(), integrand, 0, 1, bits)));
}

/// With R^2 the square of the multiple correlation of the first with the others and R t = sin(x), the
/// determinant of the correlations is (1 - r_12^2) cos(x)^2.
Ball of_three(const Standard& x, slong bits) {
  const Reals reals{bits};
  const Ball apart =
      reals.product(reals.normal_below(x.h[0]), of_two(x.h[1], x.h[2], x.r[1][2], bits));
  if (arb_is_zero(x.r[0][1]) && arb_is_zero(x.r[0][2])) return apart;
  const Ball others = reals.difference(reals(1), reals.square(x.r[1][2]));
  const Ball twice =
      reals.product(reals(2), reals.product(x.r[1][2], reals.product(x.r[0][1], x.r[0][2])));
  const Ball multiple = reals.root(reals.quotient(
      reals.difference(reals.sum(reals.square(x.r[0][1]), reals.square(x.r[0][2])), twice),
      others));
  const Ball end = arc_sine(multiple, bits), root = reals.root(others);
  struct Part {
    Ball h, r;                  // of i
    std::array<Ball, 3> given;  // k given that 0 and i are at their bounds: a quadratic in t
  };
  std::vector<Part> parts;
  for (const auto& [i, k] : {std::pair<std::size_t, std::size_t>(1, 2), {2, 1}}) {
    const Ball &with = x.r[0][i], &other = x.r[1][2];
    if (arb_is_zero(with)) continue;
    Part& part = parts.emplace_back(Part{x.h[i], with, {}});
    part.given[0] = reals.difference(x.h[k], reals.product(other, x.h[i]));
    part.given[1] = reals.product(reals.difference(reals.product(with, other), x.r[0][k]), x.h[0]);
    part.given[2] = reals.product(
        with, reals.difference(reals.product(x.r[0][k], x.h[i]), reals.product(with, x.h[k])));
  }
  const Analytic integrand = [&](acb_ptr result, acb_srcptr place, bool analytic, slong precision) {
    const Complexes c{precision, analytic};
    ComplexBall angle, sine, cosine;
    acb_mul_arb(angle, place, end, precision);
    acb_sin_cos(sine, cosine, angle, precision);
    const ComplexBall t = c.quotient(sine, c.of(multiple));
    acb_zero(result);
    for (const Part& part : parts) {
      const ComplexBall s = c.product(t, c.of(part.r));
      ComplexBall rest;  // 1 - s^2
      acb_mul(rest, s, s, precision);
      acb_neg(rest, rest);
      acb_add_ui(rest, rest, 1, precision);
      const ComplexBall deviation = c.root(rest);
      const ComplexBall given =
          c.sum(c.of(part.given[0]),
                c.product(t, c.sum(c.of(part.given[1]), c.product(t, c.of(part.given[2])))));
      const ComplexBall u = c.quotient(given, c.product(c.product(c.of(root), cosine), deviation));
      const ComplexBall change =
          c.quotient(c.product(c.of(part.r), peak(x.h[0], part.h, s, rest, c)), deviation);
      acb_add(result, result, c.product(change, c.normal_below(u)), precision);
    }
    acb_mul(result, result, cosine, precision);  // dt = cos(x) dx / R
  };
  const Ball scale = reals.quotient(end, multiple);
  return reals.sum(apart, reals.product(scale, integrate(one(), integrand, 0, 1, bits)));
}

}  // namespace

Ball normal_orthant(std::span<const Rational> mean, std::span<const Rational> covariance,
                    slong bits) {
  const Reals reals{bits};
  if (mean.empty()) return reals(1);
  const Standard x = standard(mean, covariance, reals);
  switch (mean.size()) {
    case 1:
      return reals.normal_below(x.h[0]);
    case 2:
      return of_two(x.h[0], x.h[1], x.r[0][1], bits);
    case 3:
      return of_three(x, bits);
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
