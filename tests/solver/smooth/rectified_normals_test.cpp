#include "solver/smooth/rectified_normals.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "solver/terms/error.h"

namespace wmi {
namespace {

constexpr double pi = std::numbers::pi;

bool near(const Interval& found, double expected, double error) {
  return found.lower.get_d() - error <= expected && expected <= found.upper.get_d() + error;
}

TEST_CASE("a ReLU of a standard normal number, with noise of deviation 1") {
  const RectifiedLaw law({0, 0, {1}, {0}, {1}, 1});
  CHECK(law.cdf(0, 15).contains(ratio(3, 8)));  // 1/4 + 1/8
  CHECK(near(law.density(0, 15), 0.5 / std::sqrt(2 * pi) + 0.25 / std::sqrt(pi), 1e-15));
  CHECK(near(law.mean(15), 1 / std::sqrt(2 * pi), 1e-15));
  CHECK(near(law.variance(15), 1.5 - 0.5 / pi, 1e-15));
  CHECK(near(law.log_density(0, 15), std::log(0.5 / std::sqrt(2 * pi) + 0.25 / std::sqrt(pi)),
             1e-15));
}

TEST_CASE("the mean of a sigmoid of a ReLU") {
  // A dead unit, one that is on, and one that is either.
  CHECK(near(RectifiedLaw({1, 0, {3}, {-50}, {1}, 0}).mean_sigmoid(1, 12), 1 / (1 + std::exp(-1)),
             1e-12));
  // f = -A/2 for a standard normal A > 0, 0 otherwise, by Simpson's rule.
  double sum = 0;
  const int steps = 4000;
  for (int i = 0; i <= steps; ++i) {
    const double x = 12.0 * i / steps;
    const double weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * std::exp(-x * x / 2) / (1 + std::exp(x / 2));
  }
  const double expected = 0.25 + sum * 12.0 / steps / 3 / std::sqrt(2 * pi);
  const RectifiedLaw law({0, 0, {ratio(-1, 2)}, {0}, {1}, 0});
  CHECK(near(law.mean_sigmoid(1, 12), expected, 1e-12));
  CHECK(near(law.mean_sigmoid(-1, 12), 1 - expected, 1e-12));
  // One unit on, and one unknown: the logit of a class at 30 deviations has its digits.
  const Interval tiny = RectifiedLaw({-30, 0, {1, 1}, {20, 0}, {1, 0, 0, 1}, 0}).mean_sigmoid(1, 6);
  CHECK(has_digits(tiny, 6));
  CHECK(tiny.lower > 0);
}

TEST_CASE("a covariance that is none is refused") {
  CHECK_THROWS_AS(RectifiedLaw({0, 0, {1, 1}, {0, 0}, {1, 2, 2, 1}, 1}), Error);
}

/// Draws, and the law's own answers, for units that are normal together.
struct Sampled {
  RectifiedNormals units;
  std::vector<double> draws;

  Sampled(unsigned seed, std::size_t n, int count, bool noise) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    const auto dyadic = [&](double scale) {
      return Rational(std::round(64 * scale * normal(random)) / 64);
    };
    units.constant = dyadic(1);
    units.slope = seed % 3 == 0 ? ratio(1, 4) : Rational(0);
    units.noise = noise ? ratio(1 + static_cast<long>(random() % 8), 8) : Rational(0);
    std::vector<std::vector<double>> lower(n, std::vector<double>(n));
    for (std::size_t i = 0; i < n; ++i) {
      units.factors.push_back(dyadic(1));
      units.means.push_back(dyadic(seed % 5 == 4 ? 12 : 1));
      for (std::size_t j = 0; j <= i; ++j) lower[i][j] = dyadic(1).get_d();
      lower[i][i] = std::abs(lower[i][i]) + 0.125;
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        Rational sum;
        for (std::size_t k = 0; k < n; ++k) sum += Rational(lower[i][k]) * Rational(lower[j][k]);
        units.covariance.push_back(sum);
      }
    for (int draw = 0; draw < count; ++draw) {
      double f = units.constant.get_d() + units.noise.get_d() * normal(random);
      std::vector<double> z(n);
      for (double& each : z) each = normal(random);
      for (std::size_t i = 0; i < n; ++i) {
        double a = units.means[i].get_d();
        for (std::size_t k = 0; k <= i; ++k) a += lower[i][k] * z[k];
        f += units.factors[i].get_d() * std::max(a, units.slope.get_d() * a);
      }
      draws.push_back(f);
    }
  }
};

TEST_CASE("answers agree with draws to six standard errors") {
  const int count = std::getenv("WMI_LONG") ? 1'000'000 : 100'000;
  for (unsigned seed = 0; seed < 18; ++seed) {
    const std::size_t n = 1 + seed % 3;
    const bool noise = seed % 4 != 3;
    CAPTURE(seed);
    const Sampled sampled(seed, n, count, noise);
    const RectifiedLaw law(sampled.units);
    const double root = std::sqrt(count);
    const double mean = law.mean(12).midpoint().get_d();
    const double variance = law.variance(6).midpoint().get_d();
    double first = 0, second = 0, sigmoid = 0, below = 0;
    const double y = std::round(64 * (mean - 0.3 * std::sqrt(variance))) / 64 + 1.0 / 128;
    for (const double f : sampled.draws) {
      first += f / count;
      second += (f - mean) * (f - mean) / count;
      sigmoid += 1 / (1 + std::exp(-f)) / count;
      below += (f <= y ? 1.0 : 0.0) / count;
    }
    CHECK(std::abs(first - mean) < 6 * std::sqrt(variance) / root);
    CHECK(std::abs(second - variance) < 6 * 3.5 * variance / root);
    if (n == 3) {  // they may all be on or off, which is refused, or some are certain
      try {
        CHECK(near(law.cdf(Rational(y), 4), below, 6 * 0.5 / root));
      } catch (const GaveUp& error) {
        CHECK(std::string(error.what()).starts_with("three hidden units may each be on or off"));
      }
      continue;
    }
    CHECK(near(law.cdf(Rational(y), 4), below, 6 * 0.5 / root));
    if (!noise) CHECK(near(law.mean_sigmoid(1, 4), sigmoid, 6 * 0.5 / root));
  }
}

TEST_CASE("more digits lie in fewer, and densities are derivatives") {
  for (unsigned seed = 0; seed < 8; ++seed) {
    CAPTURE(seed);
    const RectifiedLaw law(Sampled(seed, 1 + seed % 2, 0, true).units);
    const Rational y = ratio(static_cast<long>(seed) - 4, 3), step = ratio(1, 1000);
    const Interval few = law.density(y, 4), many = law.density(y, 10);
    CHECK(has_digits(few, 4));
    CHECK(has_digits(many, 10));
    CHECK(few.lower <= many.upper);
    CHECK(many.lower <= few.upper);
    const unsigned digits = seed % 2 == 0 ? 12 : 8;
    const Interval rise = law.cdf(y + step, digits) - law.cdf(y - step, digits);
    CHECK(near(rise * Interval(500), many.midpoint().get_d(), 1e-5 + (digits == 8 ? 1e-5 : 0)));
  }
}

}  // namespace
}  // namespace wmi
