#include "solver/numeric/smooth_functions.h"

#include <acb_hypgeom.h>
#include <arb_hypgeom.h>

#include "solver/numeric/ball.h"
#include "solver/numeric/complex_ball.h"

namespace wmi {
namespace {

/// 1 / sqrt(2 pi).
void normal_constant(arb_ptr result, slong bits) {
  arb_const_pi(result, bits);
  arb_mul_2exp_si(result, result, 1);
  arb_rsqrt(result, result, bits);
}

/// 1 / (1 + e^-t), or e^t / (1 + e^t) where t is negative: the exponential of a wide ball is one
/// around a number near 0, and not one of radius e^|t|.
void sigmoid_of(arb_ptr result, arb_srcptr at, slong bits) {
  const bool negative = arf_sgn(arb_midref(at)) < 0;
  if (negative)
    arb_set(result, at);
  else
    arb_neg(result, at);
  arb_exp(result, result, bits);
  Ball power;
  arb_set(power, result);
  arb_add_ui(result, result, 1, bits);
  arb_inv(result, result, bits);
  if (negative) arb_mul(result, result, power, bits);
}
void sigmoid_of(acb_ptr result, acb_srcptr at, slong bits) {
  const bool negative = arf_sgn(arb_midref(acb_realref(at))) < 0;
  if (negative)
    acb_set(result, at);
  else
    acb_neg(result, at);
  acb_exp(result, result, bits);
  ComplexBall power;
  acb_set(power, result);
  acb_add_ui(result, result, 1, bits);
  acb_inv(result, result, bits);
  if (negative) acb_mul(result, result, power, bits);
}

/// Of a wide ball: the values at its ends, for the sigmoid increases.
void increasing_sigmoid(arb_ptr result, arb_srcptr at, slong bits) {
  Ball low, high;
  arb_get_lbound_arf(arb_midref(static_cast<arb_ptr>(low)), at, bits);
  arb_get_ubound_arf(arb_midref(static_cast<arb_ptr>(high)), at, bits);
  sigmoid_of(low, low, bits);
  sigmoid_of(high, high, bits);
  arb_union(result, low, high, bits);
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
      if (mag_cmp_2exp_si(arb_radref(at), -2) > 0)
        increasing_sigmoid(result, at, bits);
      else
        sigmoid_of(result, at, bits);
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
      sigmoid_of(result, at, bits);
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

}  // namespace wmi
