#include "solver/laws/student_normal.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <set>

#include "solver/laws/likelihood.h"
#include "solver/laws/student_rule.h"
#include "solver/terms/error.h"
#include "tests/solver/reference_quadrature.h"

namespace wmi::tests {
namespace {

/// log of the density of Student's law of that scale at t, by its formula.
double log_student(double t, double scale, double freedom) {
  return std::lgamma((freedom + 1) / 2) - std::lgamma(freedom / 2) -
         0.5 * std::log(freedom * M_PI) - std::log(scale) -
         (freedom + 1) / 2 * std::log1p(t * t / scale / scale / freedom);
}

/// The density, or P(X <= x), by the trapezoidal rule over the normal part in doubles: of a kernel
/// that is known by its own formula. Without a normal part of width 0.
template <class Kernel>
double convolved(double deviation, const Kernel& kernel) {
  if (deviation == 0) return kernel(0);
  constexpr int panels = 600;
  double sum = 0;
  for (int i = -panels; i <= panels; ++i) {
    const double u = 9.0 * i / panels;
    sum += std::exp(-u * u / 2) * kernel(deviation * u);
  }
  return sum * 9.0 / panels / std::sqrt(2 * M_PI);
}

/// P(T <= t) for 1, 2, 3, 4 and 5 degrees of freedom, in closed form.
double student_below(double t, int freedom) {
  const double angle = std::atan(t / std::sqrt(freedom)), c = std::cos(angle), s = std::sin(angle);
  switch (freedom) {
    case 1:
      return 0.5 + angle / M_PI;
    case 2:
      return 0.5 + s / 2;
    case 3:
      return 0.5 + (angle + s * c) / M_PI;
    case 4:
      return 0.5 + s * (1 + c * c / 2) / 2;
    default:
      return 0.5 + (angle + s * (c + 2 * c * c * c / 3)) / M_PI;
  }
}

/// The density at x of deviation N + scale T, as an integral over N, in MPFR.
Rational reference_density(const Rational& x, double deviation, double scale, double freedom) {
  const Rational d(deviation), c(scale), n(freedom);
  const auto value = [&](mpfr_ptr result, mpfr_srcptr u) {  // d u is the normal part
    mpfr_t k, t;
    mpfr_inits2(mpfr_get_prec(result), k, t, nullptr);
    mpfr_sqr(k, u, MPFR_RNDN);
    mpfr_div_si(k, k, -2, MPFR_RNDN);
    mpfr_exp(k, k, MPFR_RNDN);
    mpfr_mul_q(t, u, d.get_mpq_t(), MPFR_RNDN);
    mpfr_sub_q(t, t, x.get_mpq_t(), MPFR_RNDN);
    mpfr_div_q(t, t, c.get_mpq_t(), MPFR_RNDN);
    mpfr_sqr(t, t, MPFR_RNDN);
    mpfr_div_q(t, t, n.get_mpq_t(), MPFR_RNDN);
    mpfr_log1p(t, t, MPFR_RNDN);
    mpfr_mul_q(t, t, Rational(-(n + 1) / 2).get_mpq_t(), MPFR_RNDN);
    mpfr_exp(t, t, MPFR_RNDN);
    mpfr_mul(result, k, t, MPFR_RNDN);
    mpfr_clears(k, t, nullptr);
  };
  // Between breaks around the kernel's peak and that of the normal law.
  std::set<Rational> breaks{-36, -6, -2, 0, 2, 6, 36};
  for (Rational width = c / d; width < 40; width *= 3)
    for (const Rational& at : {Rational(x / d - width), Rational(x / d), Rational(x / d + width)})
      if (abs(at) < 36) breaks.insert(at);
  Rational integral;
  for (auto from = breaks.begin(), to = std::next(from); to != breaks.end(); ++from, ++to)
    integral += reference_integral(value, *from, *to);
  return integral * reference([&](mpfr_ptr result) {
           mpfr_t part;
           mpfr_init2(part, mpfr_get_prec(result));
           mpfr_set_q(result, Rational((n + 1) / 2).get_mpq_t(), MPFR_RNDN);
           mpfr_gamma(result, result, MPFR_RNDN);
           mpfr_set_q(part, Rational(n / 2).get_mpq_t(), MPFR_RNDN);
           mpfr_gamma(part, part, MPFR_RNDN);
           mpfr_div(result, result, part, MPFR_RNDN);
           mpfr_const_pi(part, MPFR_RNDN);
           mpfr_mul_q(part, part, n.get_mpq_t(), MPFR_RNDN);
           mpfr_sqrt(part, part, MPFR_RNDN);
           mpfr_div(result, result, part, MPFR_RNDN);
           mpfr_const_pi(part, MPFR_RNDN);
           mpfr_mul_ui(part, part, 2, MPFR_RNDN);
           mpfr_sqrt(part, part, MPFR_RNDN);
           mpfr_div(result, result, part, MPFR_RNDN);
           mpfr_div_q(result, result, c.get_mpq_t(), MPFR_RNDN);
           mpfr_clear(part);
         });
}

TEST_CASE("the density of a normal law and Student's noise agrees with quadrature in MPFR") {
  const struct {
    double x, deviation, scale, freedom;
  } cases[] = {{0, 1, 1, 4},      {0.3, 0.5, 1, 3},    {10, 1, 0.25, 2.5}, {1000, 2, 1, 5},
               {2, 1, 1, 1},       {40, 8, 0.0625, 3},
               {0.5, 1, 1, 7.75}, {-12, 1, 0.5, 200.5}};
  for (const auto& each : cases) {
    CAPTURE(each.x);
    CAPTURE(each.freedom);
    const StudentNormal law(Rational(ratio(1, 3)), each.deviation, each.scale, each.freedom);
    const Rational x = Rational(each.x) + ratio(1, 3);
    const Rational expected =
        reference_density(Rational(each.x), each.deviation, each.scale, each.freedom);
    for (const unsigned digits : {3U, 9U, 12U, 20U, 40U}) {
      CAPTURE(digits);
      const Interval found = law.density(x, digits);
      // What the reference leaves out beyond 36 deviations is below 1e-280.
      CHECK(found.contains(expected));
      Rational width = (found.upper - found.lower) / found.lower;
      for (unsigned i = 0; i < digits; ++i) width *= 10;
      CHECK(width <= 1);
    }
  }
}

TEST_CASE("densities and distribution functions agree with doubles on random laws, tails included") {
  std::mt19937 random(7);
  const auto uniform = [&](double from, double to) {
    return from + (to - from) * std::uniform_real_distribution<double>()(random);
  };
  const int count = std::getenv("WMI_LONG") != nullptr ? 20'000 : 2'000;
  for (int i = 0; i < count; ++i) {
    const int freedom = 1 + i % 5;
    const double scale = std::exp(uniform(-4, 3));
    const double deviation = i % 3 == 0 ? 0 : scale * std::exp(uniform(-4, 1));
    const double x = (i % 2 == 0 ? 1 : -1) * scale * std::exp(uniform(-3, i % 7 == 0 ? 12 : 3));
    CAPTURE(freedom);
    CAPTURE(scale);
    CAPTURE(deviation);
    CAPTURE(x);
    const StudentNormal law(0, deviation, scale, freedom);
    const double expected_log = std::log(convolved(
        deviation, [&](double u) { return std::exp(log_student(x - u, scale, freedom)); }));
    const Interval log = law.log_density(Rational(x), 9);
    CHECK(log.midpoint().get_d() == doctest::Approx(expected_log).epsilon(1e-10).scale(10));
    CHECK(Rational(log.upper - log.lower).get_d() < 1e-9);
    const double expected = convolved(
        deviation, [&](double u) { return student_below((x - u) / scale, freedom); });
    const Interval below = law.cdf(Rational(x), 11);
    CHECK(std::abs(below.midpoint().get_d() - expected) < 2e-11);
    CHECK(Rational(below.upper - below.lower).get_d() < 1e-11);
    if (i % 20 != 0) continue;
    // More digits lie within fewer.
    const Interval fine = law.cdf(Rational(x), 20), density = law.density(Rational(x), 20),
                   rough = law.density(Rational(x), 11);
    CHECK((below.lower <= fine.lower && fine.upper <= below.upper));
    CHECK((rough.lower <= density.lower && density.upper <= rough.upper));
  }
}

TEST_CASE("without a normal part the density is that of the likelihood's closed form") {
  for (const double x : {0.0, 0.7, -5.0, 1e4, 1e200}) {
    const auto expected = make_student({ratio(3, 2), ratio(7, 2)})
                              ->density(Law::point(1), Rational(x), 30);
    const Interval found = StudentNormal(1, 0, 1.5, 3.5).density(Rational(x), 25);
    CAPTURE(x);
    CHECK((found.lower <= expected.lower && expected.upper <= found.upper));
  }
}

TEST_CASE("the mixture of normal laws has the mass 1 and the variance of Student's law") {
  for (const double freedom : {1.0, 2.1, 3.0, 4.0, 10.0, 57.5, 300.0, 1000.0}) {
    CAPTURE(freedom);
    const auto rule = student_rule(freedom);
    double mass = 0, variance = 0;
    for (const StudentRule::Node& node : rule->nodes) {
      mass += node.weight;
      variance += node.weight * node.variance;
    }
    CHECK(mass == doctest::Approx(1).epsilon(1e-13));
    if (freedom >= 4) CHECK(variance == doctest::Approx(freedom / (freedom - 2)).epsilon(1e-7));
    CHECK(rule->nodes.size() < 350);
    CHECK(student_rule(freedom) == rule);
  }
  CHECK(StudentNormal(0, 2, 3, 6).variance() == 4 + 9 * ratio(6, 4));
  CHECK_THROWS_AS(StudentNormal(0, 0, 1, 2).variance(), Error);
  CHECK_THROWS_AS(StudentNormal(0, 0, 0, 3), Error);
  CHECK_THROWS_AS(StudentNormal(0, -1, 1, 3), Error);
  CHECK_THROWS_AS(StudentNormal(0, 0, 1, 0.5), Error);
}

}  // namespace
}  // namespace wmi::tests
