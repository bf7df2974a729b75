#include "solver/laws/softmax/softmax.h"

#include <acb_calc.h>
#include <arb_hypgeom.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

#include "solver/laws/likelihood.h"
#include "solver/numeric/ball.h"
#include "solver/terms/error.h"
#include "tests/solver/random_sum.h"

using namespace wmi;

namespace {

constexpr slong bits = 760;  // for references of 200 digits and more

/// e^z and its mass.
struct Place {
  Ball x, mass;
};

/// The law as points: its atoms, and enough of Gauss and Legendre's for 200 digits on each unit of
/// its pieces. A softmax is analytic in each logit up to a distance of pi from the reals.
std::vector<Place> places(const Law& law) {
  std::vector<Place> result;
  for (const PointMass& atom : law.atoms()) {
    Place place{ball(atom.at, bits), ball(atom.mass / law.mass(), bits)};
    arb_exp(place.x, place.x, bits);
    result.push_back(place);
  }
  for (const Piece& piece : law.pieces()) {
    const Integer parts = Integer(Rational(piece.to - piece.from)) + 1;
    const Rational half = (piece.to - piece.from) / (2 * parts);
    const auto count = static_cast<unsigned>(500 / (2 * std::asinh(3.0 / half.get_d()))) + 3;
    std::vector<Ball> nodes(count), weights(count);
    for (unsigned i = 0; i < count; ++i)
      arb_hypgeom_legendre_p_ui_root(nodes[i], weights[i], count, i, bits);
    for (Integer part = 0; part < parts; ++part) {
      const Rational center = piece.from + (2 * part + 1) * half;
      for (unsigned i = 0; i < count; ++i) {
        Place place{Ball(), weights[i]};
        Ball node;
        arb_mul(node, nodes[i], ball(half, bits), bits);
        arb_add(node, node, ball(center, bits), bits);
        Ball density;
        const auto& coefficients = piece.density.coefficients();
        for (std::size_t k = coefficients.size(); k-- > 0;) {
          arb_mul(density, density, node, bits);
          arb_add(density, density, ball(coefficients[k], bits), bits);
        }
        arb_mul(place.mass, place.mass, density, bits);
        arb_mul(place.mass, place.mass, ball(half / law.mass(), bits), bits);
        arb_exp(place.x, node, bits);
        result.push_back(place);
      }
    }
  }
  return result;
}

/// The expected softmax straight from its definition, by nested sums over all places: to 200
/// digits.
std::vector<Rational> reference(const std::vector<Law>& logits) {
  std::vector<std::vector<Place>> all;
  for (const Law& law : logits) all.push_back(places(law));
  std::vector<Ball> sums(logits.size());
  std::vector<const Ball*> chosen(logits.size());
  const std::function<void(std::size_t, const Ball&, const Ball&)> nest =
      [&](std::size_t k, const Ball& mass, const Ball& total) {
        if (k == logits.size()) {
          Ball factor;
          arb_div(factor, mass, total, bits);
          for (std::size_t i = 0; i < k; ++i) arb_addmul(sums[i], factor, *chosen[i], bits);
          return;
        }
        Ball next_mass, next_total;
        for (const Place& place : all[k]) {
          arb_mul(next_mass, mass, place.mass, bits);
          arb_add(next_total, total, place.x, bits);
          chosen[k] = &place.x;
          nest(k + 1, next_mass, next_total);
        }
      };
  nest(0, ball(1, bits), Ball());
  std::vector<Rational> result;
  for (const Ball& sum : sums) {
    CHECK(arb_rel_accuracy_bits(sum) > 670);
    result.push_back(interval(sum).midpoint());
  }
  return result;
}

/// E[1/(1 + e^-d)] for the law of d = z_1 - z_2, by adaptive quadrature.
Rational sigmoid_of_difference(const Law& first, const Law& second) {
  const Law difference = convolution(first, second.image(-1, 0));
  struct Integrand {
    static int call(acb_ptr result, const acb_t d, void* density, slong, slong precision) {
      acb_t value;
      acb_init(value);
      acb_neg(value, d);
      acb_exp(value, value, precision);
      acb_add_ui(value, value, 1, precision);
      acb_inv(result, value, precision);
      acb_zero(value);
      const auto& coefficients = static_cast<const Univariate*>(density)->coefficients();
      for (std::size_t k = coefficients.size(); k-- > 0;) {
        acb_mul(value, value, d, precision);
        acb_add_arb(value, value, ball(coefficients[k], precision), precision);
      }
      acb_mul(result, result, value, precision);
      acb_clear(value);
      return 0;
    }
  };
  Ball sum;
  for (const PointMass& atom : difference.atoms()) {
    Ball value = ball(-atom.at, bits);
    arb_exp(value, value, bits);
    arb_add_ui(value, value, 1, bits);
    arb_div(value, ball(atom.mass, bits), value, bits);
    arb_add(sum, sum, value, bits);
  }
  mag_t tolerance;
  mag_init(tolerance);
  mag_set_ui_2exp_si(tolerance, 1, -6000);
  acb_t from, to, value;
  acb_init(from);
  acb_init(to);
  acb_init(value);
  for (const Piece& piece : difference.pieces()) {
    acb_set_arb(from, ball(piece.from, bits));
    acb_set_arb(to, ball(piece.to, bits));
    Univariate density = piece.density;
    acb_calc_integrate(value, Integrand::call, &density, from, to, bits, tolerance, nullptr, bits);
    arb_add(sum, sum, acb_realref(value), bits);
  }
  acb_clear(from);
  acb_clear(to);
  acb_clear(value);
  mag_clear(tolerance);
  CHECK(arb_rel_accuracy_bits(sum) > 670);
  return interval(sum).midpoint();
}

void check_sums(const std::vector<Interval>& found) {
  Rational lower, upper;
  for (const Interval& p : found) {
    CHECK(p.lower >= 0);
    CHECK(p.upper <= 1);
    lower += p.lower;
    upper += p.upper;
  }
  CHECK(lower <= 1);
  CHECK(upper >= 1);
}

/// The width is at most 10^-digits of the value.
void check_digits(const Interval& p, unsigned digits) {
  CHECK(p.lower > 0);
  CHECK((p.upper - p.lower) * power(Rational(10), digits) <= p.lower);
}

void check_against_reference(const std::vector<Law>& logits,
                             const std::vector<unsigned>& all_digits = {1, 12, 40}) {
  const std::vector<Rational> expected = reference(logits);
  for (const unsigned digits : all_digits) {
    CAPTURE(digits);
    const std::vector<Interval> found = softmax(logits, digits);
    REQUIRE(found.size() == logits.size());
    check_sums(found);
    for (std::size_t k = 0; k < found.size(); ++k) {
      CAPTURE(k);
      CHECK(found[k].contains(expected[k]));
      check_digits(found[k], digits);
    }
  }
  const std::vector<double> estimate = softmax_estimate(logits);
  for (std::size_t k = 0; k < logits.size(); ++k)
    if (const double size = expected[k].get_d(); size > 1e-300)
      CHECK(estimate[k] == doctest::Approx(size).epsilon(1e-11));
}

Law two_points(const Rational& a, const Rational& b, const Rational& mass_of_a) {
  return Law({{a, mass_of_a}, {b, 1 - mass_of_a}}, {});
}

const Rational tiny = ratio(1, Integer("1000000000000000000000000000000"));  // 1e-30

struct Draw {
  std::mt19937_64 engine;
  int below(int bound) { return static_cast<int>(engine() % static_cast<unsigned>(bound)); }
  /// A multiple of 1/16 from 0 to `most`.
  Rational number(int most) { return ratio(below(16 * most + 1), 16); }

