#include "solver/laws/elementary.h"

#include "solver/numeric/reals.h"
#include "solver/terms/error.h"

namespace wmi {
namespace {

template <class Function>
Interval enclosed(const Rational& x, unsigned digits, const Function& function) {
  return interval(refined(digits, [&](slong bits) {
    Ball result;
    function(static_cast<arb_ptr>(result), static_cast<arb_srcptr>(ball(x, bits + 32)), bits + 32);
    return result;
  }));
}

}  // namespace

Interval exponential(const Rational& x, unsigned digits) { return enclosed(x, digits, arb_exp); }

Interval logarithm(const Rational& x, unsigned digits) {
  if (x <= 0) throw Error("a logarithm needs a number above 0");
  if (x == 1) return Interval(0);
  return enclosed(x, digits, arb_log);
}

Interval hyperbolic_sine(const Rational& x, unsigned digits) {
  return enclosed(x, digits, arb_sinh);
}

Interval inverse_hyperbolic_sine(const Rational& x, unsigned digits) {
  return enclosed(x, digits, arb_asinh);
}

Interval square_root(const Rational& x, unsigned digits) {
  if (x < 0) throw Error("a square root needs a number that is not below 0");
  return enclosed(x, digits, arb_sqrt);
}

Interval hyperbolic_sinc(const Rational& x, unsigned digits) {
  if (x == 0) return Interval(1);
  return hyperbolic_sine(x, digits) * Interval(1 / x);
}

}  // namespace wmi
