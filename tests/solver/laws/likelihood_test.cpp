#include "solver/laws/likelihood.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "solver/terms/decimal.h"
#include "solver/terms/error.h"
#include "tests/solver/random_law.h"
#include "tests/solver/reference_quadrature.h"

namespace wmi::tests {
namespace {

/// ReLU(w), w uniform on [-3, 3].
const Law relu({{0, ratio(1, 2)}}, {{0, 3, Univariate::constant(ratio(1, 6))}});

/// The reference has an error of its own, of 1 in 10^190.
bool holds(const Interval& value, const Rational& reference) {
  const Rational slack = abs(reference) / power(Rational(10), 190);
  return value.lower - slack <= reference && reference <= value.upper + slack;
}

/// A function of the distance t >= 0 from the outcome (or of the quantity itself), by its formula.
using Formula1 = std::function<void(mpfr_ptr value, mpfr_srcptr t)>;

/// The integral of a function of s over a law, by point masses and quadrature between the breaks.
Rational expected(const Law& law, const std::vector<Rational>& breaks, const Formula1& function) {
  Rational sum;
  for (const PointMass& atom : law.atoms())
    sum += atom.mass * reference([&](mpfr_ptr value) {
             mpfr_t s;
             mpfr_init2(s, mpfr_get_prec(value));
             mpfr_set_q(s, atom.at.get_mpq_t(), MPFR_RNDN);
             function(value, s);
             mpfr_clear(s);
           });
  for (const Piece& piece : law.pieces()) {
    std::vector<Rational> ends{piece.from, piece.to};
    for (const Rational& point : breaks)
      if (piece.from < point && point < piece.to) ends.insert(ends.end() - 1, point);
    std::sort(ends.begin(), ends.end());
    for (std::size_t i = 0; i + 1 < ends.size(); ++i)
      sum += reference_integral(
          [&](mpfr_ptr value, mpfr_srcptr s) {
            mpfr_t density;
            mpfr_init2(density, mpfr_get_prec(value));
            at(density, piece.density, s);
            function(value, s);
            mpfr_mul(value, value, density, MPFR_RNDN);
            mpfr_clear(density);
          },
          ends[i], ends[i + 1]);
  }
  return sum / law.mass();
}

/// k(t) of a likelihood of this name.
Formula1 kernel(std::string_view name, const LikelihoodOptions& options) {
  const Rational scale = options.scale, freedom = options.freedom;
  if (name == "gaussian")
    return [=](mpfr_ptr k, mpfr_srcptr t) {  // exp(-(t/sigma)^2/2) / (sigma sqrt(2 pi))
      mpfr_t factor;
      mpfr_init2(factor, mpfr_get_prec(k));
      mpfr_div_q(k, t, scale.get_mpq_t(), MPFR_RNDN);
      mpfr_sqr(k, k, MPFR_RNDN);
      mpfr_div_si(k, k, -2, MPFR_RNDN);
      mpfr_exp(k, k, MPFR_RNDN);
      mpfr_const_pi(factor, MPFR_RNDN);
      mpfr_mul_ui(factor, factor, 2, MPFR_RNDN);
      mpfr_sqrt(factor, factor, MPFR_RNDN);
      mpfr_mul_q(factor, factor, scale.get_mpq_t(), MPFR_RNDN);
      mpfr_div(k, k, factor, MPFR_RNDN);
      mpfr_clear(factor);
    };
  if (name == "triangular")
    return [=](mpfr_ptr k, mpfr_srcptr t) {  // max(0, r - |t|) / r^2
      mpfr_abs(k, t, MPFR_RNDN);
      mpfr_sub_q(k, k, scale.get_mpq_t(), MPFR_RNDN);
      mpfr_neg(k, k, MPFR_RNDN);
      if (mpfr_sgn(k) < 0) mpfr_set_zero(k, 1);
      mpfr_div_q(k, k, Rational(scale * scale).get_mpq_t(), MPFR_RNDN);
    };
  if (name == "uniform")
    return [=](mpfr_ptr k, mpfr_srcptr t) {
      mpfr_abs(k, t, MPFR_RNDN);
      const bool inside = mpfr_cmp_q(k, scale.get_mpq_t()) <= 0;
      mpfr_set_q(k, (inside ? Rational(1 / (2 * scale)) : Rational(0)).get_mpq_t(), MPFR_RNDN);
    };
  if (name == "laplace")
    return [=](mpfr_ptr k, mpfr_srcptr t) {
      mpfr_abs(k, t, MPFR_RNDN);
      mpfr_div_q(k, k, Rational(-scale).get_mpq_t(), MPFR_RNDN);
      mpfr_exp(k, k, MPFR_RNDN);
      mpfr_div_q(k, k, Rational(2 * scale).get_mpq_t(), MPFR_RNDN);
    };
  REQUIRE(name == "student");
  return [=](mpfr_ptr k, mpfr_srcptr t) {
    mpfr_t factor, gamma;
    mpfr_init2(factor, mpfr_get_prec(k));
    mpfr_init2(gamma, mpfr_get_prec(k));
    mpfr_div_q(k, t, scale.get_mpq_t(), MPFR_RNDN);
    mpfr_sqr(k, k, MPFR_RNDN);
    mpfr_div_q(k, k, freedom.get_mpq_t(), MPFR_RNDN);
    mpfr_log1p(k, k, MPFR_RNDN);
    mpfr_mul_q(k, k, Rational(-(freedom + 1) / 2).get_mpq_t(), MPFR_RNDN);
    mpfr_exp(k, k, MPFR_RNDN);
    mpfr_set_q(factor, Rational((freedom + 1) / 2).get_mpq_t(), MPFR_RNDN);
    mpfr_gamma(gamma, factor, MPFR_RNDN);
    mpfr_mul(k, k, gamma, MPFR_RNDN);
    mpfr_set_q(factor, Rational(freedom / 2).get_mpq_t(), MPFR_RNDN);
    mpfr_gamma(gamma, factor, MPFR_RNDN);
    mpfr_div(k, k, gamma, MPFR_RNDN);
    mpfr_const_pi(factor, MPFR_RNDN);
    mpfr_mul_q(factor, factor, freedom.get_mpq_t(), MPFR_RNDN);
    mpfr_sqrt(factor, factor, MPFR_RNDN);
    mpfr_div(k, k, factor, MPFR_RNDN);
    mpfr_div_q(k, k, scale.get_mpq_t(), MPFR_RNDN);
    mpfr_clear(gamma);
    mpfr_clear(factor);
  };
}

/// p(y) from the formula of the kernel.
Rational expected_density(std::string_view name, const LikelihoodOptions& options, const Law& law,
                          const Rational& y) {
  const Formula1 k = kernel(name, options);
  // Where the kernels have kinks and jumps.
  const std::vector<Rational> breaks{y - options.scale, y, y + options.scale};
  return expected(law, breaks, [&](mpfr_ptr value, mpfr_srcptr s) {
    mpfr_t distance;
    mpfr_init2(distance, mpfr_get_prec(value));
    mpfr_sub_q(distance, s, y.get_mpq_t(), MPFR_RNDN);
    k(value, distance);
    mpfr_clear(distance);
  });
}

TEST_CASE("the worked example: ReLU(w), w uniform on [-3, 3], at 1") {
  const Interval gaussian = make_gaussian({})->density(relu, 1, 30);
  CHECK(has_digits(gaussian, 30));
  // phi(1)/2 + (Phi(2) - Phi(-1))/6 by another program, rounded to 40 digits.
  const Rational known = parse_number("0.2574177979462989651297400812120310749154");
  CHECK(abs(gaussian.midpoint() - known) < power(ratio(1, 10), 30));
  CHECK(decimal(gaussian.midpoint(), 12) == "0.257417797946");
  CHECK(make_triangular({.scale = ratio(12, 5)})->density(relu, 1, 5) ==
        Interval(ratio(445, 1728)));
  CHECK(make_triangular({.scale = ratio(23, 10)})->density(relu, 1, 5) ==
        Interval(ratio(415, 1587)));
  CHECK(make_triangular({.scale = ratio(2297, 1000)})->density(relu, 1, 5) ==
        Interval(ratio(4141000, 15828627)));
  CHECK(make_triangular({.scale = ratio(245, 100)})->density(relu, 1, 5) ==
        Interval(ratio(1840, 7203)));
  CHECK(make_uniform({.scale = ratio(1, 2)})->density(relu, 1, 5) == Interval(ratio(1, 6)));
}

TEST_CASE("invalid arguments are refused with a message") {
  for (const LikelihoodEntry& entry : likelihoods()) {
    CAPTURE(entry.name);
    CHECK_THROWS_AS(entry.make({.scale = 0}), Error);
    CHECK_THROWS_AS(entry.make({.scale = -1}), Error);
    CHECK_THROWS_AS(entry.make({})->density(Law(), 0, 5), Error);
    CHECK_THROWS_AS(entry.make({})->log_density(Law(), 0, 5), Error);
  }
  CHECK_THROWS_WITH_AS(make_triangular({.scale = -1}), "a radius must be above 0, not -1", Error);
  CHECK_THROWS_WITH_AS(make_student({.freedom = 0}), "degrees of freedom must be above 0, not 0",
                       Error);
  CHECK_THROWS_AS(mean_sigmoid(Law(), 5), Error);
}

TEST_CASE("every likelihood agrees with quadrature") {
  Random random(61);
  MESSAGE("seed " << random.seed());
  for (int i = 0; i < 12; ++i) {
    CAPTURE(i);
    const Law law = random_law(random);
    for (const LikelihoodEntry& entry : likelihoods()) {
      CAPTURE(entry.name);
      const LikelihoodOptions options{ratio(random.integer(1, 20), random.integer(1, 8)),
                                      ratio(random.integer(1, 12), random.integer(1, 3))};
      const auto likelihood = entry.make(options);
      const Rational y = ratio(random.integer(-60, 60), random.integer(1, 9));
      const Rational truth = expected_density(entry.name, options, law, y);
      for (const unsigned digits : {5u, 40u}) {
        const Interval found = likelihood->density(law, y, digits);
        CHECK(holds(found, truth));
        if (truth != 0) CHECK(has_digits(found, digits));
        const std::optional<Interval> logarithm = likelihood->log_density(law, y, digits);
        CHECK(logarithm.has_value() == (truth != 0));
        if (!logarithm) continue;
        CHECK(logarithm->upper - logarithm->lower <= power(ratio(1, 10), digits));
        CHECK(holds(*logarithm, reference([&](mpfr_ptr value) {
          mpfr_set_q(value, truth.get_mpq_t(), MPFR_RNDN);
          mpfr_log(value, value, MPFR_RNDN);
        })));
      }
    }
  }
}

TEST_CASE("log densities are accurate at 40 standard deviations and beyond") {
  const auto gaussian = make_gaussian({});
  for (const int y : {-40, 43, 403}) {
    CAPTURE(y);
    const Rational truth = expected_density("gaussian", {}, relu, y);
    const std::optional<Interval> found = gaussian->log_density(relu, y, 25);
    REQUIRE(found);
    CHECK(found->upper - found->lower <= power(ratio(1, 10), 25));
    CHECK(holds(*found, reference([&](mpfr_ptr value) {
      mpfr_set_q(value, truth.get_mpq_t(), MPFR_RNDN);
      mpfr_log(value, value, MPFR_RNDN);
    })));
  }
  // At a million: -t^2/2 with t = 10^6 dominates, the rest is -log(6 t sqrt(2 pi)) and smaller.
  const std::optional<Interval> far = gaussian->log_density(relu, 1'000'003, 20);
  REQUIRE(far);
  CHECK(decimal(far->midpoint(), 20) == "-500000000016.52620856");
  // There the density itself is smaller than any number that is written out: an enclosure of it.
  const Interval density = gaussian->density(relu, 1'000'003, 5);
  CHECK(density.lower == 0);
  CHECK(density.upper > 0);
}

TEST_CASE("the triangular likelihood is a convolution") {
  Random random(62);
  for (int i = 0; i < 300; ++i) {
    const Law law = random_law(random);
    const Rational radius = ratio(random.integer(1, 9), random.integer(1, 4));
    const Rational y = ratio(random.integer(-40, 40), random.integer(1, 7));
    CHECK(make_triangular({.scale = radius})->density(law, y, 5) ==
          Interval(convolution(law.normalised(), Law::triangular(0, radius)).density(y)));
    CHECK(make_uniform({.scale = radius})->density(law, y, 5) ==
          Interval(convolution(law.normalised(), Law::uniform(-radius, radius)).density(y)));
  }
}

TEST_CASE("the mean of a sigmoid is enclosed") {
  // Uniform on [a, b]: (softplus(b) - softplus(a))/(b - a); on [-1, 1]: 1/2.
  CHECK(mean_sigmoid(Law::uniform(-1, 1), 30).contains(ratio(1, 2)));
  CHECK(mean_sigmoid(Law::point(0), 5).contains(ratio(1, 2)));
  const auto sigmoid = [](mpfr_ptr value, mpfr_srcptr s) {
    mpfr_neg(value, s, MPFR_RNDN);
    mpfr_exp(value, value, MPFR_RNDN);
    mpfr_add_ui(value, value, 1, MPFR_RNDN);
    mpfr_ui_div(value, 1, value, MPFR_RNDN);
  };
  Random random(63);
  for (int i = 0; i < 25; ++i) {
    CAPTURE(i);
    const Law law = random_law(random).image(ratio(1, random.integer(1, 3)),
                                             random.chance(30) ? random.integer(-500, 500) : 0);
    const Rational truth = expected(law, {Rational(0)}, sigmoid);
    for (const unsigned digits : {3u, 30u}) {
      const Interval found = mean_sigmoid(law, digits);
      CHECK(holds(found, truth));
      CHECK(has_digits(found, digits));
    }
  }
}

/// pi^2, log 2, zeta(3), e^-1000.
Rational pi_squared() {
  return reference([](mpfr_ptr value) {
    mpfr_const_pi(value, MPFR_RNDN);
    mpfr_sqr(value, value, MPFR_RNDN);
  });
}
Rational log_two() {
  return reference([](mpfr_ptr value) { mpfr_const_log2(value, MPFR_RNDN); });
}
Rational zeta_three() {
  return reference([](mpfr_ptr value) { mpfr_zeta_ui(value, 3, MPFR_RNDN); });
}
Rational exp_of(int power) {
  return reference([&](mpfr_ptr value) {
    mpfr_set_si(value, power, MPFR_RNDN);
    mpfr_exp(value, value, MPFR_RNDN);
  });
}

TEST_CASE("the mean of a sigmoid is accurate for pieces of any length") {
  // With u >= 0: 1/(1 + e^u) has the integral log 2, u/(1 + e^u) pi^2/12, u^2/(1 + e^u) 3
  // zeta(3)/2; what lies beyond L is e^-L, which counts in no digit here.
  for (const int exponent : {3, 5, 9, 30}) {
    CAPTURE(exponent);
    const Rational length = power(Rational(10), static_cast<unsigned>(exponent));
    const Rational square = length * length, cube = square * length;
    const auto piece = [](const Rational& from, const Rational& to,
                          const std::vector<Rational>& density) {
      return Law({}, {{from, to, Univariate(density)}});
    };
    const std::pair<Law, Rational> cases[] = {
        {piece(0, length, {0, 2 / square}), 1 - pi_squared() / (6 * square)},
        {piece(-length, 0, {0, -2 / square}), pi_squared() / (6 * square)},
        {piece(-length, 0, {2 / length, 2 / square}),
         2 / square * (length * log_two() - pi_squared() / 12)},
        {piece(-length, 0, {0, 0, 3 / cube}), 9 * zeta_three() / (2 * cube)},
        {piece(-length, length, {0, 0, 3 / (2 * cube)}), ratio(1, 2)},
        // u = -1000 - s, and the sigmoid is e^s to 400 digits.
        {piece(-length - 1000, -1000, {2 * (length + 1000) / square, 2 / square}),
         2 * (length - 1) / square * exp_of(-1000)},
        // A density that is negative left of 0, and a point mass that makes up for it.
        {piece(-length, length, {0, 1}) + Law::point(0),
         ratio(1, 2) + square / 2 - pi_squared() / 6},
    };
    for (std::size_t i = 0; i < std::size(cases); ++i) {
      CAPTURE(i);
      const auto& [law, truth] = cases[i];
      for (const unsigned digits : {3u, 30u, 120u}) {
        const Interval found = mean_sigmoid(law, digits);
        CHECK(holds(found, truth));
        CHECK(has_digits(found, digits));
      }
    }
  }
}

}  // namespace
}  // namespace wmi::tests
