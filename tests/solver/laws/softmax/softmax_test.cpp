#include "solver/laws/softmax/softmax.h"

#include <arb.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "solver/laws/likelihood.h"
#include "solver/numeric/ball.h"
#include "solver/terms/error.h"
#include "tests/solver/laws/softmax/logits.h"
#include "tests/solver/random_sum.h"

namespace wmi::tests {
namespace {

constexpr slong bits = 760;  // for references of 200 digits and more

Law two_points(const Rational& a, const Rational& b, const Rational& mass_of_a) {
  return Law({{a, mass_of_a}, {b, 1 - mass_of_a}}, {});
}

TEST_CASE("the expected softmax of numbers is their softmax") {
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

TEST_CASE("the enclosures hold at every accuracy") {
  std::vector<unsigned> all_digits(40);
  std::iota(all_digits.begin(), all_digits.end(), 1);
  check_against_reference({Law::point(0), Law::point(ratio(1, 3))}, all_digits);
  check_against_reference({Law::point(0), Law::point(-3), Law::point(2)}, all_digits);
  check_against_reference({Law::uniform(0, ratio(1, 2)), Law::point(ratio(1, 3))}, all_digits);
  check_against_reference({Law::uniform(0, 6), Law::point(ratio(5, 3)), Law::point(-20)},
                          all_digits);
  check_against_reference({two_points(0, -9, ratio(1, 5)), Law::point(-1)}, all_digits);
}

TEST_CASE("there may be many classes, two of them continuous") {
  RandomLogits draw{std::mt19937_64(1)};
  for (const std::size_t count : {5, 10, 50}) {
    std::vector<Law> logits{Law::uniform(-1, 1), Law::triangular(1, ratio(1, 2))};
    while (logits.size() < count) logits.push_back(Law::point(draw.number(8) - 5));
    check_against_reference(logits, {12});
  }
}

TEST_CASE("ten classes may have two values each") {
  std::vector<Law> logits;
  for (int k = 0; k < 10; ++k)
    logits.push_back(two_points(ratio(k, 3) - 2, ratio(-k * k, 17), ratio(k + 1, 12)));
  check_against_reference(logits);
}

TEST_CASE("there may be a thousand classes") {
  // The others are numbers, and together one: c = sum e^z.
  std::vector<Law> logits{Law::uniform(2, 5)};
  for (int k = 1; k < 1000; ++k) logits.push_back(Law::point(ratio(k % 37 - 18, 7)));
  check_against_reference(logits, {12});
}

TEST_CASE("equal logits have equal probabilities, however many") {
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

TEST_CASE("a single class has probability exactly 1") {
  CHECK(softmax(std::vector{Law::uniform(-3, 700)}, 30) == std::vector{Interval(1)});
}

TEST_CASE("with two classes the softmax is the sigmoid of the difference") {
  RandomLogits draw{std::mt19937_64(2)};
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

TEST_CASE("logits of 500 have accurate probabilities") {
  check_against_reference({Law::uniform(499, 500), Law::uniform(-500, -499)});
  check_against_reference({Law::triangular(500, 1), Law::point(499), Law::uniform(-500, -498)});
  const std::vector far{Law::uniform(499, 501), Law::uniform(-501, -499)};
  CHECK(softmax(far, 20)[1].contains(sigmoid_of_difference(far[1], far[0])));
  // e^-1000 * (sinh(1))^2, up to a factor of 1 - e^-998
  CHECK(softmax(far, 20)[1].upper < power(ratio(1, 10), 434));
}

TEST_CASE("the probability of a class that wins only in the tails of the others is accurate") {
  // The last logit's probability is that of the others to be low, times what it then has.
  check_against_reference({Law::uniform(-40, 5), Law::uniform(-42, -41)}, {12, 30});
  check_against_reference({two_points(0, -700, ratio(1, 2)), Law::point(-800)}, {12, 30});
  check_against_reference({two_points(0, -700, 1 - tiny), Law::uniform(-801, -800)}, {12, 30});
}

TEST_CASE("uniform logits may have any length") {
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

TEST_CASE("tiny probabilities are enclosed") {
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
  RandomLogits draw{std::mt19937_64(3)};
  std::vector<Law> logits = draw.laws(7);
  const auto found = softmax(logits, 20);
  std::reverse(logits.begin(), logits.end());
  const auto again = softmax(logits, 20);
  for (std::size_t k = 0; k < 7; ++k) {
    CHECK(again[6 - k].lower <= found[k].upper);
    CHECK(again[6 - k].upper >= found[k].lower);
  }
}

TEST_CASE("laws are normalised") {
  const std::vector<Law> logits{Law::uniform(0, 1), Law::triangular(0, 2)};
  const std::vector<Law> scaled{3 * logits[0], ratio(1, 7) * logits[1]};
  const auto found = softmax(scaled, 12);
  CHECK(found[0].contains(softmax_reference(logits)[0]));
}

TEST_CASE("random laws agree with the definition") {
  RandomLogits draw{std::mt19937_64(4)};
  for (int round = 0; round < 12; ++round) {
    CAPTURE(round);
    std::vector<Law> logits = draw.laws(2);
    logits.push_back(Law::point(draw.number(4) - 2));
    check_against_reference(logits, {12});
  }
}

TEST_CASE("the mean over thousands of draws agrees") {
  RandomLogits draw{std::mt19937_64(5)};
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

TEST_CASE("a sum of independent terms has the softmax of its law") {
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
    const std::vector<Rational> expected = softmax_reference({law, Law::point(other)});
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

TEST_CASE("sums may have any number of terms, constants among them") {
  // Few terms use another method than many.
  const Law uniform = Law::uniform(0, 1);
  const std::vector<Rational> expected =
      softmax_reference({convolution(uniform, uniform), Law::point(ratio(1, 2))});
  const std::vector<Logit> logits{IndependentSum(0, {{1, 0, 1}, {1, 0, 1}, {5, 0, 0}}),
                                  IndependentSum(ratio(1, 2), {})};
  CHECK(softmax(logits, 20)[0].contains(expected[0]));

  // Against a sum with the same law.
  std::vector<SumTerm> terms;
  for (int i = 0; i < 200; ++i) terms.push_back({ratio(1 + i % 13, 40), -1, 1});
  const IndependentSum sum(3, terms);
  for (const Interval& p : softmax(std::vector<Logit>(3, sum), 15)) {
    CHECK(p.contains(ratio(1, 3)));
    check_digits(p, 15);
  }
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

TEST_CASE("invalid laws are refused") {
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

}  // namespace
}  // namespace wmi::tests
