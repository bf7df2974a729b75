#pragma once

#include <map>
#include <vector>

#include "frontends/check/faces.h"
#include "solver/terms/polynomial.h"

namespace wmi::check {

using Point = std::vector<Integer>;  // x as (q, q x) with q > 0, and q times values of forms

/// Computes the integrals of monomials, including 1, over a face; a variable is a column of the
/// points. Volumes are those of the projection to some columns, which are returned; the first is 0.
std::vector<std::size_t> integrate(Faces& faces, Faces::Face& face,
                                   const std::vector<Point>& points,
                                   const std::vector<std::size_t>& column_of,
                                   std::map<Monomial, Rational>& integrals);

}  // namespace wmi::check