  Law law() {
    const Rational at = number(6) - 3;
    switch (below(5)) {
      case 0:
        return Law::point(at);
      case 1:
        return Law::triangular(at, number(1) + ratio(1, 16));
      case 2:  // an atom, and a density that falls to 0
        return Law({{at, number(1)}},
                   {{at, at + 1, Univariate(std::vector<Rational>{at + 1, -1})}});
      default:
        return Law::uniform(at, at + number(2) + ratio(1, 64));
    }
  }
  std::vector<Law> laws(std::size_t count) {
    std::vector<Law> result;
    while (result.size() < count) result.push_back(law());
    return result;
  }
};

}  // namespace

TEST_CASE("the softmax of numbers is the softmax") {
  check_against_reference({Law::point(0), Law::point(0)});
  check_against_reference({Law::point(ratio(1, 3)), Law::point(-2), Law::point(ratio(7, 5))},
                          {1, 2, 5, 12, 30, 100, 180});
  check_against_reference({Law::point(500), Law::point(-500), Law::point(0), Law::point(499)});
}

TEST_CASE("with one uniform logit against a number the softmax has a closed form") {
  // E[e^z/(e^z + c)] = (log(e^b + c) - log(e^a + c))/(b - a): here log((e + 1)/2).
  Ball expected;
  arb_const_e(expected, bits);
  arb_add_ui(expected, expected, 1, bits);
  arb_mul_2exp_si(expected, expected, -1);
  arb_log(expected, expected, bits);
  const auto found = softmax(std::vector{Law::uniform(0, 1), Law::point(0)}, 150);
  CHECK(found[0].contains(interval(expected).midpoint()));
  check_digits(found[0], 150);
}

