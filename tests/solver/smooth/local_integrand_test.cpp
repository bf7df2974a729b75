#include "solver/smooth/local_integrand.h"

#include <doctest/doctest.h>

#include <random>

#include "solver/geometry/halfspace.h"
#include "solver/numeric/smooth_functions.h"

namespace wmi {
namespace {

const Polynomial x = Polynomial::variable(0), y = Polynomial::variable(1);

TEST_CASE("the value at a point of the cube is that of the integrand at its image") {
  constexpr slong bits = 80;
  const std::vector<AppliedFunction> functions = {{2, Function::tanh, x * y - 1},
                                                  {3, Function::exp, x - Polynomial::variable(2)}};
  const SmoothIntegrand given = smooth_products(
      (x * x + 3 * y) * Polynomial::variable(2) * Polynomial::variable(3), functions, 2)[0];
  EnclosedSimplex simplex;
  const std::vector<Point> corners = {{0, 0}, {2, 1}, {-1, 3}};
  for (const Point& corner : corners)
    simplex.corners.push_back({ball(corner[0], bits), ball(corner[1], bits)});
  const LocalIntegrand local(given, simplex, bits);
  std::mt19937 random(1);
  for (int i = 0; i < 50; ++i) {
    const Rational u = ratio(static_cast<long>(random() % 101), 100),
                   v = ratio(static_cast<long>(random() % 101), 100);
    Point at(2);
    for (std::size_t j = 0; j < 2; ++j)
      at[j] = corners[0][j] + u * (corners[1][j] - corners[0][j]) +
              u * v * (corners[2][j] - corners[1][j]);
    Ball tangent = ball(Rational(at[0] * at[1] - 1), bits), exponential;
    evaluate(tangent, Function::tanh, tangent, bits);
    arb_sub(exponential, ball(at[0], bits), tangent, bits);
    arb_exp(exponential, exponential, bits);
    Ball expected = ball(Rational(at[0] * at[0] + 3 * at[1]), bits);
    arb_mul(expected, expected, tangent, bits);
    arb_mul(expected, expected, exponential, bits);
    const std::vector<Ball> point = {ball(u, bits), ball(v, bits)};
    const Ball value = local.at(point, bits);
    CHECK(arb_overlaps(value, expected));
    CHECK(arb_rel_accuracy_bits(value) > 40);
    // A complex ball around it contains the value, too.
    std::vector<ComplexBall> around(2);
    for (std::size_t k = 0; k < 2; ++k) {
      acb_set_arb(around[k], point[k]);
      mag_set_d(arb_radref(acb_imagref(static_cast<acb_ptr>(around[k]))), 1e-3);
      mag_set_d(arb_radref(acb_realref(static_cast<acb_ptr>(around[k]))), 1e-3);
    }
    const ComplexBall wide = local.at(around, bits);
    CHECK(arb_overlaps(acb_realref(static_cast<acb_srcptr>(wide)), expected));
  }
}

}  // namespace
}  // namespace wmi
