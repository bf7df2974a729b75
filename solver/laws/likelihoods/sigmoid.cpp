// The mean of the sigmoid, E[1/(1 + e^-f)]. For a constant piece, log(1 + e^s) is an
// antiderivative; others are integrated by rigorous quadrature, without cancellation: the integrand
// has the sign of the density. It is computed as e^s/(1 + e^s) left of 0 and as 1/(1 + e^-s) right
// of it, so that no exponential is large.
//
// Quadrature is used in the middle only. Beyond B = bits log 2 on either side the sigmoid is, up to
// a factor between 1 - e^-B and 1, a function with closed-form integrals: 1 on the right, and e^s
// on the left, where (p - p' + p'' - ...) e^s is an antiderivative of p e^s. So however long a
// piece is, quadrature is over a length of at most 2B.

#include "solver/laws/likelihoods/kernel.h"
#include "solver/numeric/quadrature.h"
#include "solver/numeric/roots.h"

namespace wmi {
namespace {

void left_of_zero(acb_ptr value, acb_srcptr s, bool, slong bits) {
  acb_t e;
  acb_init(e);
  acb_exp(e, s, bits);
  acb_add_ui(value, e, 1, bits);
  acb_div(value, e, value, bits);
  acb_clear(e);
}

void right_of_zero(acb_ptr value, acb_srcptr s, bool, slong bits) {
  acb_neg(value, s);
  acb_exp(value, value, bits);
  acb_add_ui(value, value, 1, bits);
  acb_inv(value, value, bits);
}

Ball sigmoid(const Rational& s, const Reals& r) {
  const Ball e = r.exp(r(Rational(-abs(s))));
  return r.quotient(s < 0 ? e : r(1), r.sum(r(1), e));
}

/// An upper bound on the integral of |p|.
Rational most(const Univariate& density, const Rational& from, const Rational& to) {
  if (non_negative_between(density, from, to)) return density.integral(from, to);
  const Rational furthest = std::max(Rational(abs(from)), Rational(abs(to)));
  Rational bound;
  for (std::size_t i = density.coefficients().size(); i-- > 0;)
    bound = bound * furthest + abs(density.coefficients()[i]);
  return bound * (to - from);
}

/// The integral of p over an interval right of `cut`.
Ball far_right(const Univariate& density, const Rational& from, const Rational& to,
               const Rational& cut, const Reals& r) {
  Ball result = r(density.integral(from, to));
  arb_add_error(result, r.product(r.exp(r(Rational(-cut))), r(most(density, from, to))));
  return result;
}

/// The integral of p e^s over an interval left of `-cut`.
Ball far_left(const Univariate& density, const Rational& from, const Rational& to,
              const Rational& cut, const Reals& r) {
  Univariate alternating = density, derivative = density;
  while (derivative.degree() > 0) {
    derivative = Rational(-1) * derivative.derivative();
    alternating = alternating + derivative;
  }
  const Ball upper = r.product(r(alternating.at(to)), r.exp(r(to))),
             lower = r.product(r(alternating.at(from)), r.exp(r(from)));
  Ball result = r.difference(upper, lower);
  const bool one_sign = non_negative_between(density, from, to);
  const Ball size = one_sign ? result : r.product(r(most(density, from, to)), r.exp(r(to)));
  arb_add_error(result, r.product(r.exp(r(Rational(-cut))), size));
  return result;
}

Ball over(const Piece& piece, const Reals& r) {
  const Univariate& density = piece.density;
  if (density.degree() == 0)
    return r.product(r(density.coefficients()[0]),
                     r.difference(r.softplus(r(piece.to)), r.softplus(r(piece.from))));
  const Rational cut = ratio(7 * r.bits, 10);  // log 2 < 7/10
  Ball result;
  const auto add = [&](const Rational& from, const Rational& to, const auto& part) {
    const Rational first = std::max(piece.from, from), last = std::min(piece.to, to);
    if (first < last) result = r.sum(result, part(first, last));
  };
  add(piece.from, -cut, [&](const Rational& from, const Rational& to) {
    return far_left(density, from, to, cut, r);
  });
  add(-cut, 0, [&](const Rational& from, const Rational& to) {
    return integrate(density, left_of_zero, from, to, r.bits);
  });
  add(0, cut, [&](const Rational& from, const Rational& to) {
    return integrate(density, right_of_zero, from, to, r.bits);
  });
  add(cut, piece.to, [&](const Rational& from, const Rational& to) {
    return far_right(density, from, to, cut, r);
  });
  return result;
}

}  // namespace

Interval mean_sigmoid(const Law& law, unsigned digits) {
  const Rational mass = mass_of(law);
  return interval(refined(digits, [&](slong bits) {
    const Reals r{bits};
    Ball sum;
    for (const PointMass& atom : law.atoms())
      sum = r.sum(sum, r.product(r(atom.mass), sigmoid(atom.at, r)));
    for (const Piece& piece : law.pieces()) sum = r.sum(sum, over(piece, r));
    return r.quotient(sum, r(mass));
  }));
}

}  // namespace wmi