TEST_CASE("the probabilities contain the definition, summed to 200 digits") {
  check_against_reference({Law::uniform(-1, 1), Law::uniform(0, ratio(1, 2))}, {1, 12, 40, 100});
  check_against_reference({Law::uniform(-1, 2), Law::triangular(ratio(1, 3), 1), Law::point(0)});
  check_against_reference({Law::uniform(0, ratio(1, 8)), Law::uniform(-1, -ratio(1, 2)),
                           Law::uniform(ratio(1, 4), ratio(3, 4))});
  // A density of degree 3, x^2 (3 - x) 4/27 on [0, 3], with an atom inside.
  check_against_reference(
      {Law({{1, ratio(1, 3)}}, {{0, 3, ratio(2, 3) * ratio(4, 27) * Univariate({0, 0, 3, -1})}}),
       Law::uniform(-1, 1), two_points(-3, 2, ratio(1, 7))});
}

TEST_CASE("at every accuracy, so that each bound is at times the one that counts") {
  std::vector<unsigned> all_digits(40);
  std::iota(all_digits.begin(), all_digits.end(), 1);
  check_against_reference({Law::point(0), Law::point(ratio(1, 3))}, all_digits);
  check_against_reference({Law::point(0), Law::point(-3), Law::point(2)}, all_digits);
  check_against_reference({Law::uniform(0, ratio(1, 2)), Law::point(ratio(1, 3))}, all_digits);
  check_against_reference({Law::uniform(0, 6), Law::point(ratio(5, 3)), Law::point(-20)},
                          all_digits);
  check_against_reference({two_points(0, -9, ratio(1, 5)), Law::point(-1)}, all_digits);
}

TEST_CASE("many classes, two of them continuous") {
  Draw draw{std::mt19937_64(1)};
  for (const std::size_t count : {5, 10, 50}) {
    std::vector<Law> logits{Law::uniform(-1, 1), Law::triangular(1, ratio(1, 2))};
    while (logits.size() < count) logits.push_back(Law::point(draw.number(8) - 5));
    check_against_reference(logits, {12});
  }
}

TEST_CASE("ten classes with two values each") {
  std::vector<Law> logits;
  for (int k = 0; k < 10; ++k)
    logits.push_back(two_points(ratio(k, 3) - 2, ratio(-k * k, 17), ratio(k + 1, 12)));
  check_against_reference(logits);
}

TEST_CASE("a thousand classes") {
  // The others are numbers, and together one: c = sum e^z.
  std::vector<Law> logits{Law::uniform(2, 5)};
  for (int k = 1; k < 1000; ++k) logits.push_back(Law::point(ratio(k % 37 - 18, 7)));
  check_against_reference(logits, {12});
}

TEST_CASE("equal logits share equally, however many") {
  for (const Law& law : {Law::uniform(-1, 1), Law::uniform(0, 30), Law::triangular(3, ratio(2, 3)),
                         two_points(-20, 20, ratio(1, 2))})
    for (const std::size_t count : {2, 3, 17, 1000}) {
      CAPTURE(count);
      const auto found = softmax(std::vector(count, law), 12);
      check_sums(found);
      for (const Interval& p : found) CHECK(p.contains(ratio(1, static_cast<int>(count))));
      check_digits(found.back(), 12);
    }
}

