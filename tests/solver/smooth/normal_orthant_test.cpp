#include "solver/smooth/normal_orthant.h"

#include <doctest/doctest.h>

#include <random>
#include <tuple>
#include <vector>

#include "solver/numeric/reals.h"
#include "solver/smooth/simplex_quadrature.h"

namespace wmi {
namespace {

TEST_CASE("orthants around the mean are sums of angles") {
  constexpr slong bits = 150;
  const Reals r{bits};
  const auto angle = [&](const Rational& x) {
    Ball result;
    arb_asin(result, r(x), bits);
    return r.quotient(result, r.product(r(2), r.pi()));
  };
  for (const Rational& a :
       {ratio(-9, 10), ratio(-1, 3), Rational(0), ratio(1, 2), ratio(99, 100)}) {
    const Ball two = normal_orthant(std::vector<Rational>{0, 0},
                                    std::vector<Rational>{4, 2 * a, 2 * a, 1}, bits);
    CHECK(arb_overlaps(two, r.sum(r(ratio(1, 4)), angle(a))));
    CHECK(has_digits(two, 35));
    const Rational b = ratio(1, 5), c = ratio(2, 5);
    if (1 + 2 * a * b * c - a * a - b * b - c * c <= 0) continue;
    const Ball three = normal_orthant(std::vector<Rational>{0, 0, 0},
                                      std::vector<Rational>{1, a, b, a, 1, c, b, c, 1}, bits);
    const Ball half = r.quotient(r.sum(angle(a), r.sum(angle(b), angle(c))), r(2));
    CHECK(arb_overlaps(three, r.sum(r(ratio(1, 8)), half)));
    CHECK(has_digits(three, 35));
  }
}

TEST_CASE("orthants agree with quadrature in the plane") {
  for (unsigned seed = 0; seed < 12; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto number = [&](int most) {
      return ratio(static_cast<long>(random() % static_cast<unsigned>(2 * most + 1)) - most, 4);
    };
    const Rational a = number(4), b = 1 + abs(number(6)), m = number(10), n = number(10);
    // x and y = a x + b e.
    const std::vector<Rational> mean{m, n}, covariance{1, a, a, a * a + b * b};
    const Ball found = normal_orthant(mean, covariance, 120);
    CHECK(has_digits(found, 12));
    const Polynomial x = Polynomial::variable(0) - Polynomial(m);
    const Polynomial e = (Polynomial::variable(1) - Polynomial(n) - a * x) * Polynomial(1 / b);
    Polynomial exponent = x * x + e * e;
    exponent *= ratio(-1, 2);
    SmoothIntegrand integrand;
    integrand.dimension = 2;
    integrand.factor = 1;
    integrand.exponent = exponent;
    // Beyond 64, more than 20 deviations from the means, there is less than 1e-80.
    const Polytope region(2, {{{-1, 0}, 0}, {{0, -1}, 0}, {{1, 0}, 64}, {{0, 1}, 64}});
    Ball expected = integrate_over_simplices(integrand, region, 8);
    arb_add_error_2exp_si(expected, -260);
    const Reals r{120};
    const Ball scale = r.product(r.product(r(2), r.pi()), r(b));
    CHECK(arb_overlaps(r.product(found, scale), expected));
  }
}

TEST_CASE("small probabilities of quadrants have their digits") {
  for (const auto& [m, n, c] :
       {std::tuple<Rational, Rational, Rational>(ratio(1, 2), 1, ratio(1, 3)),
        {-20, -1, ratio(1, 2)},
        {-3, -20, ratio(-1, 4)},
        {30, -2, ratio(-9, 10)}}) {
    const std::vector<Rational> mean{m, n}, covariance{1, c, c, 1};
    const Ball small = normal_quadrant(mean, covariance, 12);
    CHECK(has_digits(small, 12));
    CHECK(arb_overlaps(small, normal_orthant(mean, covariance, 1200)));
  }
}

TEST_CASE("what is negligible is enclosed") {
  constexpr slong bits = 160, negligible = 200;
  for (const Rational& h : {ratio(1, 2), Rational(5), Rational(16), Rational(17), Rational(20'000)})
    for (const Rational& k : {Rational(-20'000), Rational(-17), ratio(1, 4), Rational(18)})
      for (const Rational& r : {ratio(-9, 10), ratio(1, 2), ratio(999, 1000)}) {
        const std::vector<Rational> mean{h, k}, covariance{1, r, r, 1};
        const Ball found = normal_orthant(mean, covariance, bits, negligible);
        CHECK(interval(found).upper - interval(found).lower < power(ratio(1, 2), 100));
        if (abs(h) > 100 || abs(k) > 100) continue;  // exactly they take long
        CHECK(arb_overlaps(found, normal_orthant(mean, covariance, bits)));
        const std::vector<Rational> three{h, k, ratio(1, 3)},
            others{1, r, ratio(1, 4), r, 1, 0, ratio(1, 4), 0, 1};
        if (1 - r * r - ratio(1, 16) <= 0) continue;  // no covariance
        CHECK(arb_overlaps(normal_orthant(three, others, bits, negligible),
                           normal_orthant(three, others, bits)));
      }
}

TEST_CASE("one of three numbers that is certain, or independent, leaves two") {
  constexpr slong bits = 200;
  const Ball two = normal_orthant(std::vector<Rational>{ratio(1, 2), -1},
                                  std::vector<Rational>{1, ratio(1, 3), ratio(1, 3), 2}, bits);
  const Ball certain =
      normal_orthant(std::vector<Rational>{ratio(1, 2), 40, -1},
                     std::vector<Rational>{1, ratio(1, 2), ratio(1, 3), ratio(1, 2), 1, ratio(1, 4),
                                           ratio(1, 3), ratio(1, 4), 2},
                     bits);
  Ball difference = Reals{bits}.difference(two, certain);
  CHECK(arb_is_finite(difference));
  CHECK(interval(difference).upper < ratio(1, 1'000'000'000));
  CHECK(interval(difference).lower > ratio(-1, 1'000'000'000));
  const Ball independent =
      normal_orthant(std::vector<Rational>{0, ratio(1, 2), -1},
                     std::vector<Rational>{3, 0, 0, 0, 1, ratio(1, 3), 0, ratio(1, 3), 2}, bits);
  CHECK(arb_overlaps(Reals{bits}.product(independent, Reals{bits}(2)), two));
}

}  // namespace
}  // namespace wmi
