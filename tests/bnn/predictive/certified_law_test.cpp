#include "bnn/predictive/certified_law.h"

#include <doctest/doctest.h>

#include <cmath>

namespace wmi::bnn {
namespace {

/// Noise of the radius that is asked for: a double, so the radius must be one.
OutcomeNoise triangular(double alpha) { return {OutcomeNoise::Kind::triangular, alpha}; }

TEST_CASE("three collapsed weights of a last layer have their exact density") {
  // c = 3/10, a = (7/10, -2/5, 1), boxes [-1/2, 3/4], [1/10, 6/5], [-1/5, 1/5], r = 49/40; the
  // density at 9/10 was computed independently. The radius is no double: it is a term here.
  const OutputLaw<Rational> output_law{ratio(3, 10),
                                       {{ratio(7, 10), ratio(-1, 2), ratio(3, 4), 1},
                                        {ratio(-2, 5), ratio(1, 10), ratio(6, 5), 1},
                                        {1, ratio(-1, 5), ratio(1, 5), 1},
                                        {1, ratio(-49, 40), ratio(49, 40), 2}},
                                       0,
                                       {},
                                       0};
  const CertifiedLaw law(output_law, {});
  CHECK(law.mean() == ratio(51, 400));
  const Rational expected(ratio(453130613, 1479016000));
  const Interval found = law.density(ratio(9, 10), 30, Relative::to_value);
  CHECK(found.contains(expected));
  CHECK(found.upper - found.lower < ratio(1, 1000000000));
  // P(-3/2 <= y <= 2)
  const Interval inside = law.cdf(2, 15) - law.cdf(ratio(-3, 2), 15);
  CHECK(inside.contains(ratio(Integer("1266817878373"), Integer("1267728000000"))));
}

TEST_CASE("two collapsed weights behind a ReLU have their exact law") {
  // A = 1/4 + w1 + w2/2 with w uniform on [-1, 1]^2, center -1/5 + 3/2 ReLU(A), r = 49/20.
  const OutputLaw<Rational> output_law{
      ratio(-1, 5),
      {},
      0,
      {{ratio(3, 2), 0, ratio(1, 4), {{1, -1, 1, 1}, {ratio(1, 2), -1, 1, 1}}}},
      0};
  const Law unit = law_of(Unit<Rational>{1, 0, ratio(1, 4), output_law.units[0].terms});
  CHECK(unit.mass_at(0) == ratio(3, 8));
  CHECK(unit.mean() == ratio(79, 192));
  const Law law = law_of(output_law);
  CHECK(law.mean() == ratio(267, 640));
  const Rational density = convolution(law, Law::triangular(0, ratio(49, 20))).density(1);
  CHECK(std::abs(density.get_d() - .275359225322782) < 1e-15);
}

TEST_CASE("one ReLU of the paper's example has the known densities") {
  // ReLU(w), w uniform on [-3, 3], x = 1.
  const auto output_law = [](double noise) {
    return OutputLaw<Rational>{0, {}, 0, {{1, 0, 0, {{1, -3, 3, 1}}}}, noise};
  };
  const CertifiedLaw gaussian(output_law(1), {});
  CHECK(gaussian.mean() == ratio(3, 4));
  CHECK(std::abs(gaussian.density(1, 15, Relative::to_value).midpoint().get_d() - 0.257417797946) <
        1e-12);
  // A radius of 9/4 is a double: the density at 1 is 1/2 k(1) + 1/6 integral of k(1 - s) over
  // [0, 3], k(t) = 4/9 - 16/81 |t|. k(1) = 20/81. Below 1: 4/9 - 8/81 = 28/81; above, to 3, where
  // k(2) = 4/81: (4/9 + 4/81)/2 * 2 = 40/81. Together 10/81 + 1/6 * 68/81 = 64/243.
  const CertifiedLaw exact(output_law(1), triangular(2.25));
  CHECK(exact.density(1, 9, Relative::to_value) == Interval(ratio(64, 243)));
  CHECK(exact.mean() == ratio(3, 4));
}

TEST_CASE("distribution functions behind a ReLU are enclosed") {
  // Half of the mass is at 0; the rest uniform on [0, 3]. With noise of deviation 1,
  // P(Y <= 0) = 1/4 + 1/6 integral of Phi(-s) over [0, 3] = 1/4 + (phi(0) - phi(3) + 3 Phi(-3))/6.
  const CertifiedLaw law(OutputLaw<Rational>{0, {}, 0, {{1, 0, 0, {{1, -3, 3, 1}}}}, 1}, {});
  const double phi0 = 0.39894228040143268, phi3 = 0.0044318484119380075,
               below3 = 0.0013498980316300946;
  const Interval found = law.cdf(0, 12);
  const double expected = 0.25 + (3 * below3 + phi0 - phi3) / 6;
  CHECK(std::abs(found.midpoint().get_d() - expected) < 1e-12);
  CHECK(Rational(found.upper - found.lower).get_d() < 1e-11);
}

}  // namespace
}  // namespace wmi::bnn
