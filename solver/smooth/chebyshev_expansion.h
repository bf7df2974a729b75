#pragma once

#include <vector>

#include "solver/numeric/ball.h"

namespace wmi {

/// A function on [-1, 1] as a sum of Chebyshev polynomials: f = sum of c_j T_j + e, where the
/// Chebyshev coefficients of e have sizes that add up to at most `rest`; so |e| <= rest. Private to
/// the solver's sources.
struct ChebyshevExpansion {
  std::vector<double> coefficients;
  double rest = 0;
};

/// Of e^(a x^2 + b x + c), a <= 0. Its rest is infinite if a number leaves the range of doubles.
ChebyshevExpansion expand_exponential(const Ball& a, const Ball& b, const Ball& c);

/// The coefficient of x^i in T_j, an integer.
const std::vector<std::vector<double>>& chebyshev_polynomials();
constexpr unsigned most_chebyshev_degree = 23;

}  // namespace wmi
