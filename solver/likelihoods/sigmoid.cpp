// E[1/(1 + e^-f)]. A constant piece has the antiderivative log(1 + e^s); others are integrated by
// rigorous quadrature, which knows no cancellation: the integrand has one sign where the density
// has. Left of 0 it is e^s/(1 + e^s), right of it 1/(1 + e^-s), so that no exponential is large.

#include "solver/likelihoods/kernel.h"
#include "solver/quadrature.h"

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

Ball over(const Piece& piece, const Reals& r) {
  if (piece.density.degree() == 0)
    return r.product(r(piece.density.coefficients()[0]),
                     r.difference(r.softplus(r(piece.to)), r.softplus(r(piece.from))));
  Ball result;
  if (piece.from < 0)
    result =
        integrate(piece.density, left_of_zero, piece.from, std::min(piece.to, Rational(0)), r.bits);
  if (piece.to > 0)
    result = r.sum(result, integrate(piece.density, right_of_zero,
                                     std::max(piece.from, Rational(0)), piece.to, r.bits));
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
