#pragma once

#include <arb_hypgeom.h>

#include "solver/laws/univariate.h"
#include "solver/numeric/ball.h"

namespace wmi {

/// Arithmetic of balls at one precision, for readable formulas. Private to the solver's sources.
///
///     const Reals r{128};
///     r.product(r(ratio(1, 2)), r.exp(r(1)));  // e / 2
struct Reals {
  slong bits;

  Ball operator()(const Rational& value) const { return ball(value, bits); }
  Ball pi() const {
    return made([&](arb_t result) { arb_const_pi(result, bits); });
  }

  Ball sum(const Ball& a, const Ball& b) const {
    return made([&](arb_t result) { arb_add(result, a, b, bits); });
  }
  Ball difference(const Ball& a, const Ball& b) const {
    return made([&](arb_t result) { arb_sub(result, a, b, bits); });
  }
  Ball product(const Ball& a, const Ball& b) const {
    return made([&](arb_t result) { arb_mul(result, a, b, bits); });
  }
  Ball quotient(const Ball& a, const Ball& b) const {
    return made([&](arb_t result) { arb_div(result, a, b, bits); });
  }
  Ball negative(const Ball& a) const {
    return made([&](arb_t result) { arb_neg(result, a); });
  }
  Ball size(const Ball& a) const {
    return made([&](arb_t result) { arb_abs(result, a); });
  }
  Ball square(const Ball& a) const { return product(a, a); }
  Ball root(const Ball& a) const {
    return made([&](arb_t result) { arb_sqrt(result, a, bits); });
  }
  Ball exp(const Ball& a) const {
    return made([&](arb_t result) { arb_exp(result, a, bits); });
  }
  Ball log(const Ball& a) const {
    return made([&](arb_t result) { arb_log(result, a, bits); });
  }
  /// log(1 + e^a).
  Ball softplus(const Ball& a) const {
    return made([&](arb_t result) {
      arb_exp(result, a, bits);
      arb_log1p(result, result, bits);
    });
  }

  /// The density and the cumulative distribution function of the standard normal law.
  Ball normal_density(const Ball& u) const {
    return quotient(exp(quotient(negative(square(u)), (*this)(2))),
                    root(product((*this)(2), pi())));
  }
  Ball normal_below(const Ball& u) const {
    const Ball scaled = negative(quotient(u, root((*this)(2))));
    const Ball twice = made([&](arb_t result) { arb_hypgeom_erfc(result, scaled, bits); });
    return quotient(twice, (*this)(2));
  }

  Ball at(const Univariate& polynomial, const Ball& x) const {
    Ball result;
    for (std::size_t i = polynomial.coefficients().size(); i-- > 0;)
      result = sum(product(result, x), (*this)(polynomial.coefficients()[i]));
    return result;
  }

 private:
  template <class Make>
  static Ball made(Make&& make) {
    Ball result;
    make(static_cast<arb_ptr>(result));
    return result;
  }
};

}  // namespace wmi
