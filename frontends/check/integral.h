#pragma once

#include <map>
#include <set>
#include <vector>

#include "frontends/check/polytope.h"

namespace wmi::check {

using Exponents = std::vector<std::uint32_t>;  // of a monomial, by axis

/// The integrals over a polytope, which was checked, of monomials in some linear forms, the axes.
/// With a row, which is nowhere above 0 in it or nowhere below: over the points where it is 0,
/// divided by the length of its gradient.
///
///     integrals(square, {{0}, {2}}, {x}, nullptr)  // of 1, and of x^2
std::map<Exponents, Rational> integrals(Polytope& body, const std::set<Exponents>& needed,
                                        const std::vector<Vector>& axes, const Vector* row);

}  // namespace wmi::check
