#pragma once

#include <map>
#include <vector>

#include "frontends/check/faces.h"
#include "solver/terms/polynomial.h"

namespace wmi::check {

using Point = std::vector<Integer>;  // x as (q, q x) with q > 0, and q times values of forms

/// Finds the integrals over a face of monomials, of 1 among them; a variable is a column of the
/// points. Volumes are measured in some columns, of which it returns the numbers; the first is 0.
std::vector<std::size_t> integrate(Faces& faces, Faces::Face& face,
                                   const std::vector<Point>& points,
                                   const std::vector<std::size_t>& column_of,
                                   std::map<Monomial, Rational>& integrals);

}  // namespace wmi::check
