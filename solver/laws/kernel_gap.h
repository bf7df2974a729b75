#pragma once

#include "solver/laws/law.h"
#include "solver/terms/interval.h"

namespace wmi {

/// Bounds on the difference of answers under a triangular likelihood k and under the normal one phi
/// that it replaces, for any law of the prediction (of mass 1, nowhere negative).
///
/// Means do not differ, since both kernels are symmetric.
struct KernelGap {
  Interval density;    // sup |k - phi|: bounds the difference of p(y), at any y
  Interval l1;         // integral of |k - phi|: twice the difference of the probability of any
                       // event; times the largest density of the prediction, it also bounds p(y)
  Interval transport;  // Wasserstein distance: bounds E[g(y)] for every g of slope at most 1
  Rational variance;   // r^2/6 - sigma^2: the increase of the variance of y
};

/// The enclosures have widths of at most 10^-digits times 1/sigma, 1 and sigma. Throws Error unless
/// sigma and the radius are above 0.
KernelGap kernel_gap(const Rational& sigma, const Rational& radius, unsigned digits);

/// The difference of p(y) under the triangular and the normal likelihood, for this law, to
/// 10^-digits of the larger of the two.
Interval density_gap(const Law& law, const Rational& y, const Rational& sigma,
                     const Rational& radius, unsigned digits);

}  // namespace wmi
