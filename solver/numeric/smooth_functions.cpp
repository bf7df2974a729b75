#include "solver/numeric/smooth_functions.h"

#include <acb_hypgeom.h>
#include <arb_hypgeom.h>

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

}  // namespace wmi
