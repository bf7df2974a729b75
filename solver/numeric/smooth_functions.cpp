#include "solver/numeric/smooth_functions.h"

#include <acb_hypgeom.h>
#include <arb_hypgeom.h>

#include <algorithm>

namespace wmi {
namespace {

/// 1 / sqrt(2 pi).
void normal_constant(arb_ptr result, slong bits) {
  arb_const_pi(result, bits);
  arb_mul_2exp_si(result, result, 1);
  arb_rsqrt(result, result, bits);
}

}  // namespace

void evaluate(arb_ptr result, Function function, arb_srcptr at, slong bits) {
  switch (function) {
    case Function::none:
      arb_set(result, at);
      break;
    case Function::exp:
      arb_exp(result, at, bits);
      break;
    case Function::log:
      arb_log(result, at, bits);
      break;
    case Function::sqrt:
      arb_sqrt(result, at, bits);
      break;
    case Function::erf:
      arb_hypgeom_erf(result, at, bits);
      break;
    case Function::sigmoid:
      arb_neg(result, at);
      arb_exp(result, result, bits);
      arb_add_ui(result, result, 1, bits);
      arb_inv(result, result, bits);
      break;
    case Function::tanh:
      arb_tanh(result, at, bits);
      break;
    case Function::normal: {
      Ball constant;
      normal_constant(constant, bits);
      arb_sqr(result, at, bits);
      arb_mul_2exp_si(result, result, -1);
      arb_neg(result, result);
      arb_exp(result, result, bits);
      arb_mul(result, result, constant, bits);
      break;
    }
    case Function::reciprocal:
      arb_inv(result, at, bits);
      break;
  }
}

void evaluate(acb_ptr result, Function function, acb_srcptr at, slong bits) {
  switch (function) {
    case Function::none:
      acb_set(result, at);
      break;
    case Function::exp:
      acb_exp(result, at, bits);
      break;
    case Function::log:
      acb_log_analytic(result, at, 1, bits);
      break;
    case Function::sqrt:
      acb_sqrt_analytic(result, at, 1, bits);
      break;
    case Function::erf:
      acb_hypgeom_erf(result, at, bits);
      break;
    case Function::sigmoid:
      acb_neg(result, at);
      acb_exp(result, result, bits);
      acb_add_ui(result, result, 1, bits);
      acb_inv(result, result, bits);
      break;
    case Function::tanh:
      acb_tanh(result, at, bits);
      break;
    case Function::normal: {
      Ball constant;
      normal_constant(constant, bits);
      acb_sqr(result, at, bits);
      acb_mul_2exp_si(result, result, -1);
      acb_neg(result, result);
      acb_exp(result, result, bits);
      acb_mul_arb(result, result, constant, bits);
      break;
    }
    case Function::reciprocal:
      acb_inv(result, at, bits);
      break;
  }
}

/// Each function is monotone on the interval, or, as the normal density, in the size of its argument.
std::optional<Interval> range(Function function, const Interval& argument) {
  constexpr slong bits = 64;
  Interval ends = argument;
  if (function == Function::log && ends.lower <= 0) return std::nullopt;
  if (function == Function::sqrt && ends.lower < 0) return std::nullopt;
  if (function == Function::reciprocal && ends.contains(0)) return std::nullopt;
  if (function == Function::normal) {
    const Rational low = abs(ends.lower), high = abs(ends.upper);
    ends = {ends.contains(0) ? Rational(0) : std::min(low, high), std::max(low, high)};
  }
  const auto value = [&](const Rational& end) -> std::optional<Interval> {
    Ball result = ball(end, bits);
    evaluate(result, function, result, bits);
    mag_t size;
    mag_init(size);
    arb_get_mag(size, result);
    const bool large = mag_cmp_2exp_si(size, 50'000) > 0;
    mag_clear(size);
    if (!arb_is_finite(result) || large) return std::nullopt;
    return interval(result);
  };
  const std::optional<Interval> lower = value(ends.lower), upper = value(ends.upper);
  if (!lower || !upper) return std::nullopt;
  Interval result = hull(*lower, *upper);
  const bool positive = function == Function::exp || function == Function::sqrt ||
                        function == Function::sigmoid || function == Function::normal;
  if (positive) result.lower = std::max(result.lower, Rational(0));
  return result;
}

std::optional<Interval> everywhere(Function function) {
  switch (function) {
    case Function::erf:
    case Function::tanh:
      return Interval(-1, 1);
    case Function::sigmoid:
      return Interval(0, 1);
    case Function::normal:
      return Interval(0, ratio(1, 2));
    default:
      return std::nullopt;
  }
}

}  // namespace wmi
