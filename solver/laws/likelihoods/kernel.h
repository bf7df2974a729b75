#pragma once

#include "solver/laws/likelihood.h"
#include "solver/numeric/reals.h"
#include "solver/terms/error.h"

namespace wmi {

/// The mass of the law; throws Error if it is 0.
inline Rational mass_of(const Law& law) {
  Rational mass = law.mass();
  if (mass == 0) throw Error("a law of mass 0 predicts nothing");
  return mass;
}

inline const Rational& positive(const Rational& value, std::string_view what) {
  if (value <= 0) throw Error(std::string(what) + " must be above 0, not " + to_string(value));
  return value;
}

/// The logarithm, to so many decimal places, of a ball that was computed with a few more bits.
inline Interval log_of(const Ball& value, unsigned digits) {
  if (!arb_is_positive(value)) throw Error("the density is negative here, so it has no logarithm");
  const Reals r{bits_of(digits) + 64};
  return interval(r.log(value));
}

/// A likelihood that is computed in balls: `integral` is the integral of k(y - s) over a law
/// without normalising, with an error that vanishes with increasing precision.
class BallLikelihood : public Likelihood {
 public:
  Interval density(const Law& law, const Rational& y, unsigned digits) const final {
    return interval(value(law, y, digits));
  }

  std::optional<Interval> log_density(const Law& law, const Rational& y,
                                      unsigned digits) const final {
    const Ball density = value(law, y, digits + 1);
    if (arb_is_zero(density)) return std::nullopt;
    return log_of(density, digits);
  }

 protected:
  virtual Ball integral(const Law& law, const Rational& y, const Reals& r) const = 0;

 private:
  Ball value(const Law& law, const Rational& y, unsigned digits) const {
    const Rational mass = mass_of(law);
    return refined(digits, [&](slong bits) {
      const Reals r{bits};
      return r.quotient(integral(law, y, r), r(mass));
    });
  }
};

/// A likelihood with a piecewise polynomial kernel, so that all results are rational.
class ExactLikelihood : public Likelihood {
 public:
  Interval density(const Law& law, const Rational& y, unsigned) const final {
    return Rational(integral(law, y) / mass_of(law));
  }

  std::optional<Interval> log_density(const Law& law, const Rational& y,
                                      unsigned digits) const final {
    const Rational value = integral(law, y) / mass_of(law);
    if (value == 0) return std::nullopt;
    return log_of(ball(value, bits_of(digits) + 64), digits);
  }

 protected:
  virtual Rational integral(const Law& law, const Rational& y) const = 0;
};

}  // namespace wmi
