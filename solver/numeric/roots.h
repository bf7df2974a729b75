#pragma once

#include <vector>

#include "solver/laws/univariate.h"
#include "solver/terms/interval.h"

namespace wmi {

/// The fraction with the smallest denominator in [lower, upper]; of several, the one nearest to 0.
Rational simplest_between(const Rational& lower, const Rational& upper);

/// The only root between `from` and `to`, where the polynomial has values of different sign. It is
/// exact if it is rational (and the leading coefficient, in integers, has at most 4000 bits),
/// otherwise an interval with `digits` correct digits.
Interval root_between(const Univariate& polynomial, const Rational& from, const Rational& to,
                      unsigned digits);

/// The sign changes of the polynomial strictly between `from` and `to`: ascending and disjoint,
/// each as narrow as the result of `root_between`.
std::vector<Interval> sign_changes(const Univariate& polynomial, const Rational& from,
                                   const Rational& to, unsigned digits);

/// Whether the polynomial is nowhere negative between the two.
bool non_negative_between(const Univariate& polynomial, const Rational& from, const Rational& to);

}  // namespace wmi
