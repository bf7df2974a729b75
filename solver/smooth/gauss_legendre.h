#pragma once

#include <memory>
#include <vector>

#include "solver/numeric/ball.h"

namespace wmi {

/// The rule of Gauss and Legendre on [0, 1]: exact for polynomials of degree 2 * points - 1. Private
/// to the solver's sources.
struct QuadratureRule {
  std::vector<Ball> nodes;
  std::vector<Ball> weights;  // they are positive, and add up to 1
};

/// The rules are computed once. Several threads may call it at once.
std::shared_ptr<const QuadratureRule> gauss_legendre(unsigned points, slong bits);

}  // namespace wmi