TEST_CASE("one class has probability one, exactly") {
  CHECK(softmax(std::vector{Law::uniform(-3, 700)}, 30) == std::vector{Interval(1)});
}

TEST_CASE("two classes are the sigmoid of the difference") {
  Draw draw{std::mt19937_64(2)};
  for (int round = 0; round < 40; ++round) {
    CAPTURE(round);
    const std::vector<Law> logits{draw.law().normalised(), draw.law().normalised()};
    const auto found = softmax(logits, 25);
    CHECK(found[0].contains(sigmoid_of_difference(logits[0], logits[1])));
    CHECK(found[1].contains(sigmoid_of_difference(logits[1], logits[0])));
    check_sums(found);
    const Interval mean = mean_sigmoid(convolution(logits[0], logits[1].image(-1, 0)), 25);
    CHECK(mean.lower <= found[0].upper);
    CHECK(mean.upper >= found[0].lower);
  }
}

TEST_CASE("logits of 500 keep their digits") {
  check_against_reference({Law::uniform(499, 500), Law::uniform(-500, -499)});
  check_against_reference({Law::triangular(500, 1), Law::point(499), Law::uniform(-500, -498)});
  const std::vector far{Law::uniform(499, 501), Law::uniform(-501, -499)};
  CHECK(softmax(far, 20)[1].contains(sigmoid_of_difference(far[1], far[0])));
  // e^-1000 * (sinh(1))^2, up to a factor of 1 - e^-998
  CHECK(softmax(far, 20)[1].upper < power(ratio(1, 10), 434));
}

TEST_CASE("a rare class is right where the others let it win, far from where they are likely") {
  // The last logit's probability is that of the others to be low, times what it then has.
  check_against_reference({Law::uniform(-40, 5), Law::uniform(-42, -41)}, {12, 30});
  check_against_reference({two_points(0, -700, ratio(1, 2)), Law::point(-800)}, {12, 30});
  check_against_reference({two_points(0, -700, 1 - tiny), Law::uniform(-801, -800)}, {12, 30});
}

TEST_CASE("uniform logits of any length") {
  for (const Rational& length : {Rational(tiny * tiny), tiny, ratio(1, 1'000'000), ratio(1, 50),
                                 ratio(39, 10), Rational(4), ratio(41, 10), Rational(17)}) {
    CAPTURE(to_string(length));
    check_against_reference({Law::uniform(-length / 3, 2 * length / 3), Law::uniform(-1, 1)});
  }
  check_against_reference({Law::uniform(-500, 500), Law::point(0)}, {12});
  check_against_reference({Law::uniform(-500, 500), Law::point(ratio(1, 3)), Law::point(450)},
                          {12, 25});
  // Two long ones: P(z1 > z2) = 11/20, and what the corner adds is e^-100.
  const std::vector both{Law::uniform(-500, 500), Law::uniform(-400, 300)};
  const auto found = softmax(both, 15);
  CHECK(found[0].contains(sigmoid_of_difference(both[0], both[1])));
  CHECK(found[1].contains(sigmoid_of_difference(both[1], both[0])));
}

TEST_CASE("a very short uniform logit is nearly a number") {
  const auto found = softmax(std::vector{Law::uniform(0, tiny), Law::point(1)}, 25);
  const auto number = softmax(std::vector{Law::point(tiny / 2), Law::point(1)}, 25);
  CHECK(abs(found[0].midpoint() - number[0].midpoint()) < power(ratio(1, 10), 25));
}

