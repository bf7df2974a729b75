#pragma once

#include <span>
#include <vector>

#include "frontends/check/monomials.h"
#include "frontends/check/polytope.h"

namespace wmi::check {

/// The integrals over a polytope, which was checked, of monomials in some linear forms, the axes.
/// With a row, which is nowhere above 0 in it or nowhere below: over the points where it is 0,
/// divided by the length of its gradient.
///
///     integrals(square, Monomials({{1}}), axes, nullptr)  // of axes[0], and of 1
std::vector<Rational> integrals(Polytope& body, const Monomials& monomials,
                                std::span<const Vector> axes, const Vector* row);

}  // namespace wmi::check
