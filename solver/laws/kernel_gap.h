#pragma once

#include "solver/laws/law.h"
#include "solver/terms/interval.h"

namespace wmi {

/// How far answers under a triangular likelihood of some radius can be from those under the normal
/// one that it stands for, whatever the law of the prediction (of mass 1, nowhere negative).
///
/// Means do not differ at all: both kernels are symmetric.
struct KernelGap {
  Interval density;    // sup |k - phi|: of p(y), at any y
  Interval l1;         // integral of |k - phi|: of twice the probability of any event; times the
                       // largest density of the prediction, another bound on that of p(y)
  Interval transport;  // of E[g(y)], for every g whose slope is at most 1 (Wasserstein's distance)
  Rational variance;   // r^2/6 - sigma^2: by so much the variance of y is larger
};

/// Each enclosure is at most 10^-digits wide, relative to 1/sigma, 1 and sigma. Throws Error unless
/// sigma and the radius are above 0.
KernelGap kernel_gap(const Rational& sigma, const Rational& radius, unsigned digits);

/// By how much p(y) is larger under the triangular likelihood, for this law: the difference itself,
/// to 10^-digits of the larger of the two.
Interval density_gap(const Law& law, const Rational& y, const Rational& sigma,
                     const Rational& radius, unsigned digits);

}  // namespace wmi
