#pragma once

#include <vector>

#include "solver/laws/softmax/laplace.h"
#include "solver/numeric/ball.h"

namespace wmi {

/// The Gauss-Legendre rule on [-1, 1].
struct LaplaceMaker::Rule {
  std::vector<Ball> nodes, weights;
};

/// The precision of error bounds.
inline constexpr slong bound_bits = 40;

inline Ball exponential(const Rational& of, slong bits) {
  Ball result = ball(of, bits + 32);
  arb_exp(result, result, bits);
  return result;
}

inline double to_double(const Ball& value) {
  const arb_srcptr pointer = value;
  return arf_get_d(arb_midref(pointer), ARF_RND_NEAR);
}

}  // namespace wmi
