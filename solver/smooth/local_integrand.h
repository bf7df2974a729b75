#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "solver/numeric/ball.h"
#include "solver/numeric/complex_ball.h"
#include "solver/smooth/smooth_integrand.h"

namespace wmi {

/// A simplex whose corners are known to within balls. Private to the solver's sources.
struct EnclosedSimplex {
  std::vector<std::vector<Ball>> corners;  // n+1 of them
  Ball determinant;                        // of its edges: n! times the volume

  std::size_t dimension() const { return corners.size() - 1; }
};

/// An integrand on a simplex, as a function on the unit cube (the coordinates of Duffy, 1982):
///
///     x = v_0 + w_1 (v_1 - v_0) + w_2 (v_2 - v_1) + ... ,   w_k = u_1 u_2 ... u_k
///     dx = determinant * u_1^(n-1) u_2^(n-2) ... du
///
/// Polynomials are expanded around the centroid: on boxes, this gives narrow enclosures, and the
/// linear part u_1 (g_1 + u_2 (g_2 + ...)) has each u once, so that its enclosure is the best one.
class LocalIntegrand {
 public:
  LocalIntegrand(const SmoothIntegrand& integrand, const EnclosedSimplex& simplex, slong bits);

  /// The integrand itself at a point of the cube, in `bits` bits; and on a ball of complex points,
  /// where it is not finite unless it is analytic there. The powers of u in dx are left out.
  Ball at(std::span<const Ball> u, slong bits) const;
  ComplexBall at(std::span<const ComplexBall> u, slong bits) const;

 private:
  struct Term {
    Ball coefficient;
    Monomial monomial;  // of deviations from the centroid, and of functions
  };
  struct Local {
    Ball constant;
    std::vector<Ball> linear;  // of w_1, w_2, ...; none if all are 0
    std::vector<Term> rest;
  };

  Local expanded(const Polynomial& polynomial, const EnclosedSimplex& simplex, slong bits) const;
  template <class Number>
  Number value(std::span<const Number> u, slong bits) const;
  template <class Number>
  Number value(const Local& local, std::span<const Number> u, const std::vector<Number>& variables,
               slong bits) const;

  std::size_t dimension_;
  std::vector<Ball> centre_;  // of w_1, w_2, ...
  Local factor_, exponent_;
  bool has_exponent_, roots_defined_;
  std::vector<Local> arguments_;
  std::vector<Function> functions_;
  std::vector<Power> powers_;
};

}  // namespace wmi
