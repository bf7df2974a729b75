#pragma once

#include <vector>

#include "frontends/check/faces.h"
#include "solver/polynomial.h"

namespace wmi::check {

using Point = std::vector<Integer>;  // x as (q, q x) with q > 0

/// The integrals over a face of monomials in some axes.
struct Integrals {
  std::vector<Rational> values;      // by monomial
  std::vector<std::size_t> columns;  // of the points, in which volumes are measured; the first is 0
};

/// An axis is given by its values at the points, q times each.
///
///     integrals(faces, faces.whole(), points, {{}, {{x, 2}}}, {{x, ...}})  // of 1, and of x^2
Integrals integrals(Faces& faces, Faces::Face& face, const std::vector<Point>& points,
                    const std::vector<Monomial>& monomials,
                    const std::map<Variable, std::vector<Integer>>& axes);

}  // namespace wmi::check
