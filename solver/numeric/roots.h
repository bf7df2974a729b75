#pragma once

#include <vector>

#include "solver/laws/univariate.h"
#include "solver/terms/interval.h"

namespace wmi {

/// The fraction with the smallest denominator between the two, ends included; of several, the one
/// nearest to 0.
Rational simplest_between(const Rational& lower, const Rational& upper);

/// The one root between `from` and `to` of a polynomial with values of different sign there, and no
/// other root between: exactly where it is rational (and the leading coefficient, in integers, has
/// at most 4000 bits), otherwise an interval of `digits` digits.
Interval root_between(const Univariate& polynomial, const Rational& from, const Rational& to,
                      unsigned digits);

/// Where the polynomial changes its sign strictly between `from` and `to`: ascending, apart from
/// each other, each as narrow as `root_between` makes it.
std::vector<Interval> sign_changes(const Univariate& polynomial, const Rational& from,
                                   const Rational& to, unsigned digits);

/// The sign is nowhere negative between the two.
bool non_negative_between(const Univariate& polynomial, const Rational& from, const Rational& to);

}  // namespace wmi
