#include <doctest/doctest.h>

#include <array>

#include "solver/integrator.h"
#include "tests/solver/integrators/integrals.h"

namespace wmi::tests {
namespace {

TEST_CASE("denominators just below a power of 2 with few bits in their first word are exact") {
  // The width of a number is derived from a bound on its logarithm, which must not ignore the
  // second word of 2^65 - 1, of which only one bit is in the first.
  for (const unsigned bits : {65u, 129u})
    for (unsigned degree = 1; degree <= 40; degree += 3) {
      CAPTURE(bits);
      CAPTURE(degree);
      const Integer q = (Integer(1) << bits) - 1;
      const Polytope region(
          2, {{{-1, 0}, 0}, {{0, -1}, 0}, {{1, 1}, ratio(q - 2, q)}, {{1, 0}, ratio(q - 5, q)}});
      const std::array integrands{power(x, degree) + y};
      CHECK(make_face_lattice({})->integrate(integrands, region) ==
            make_triangulation({})->integrate(integrands, region));
    }
}

}  // namespace
}  // namespace wmi::tests