TEST_CASE("what is too small to write is enclosed all the same") {
  const auto found = softmax(std::vector{Law::point(1'000'000), Law::uniform(-2, -1)}, 12);
  CHECK(found[1].lower == 0);
  CHECK(found[1].upper > 0);
  CHECK(found[1].upper < power(ratio(1, 10), 30'000));
  check_digits(found[0], 12);
  const auto point = softmax(std::vector{Law::point(Rational(1 / tiny)), Law::point(0)}, 12);
  CHECK(point[1].upper < power(ratio(1, 10), 30'000));
}

TEST_CASE("adding a constant to all logits changes nothing") {
  const std::vector<Law> logits{Law::uniform(-1, 1), Law::triangular(0, 2), Law::uniform(3, 9)};
  const auto found = softmax(logits, 20);
  for (const Rational& shift : {ratio(1, 3), Rational(-500), Rational(12345)}) {
    std::vector<Law> shifted;
    for (const Law& law : logits) shifted.push_back(law.image(1, shift));
    const auto again = softmax(shifted, 20);
    for (std::size_t k = 0; k < logits.size(); ++k) {
      CHECK(again[k].lower <= found[k].upper);
      CHECK(again[k].upper >= found[k].lower);
    }
  }
}

TEST_CASE("permuting the logits permutes the probabilities") {
  Draw draw{std::mt19937_64(3)};
  std::vector<Law> logits = draw.laws(7);
  const auto found = softmax(logits, 20);
  std::reverse(logits.begin(), logits.end());
  const auto again = softmax(logits, 20);
  for (std::size_t k = 0; k < 7; ++k) {
    CHECK(again[6 - k].lower <= found[k].upper);
    CHECK(again[6 - k].upper >= found[k].lower);
  }
}

TEST_CASE("a law counts divided by its mass") {
  const std::vector<Law> logits{Law::uniform(0, 1), Law::triangular(0, 2)};
  const std::vector<Law> scaled{3 * logits[0], ratio(1, 7) * logits[1]};
  const auto found = softmax(scaled, 12);
  CHECK(found[0].contains(reference(logits)[0]));
}

TEST_CASE("random laws contain the definition") {
  Draw draw{std::mt19937_64(4)};
  for (int round = 0; round < 12; ++round) {
    CAPTURE(round);
    std::vector<Law> logits = draw.laws(2);
    logits.push_back(Law::point(draw.number(4) - 2));
    check_against_reference(logits, {12});
  }
}

TEST_CASE("thousands of draws agree") {
  Draw draw{std::mt19937_64(5)};
  const std::vector<Law> logits = draw.laws(8);
  constexpr std::size_t count = 4'000;
  std::vector<std::vector<double>> samples;
  for (std::size_t k = 0; k < logits.size(); ++k)
    samples.push_back(logits[k].sample(count, 100 + k));
  const auto found = softmax(logits, 12);
  for (std::size_t k = 0; k < logits.size(); ++k) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < count; ++i) {
      double total = 0;
      for (const auto& sample : samples) total += std::exp(sample[i]);
      const double p = std::exp(samples[k][i]) / total;
      sum += p;
      squares += p * p;
    }
    const double mean = sum / count, spread = std::sqrt((squares / count - mean * mean) / count);
    CHECK(std::abs(mean - found[k].midpoint().get_d()) < 5 * spread + 1e-12);
  }
}

TEST_CASE("the estimate has eleven digits, on thousands of random laws") {
  Draw draw{std::mt19937_64(6)};
  double worst = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::vector<Law> logits = draw.laws(2 + static_cast<std::size_t>(draw.below(3)));
    const auto found = softmax(logits, 12);
    const auto estimate = softmax_estimate(logits);
    for (std::size_t k = 0; k < logits.size(); ++k)
      worst = std::max(worst, std::abs(estimate[k] / found[k].midpoint().get_d() - 1));
  }
  CHECK(worst < 1e-11);
}

TEST_CASE("the estimate adds up to one, far apart and for many classes too") {
  for (const std::vector<Law>& logits :
       {std::vector{Law::uniform(-500, 500), Law::uniform(-400, 300), Law::uniform(-1001, -1000)},
        std::vector(1000, Law::uniform(0, 3)), std::vector{Law::point(3)},
        std::vector{Law::point(2000), Law::point(-2000)}}) {
    double sum = 0;
    for (const double p : softmax_estimate(logits)) sum += p;
    CHECK(sum == doctest::Approx(1).epsilon(1e-11));
  }
}

TEST_CASE("a sum of independent terms is its law") {
  // Six boxes, one of them twice: 2 pieces for each corner of the sum.
  const IndependentSum sum(ratio(1, 3), {{1, 0, 1},
                                         {ratio(-1, 2), -1, 1},
                                         {2, 0, ratio(1, 8), 2},
                                         {ratio(1, 7), 0, 1},
                                         {1, ratio(1, 5), ratio(2, 5)}});
  Law law = Law::point(ratio(1, 3));
  for (const Law& term : {Law::uniform(0, 1), Law::uniform(ratio(-1, 2), ratio(1, 2)),
                          Law::triangular(ratio(1, 8), ratio(1, 8)), Law::uniform(0, ratio(1, 7)),
                          Law::uniform(ratio(1, 5), ratio(2, 5))})
    law = convolution(law, term);
  for (const Rational& other :
       {Rational(0), Rational(2), Rational(40), Rational(-40), Rational(500)}) {
    CAPTURE(to_string(other));
    const std::vector<Rational> expected = reference({law, Law::point(other)});
    for (const unsigned digits : {1u, 5u, 12u, 25u, 60u}) {
      const auto found = softmax(std::vector<Logit>{sum, Law::point(other)}, digits);
      check_sums(found);
      for (std::size_t k = 0; k < 2; ++k) {
        CHECK(found[k].contains(expected[k]));
        check_digits(found[k], digits);
      }
    }
  }
}

TEST_CASE("sums of any number of terms, and numbers among them") {
  // Few terms go another way than many.
  const Law uniform = Law::uniform(0, 1);
  const std::vector<Rational> expected =
      reference({convolution(uniform, uniform), Law::point(ratio(1, 2))});
  const std::vector<Logit> logits{IndependentSum(0, {{1, 0, 1}, {1, 0, 1}, {5, 0, 0}}),
                                  IndependentSum(ratio(1, 2), {})};
  CHECK(softmax(logits, 20)[0].contains(expected[0]));

  // Against a sum with the same law.
  std::vector<Term> terms;
  for (int i = 0; i < 200; ++i) terms.push_back({ratio(1 + i % 13, 40), -1, 1});
  const IndependentSum sum(3, terms);
  for (const Interval& p : softmax(std::vector<Logit>(3, sum), 15)) {
    CHECK(p.contains(ratio(1, 3)));
    check_digits(p, 15);
  }
}

/// The largest relative error of the estimate, against twelve certified digits.
double worst_of_estimate(const std::vector<Logit>& logits) {
  const auto found = softmax(logits, 12);
  const auto estimate = softmax_estimate(logits);
  double worst = 0;
  for (std::size_t k = 0; k < logits.size(); ++k)
    worst = std::max(worst, std::abs(estimate[k] / found[k].midpoint().get_d() - 1));
  return worst;
}

TEST_CASE("the estimate takes sums of terms, with noise and without, beside laws") {
  wmi::tests::RandomSum random(31);
  Draw draw{std::mt19937_64(7)};
  for (int round = 0; round < wmi::tests::times(4); ++round) {
    CAPTURE(round);
    std::vector<Logit> logits;
    for (int k = 0; k < 3; ++k) {
      const auto given = random.question(3 * round + k, 12);
      // Standard deviations from 1/100 to 9.
      const Rational spread =
          wmi::tests::rough_spread(wmi::tests::boxes_of(given.halves, given.sigma));
      const Rational factor = ratio(random.integer(1, 30) * random.integer(1, 30), 100) / spread;
      std::vector<Term> terms;
      for (const Rational& half : given.halves) terms.push_back({factor, -half, half});
      logits.push_back(IndependentSum(random.number(-6, 6), terms,
                                      Noise::gaussian(Rational(factor * given.sigma))));
    }
    logits.push_back(draw.laws(1)[0]);
    CHECK(worst_of_estimate(logits) < 1e-11);
  }
}

TEST_CASE("the estimate of sums has its digits far apart, and for thousands of terms") {
  const auto many = [](int count, const Rational& half, const Rational& mean, const Noise& noise) {
    return IndependentSum(
        mean, std::vector<Term>(static_cast<std::size_t>(count), {1, -half, half}), noise);
  };
  const Noise none = Noise::none();
  for (const std::vector<Logit>& logits :
       {std::vector<Logit>{many(50, ratio(1, 4), 0, none), many(50, ratio(1, 3), -500, none)},
        {many(50, ratio(1, 4), 500, none), Law::point(0), many(4, 1, -90, none)},
        {many(5000, ratio(1, 10), 0, none), many(5000, ratio(1, 50), 3, none)},
        {many(0, 1, 0, Noise::gaussian(3)), many(0, 1, 10, Noise::gaussian(ratio(1, 10)))},
        {many(4, tiny, 0, none), many(7, 2, ratio(1, 3), none)},
        {many(1, 5, 0, Noise::gaussian(tiny)), Law::uniform(-1, 1)}})
    CHECK(worst_of_estimate(logits) < 1e-11);
  // A certain one, alone.
  CHECK(softmax_estimate(std::vector<Logit>{many(9, 1, 7, none)})[0] ==
        doctest::Approx(1).epsilon(1e-12));
}

TEST_CASE("a Gaussian logit against a number is the mean of a sigmoid") {
  for (const Rational& sigma : {ratio(1, 10), Rational(1), Rational(3)}) {
    CAPTURE(to_string(sigma));
    const std::vector<Logit> even{IndependentSum(2, {}, Noise::gaussian(sigma)), Law::point(2)};
    CHECK(softmax(even, 20)[0].contains(ratio(1, 2)));

    // The trapezoidal rule in x = sigma s: it errs by e^(-2 pi a / h) for a < pi/sigma, and less.
    const std::vector<Logit> logits{IndependentSum(1, {}, Noise::gaussian(sigma)), Law::point(0)};
    constexpr int per_unit = 80, reach = 32;
    Ball sum, weight, value;
    for (int i = -reach * per_unit; i <= reach * per_unit; ++i) {
      const Rational s = ratio(i, per_unit);
      weight = ball(-s * s / 2, bits);
      arb_exp(weight, weight, bits);
      value = ball(-1 - sigma * s, bits);
      arb_exp(value, value, bits);
      arb_add_ui(value, value, 1, bits);
      arb_div(weight, weight, value, bits);
      arb_add(sum, sum, weight, bits);
    }
    arb_const_pi(value, bits);
    arb_mul_2exp_si(value, value, 1);
    arb_sqrt(value, value, bits);
    arb_mul_ui(value, value, per_unit, bits);
    arb_div(sum, sum, value, bits);
    for (const unsigned digits : {3u, 12u, 30u}) {
      const auto found = softmax(logits, digits);
      CHECK(found[0].contains(interval(sum).midpoint()));
      check_digits(found[0], digits);
      check_digits(found[1], digits);
      check_sums(found);
    }
  }
}

TEST_CASE("what is no law is refused") {
  const auto message = [](const std::vector<Law>& logits) -> std::string {
    try {
      softmax(logits, 12);
    } catch (const Error& error) {
      CHECK_THROWS_WITH_AS(softmax_estimate(logits), error.what(), Error);
      return error.what();
    } catch (const GaveUp& error) {
      CHECK_THROWS_WITH_AS(softmax_estimate(logits), error.what(), GaveUp);
      return error.what();
    }
    return "nothing";
  };
  CHECK(message({}) == "softmax: there are no logits; give at least one");
  CHECK(message({Law::point(0), Law()}) == "softmax: logit 2 has no mass");
  CHECK(message({Law({}, {{0, 1, Univariate(std::vector<Rational>{1, -2})}})}) ==
        "softmax: logit 1 has a density that is negative somewhere, so it is no law");
  CHECK(message({Law::uniform(0, 1'000'000), Law::point(0)}) ==
        "softmax: logit 1 is spread over more than 10000; scale the logits");
  CHECK_THROWS_WITH_AS(
      softmax(std::vector<Logit>{IndependentSum(0, {}, Noise::gaussian(11))}, 12),
      "softmax: logit 1 has a standard deviation of more than 10; scale the logits", GaveUp);
  CHECK_THROWS_WITH_AS(
      softmax_estimate(std::vector<Logit>{IndependentSum(0, {}, Noise::gaussian(11))}),
      "softmax: logit 1 has a standard deviation of more than 10; scale the logits", GaveUp);
  CHECK_THROWS_AS(Law::uniform(1, 0), Error);
}
