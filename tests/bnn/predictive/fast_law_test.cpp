#include "bnn/predictive/fast_law.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

#include "bnn/predictive/certified_law.h"

namespace wmi::bnn {
namespace {

/// Density, distribution function and moments in doubles against certified ones, at y.
void check_at(const FastLaw& fast, const CertifiedLaw& certified, double y) {
  CAPTURE(y);
  const Interval cdf = certified.cdf(Rational(y), 12);
  CHECK(std::abs(fast.cdf(y) - cdf.midpoint().get_d()) < 2e-9);
  const auto log_density = certified.log_density(Rational(y), 10);
  if (!log_density) {
    CHECK(fast.log_density(y) == -std::numeric_limits<double>::infinity());
    return;
  }
  const double expected = log_density->midpoint().get_d(), found = fast.log_density(y);
  CHECK(std::abs(found - expected) < 1e-7 * (1 + 1e-4 * std::abs(expected)));
}

void check_moments(const FastLaw& fast, const CertifiedLaw& certified) {
  const double spread = std::sqrt(certified.variance().midpoint().get_d());
  CHECK(std::abs(fast.mean() - certified.mean().midpoint().get_d()) <
        1e-11 * (1 + std::abs(fast.mean()) + spread));
  CHECK(std::abs(fast.variance() - certified.variance().midpoint().get_d()) <
        1e-9 * spread * spread);
}

/// A law in doubles against the certified one: moments, and what it says at `places`, in standard
/// deviations from the mean.
void check_law(const OutputLaw<double>& output_law, OutcomeNoise::Kind kind,
               const std::vector<double>& places) {
  const OutcomeNoise noise{kind, 2.297};
  const FastLaw fast(output_law, noise);
  const CertifiedLaw certified(to_exact(output_law), noise);
  check_moments(fast, certified);
  const double spread = std::sqrt(fast.variance());
  for (const double place : places) check_at(fast, certified, fast.mean() + spread * place);
}

/// What a random last layer looks like; `kind` picks the degenerate cases.
OutputLaw<double> random_last(std::mt19937& random, int kind) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  OutputLaw<double> result{normal(random), {}, 0, {}, std::exp(0.7 * normal(random) - 1)};
  const int counts[] = {0, 1, 2, 3, 5, 12, 51};
  const int count = counts[random() % 7];
  for (int i = 0; i < count; ++i) {
    const double from = normal(random);
    double width = 0.3 * uniform(random) / std::sqrt(count);
    if (kind == 1) width = 0.25 / count;                         // equal widths
    if (kind == 2) width = i == 0 ? 5 : width;                   // one huge box
    if (kind == 3 && random() % 2 == 0) width = 0;               // no width
    if (kind == 4) width *= std::pow(10, -6 * uniform(random));  // of all sizes
    double h = kind == 1 ? 1 : std::abs(normal(random));
    if (kind == 3 && random() % 2 == 0) h = 0;  // dead
    const unsigned order = kind == 5 ? 2 : 1;
    result.terms.push_back({h, from, from + width, order});
  }
  if (kind == 6) result.noise *= 0.01;  // tiny noise
  if (kind == 7) result.deviation = 0.3 * uniform(random);
  return result;
}

OutputLaw<double> random_second(std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  OutputLaw<double> result{normal(random), {}, 0, {}, std::exp(0.5 * normal(random) - 1)};
  const int units = 1 + static_cast<int>(random() % 3);
  for (int j = 0; j < units; ++j) {
    Unit<double> unit{0.5 * normal(random), random() % 4 == 0 ? 0.01 : 0, 0.5 * normal(random), {}};
    const int terms = units == 1 ? 1 + static_cast<int>(random() % 3) : 1;
    for (int i = 0; i < terms; ++i) {
      const double from = 0.3 * normal(random);
      unit.terms.push_back({normal(random), from, from + 0.5 * uniform(random), 1});
    }
    result.units.push_back(unit);
  }
  return result;
}

TEST_CASE("the law of a last layer in doubles agrees with the certified one") {
  const int rounds = std::getenv("WMI_LONG") ? 4000 : 300;
  for (int seed = 0; seed < rounds; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(static_cast<unsigned>(seed));
    std::uniform_real_distribution<double> place(-4, 4);
    const OutputLaw<double> output_law = random_last(random, seed % 8);
    std::vector<double> places{place(random), place(random) / 4};
    if (seed % 4 == 0) places.push_back(3 * place(random));
    check_law(output_law,
              seed % 3 == 0 ? OutcomeNoise::Kind::triangular : OutcomeNoise::Kind::gaussian,
              places);
  }
}

TEST_CASE("log densities are right forty standard deviations out") {
  for (int seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(static_cast<unsigned>(seed));
    const OutputLaw<double> output_law = random_last(random, seed % 8);
    const FastLaw fast(output_law, {});
    const CertifiedLaw certified(to_exact(output_law), {});
    for (const double far : {8.0, 40.0, -40.0}) {
      const double y = fast.mean() + far * std::sqrt(fast.variance());
      const auto expected = certified.log_density(Rational(y), 10);
      REQUIRE(expected);
      CHECK(std::abs(fast.log_density(y) - expected->midpoint().get_d()) < 1e-6);
    }
  }
}

TEST_CASE("the law of hidden units in doubles agrees with the certified one") {
  const int rounds = std::getenv("WMI_LONG") ? 1000 : 60;
  for (int seed = 0; seed < rounds; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(static_cast<unsigned>(seed));
    std::uniform_real_distribution<double> place(-4, 4);
    const OutputLaw<double> output_law = random_second(random);
    std::vector<double> places{place(random) / 4, place(random)};
    if (seed % 6 == 1) places.push_back(10);
    if (seed % 6 == 2) places.push_back(-40);
    check_law(output_law,
              seed % 6 == 0 ? OutcomeNoise::Kind::triangular : OutcomeNoise::Kind::gaussian,
              places);
  }
}

/// Hidden units that are normal together; `kind` picks the degenerate cases.
OutputLaw<double> random_joint(std::mt19937& random, int kind) {
  std::normal_distribution<double> normal;
  OutputLaw<double> result{normal(random), {}, 0, {}, std::exp(0.5 * normal(random) - 1)};
  const std::size_t n = 1 + static_cast<std::size_t>(kind) % 3;
  JointUnits<double>& units = result.joint;
  units.slope = kind % 5 == 4 ? 0.125 : 0;
  std::vector<double> lower(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    units.factors.push_back(normal(random));
    units.means.push_back((kind % 7 == 6 ? 30 : 0.7) * normal(random));
    for (std::size_t j = 0; j <= i; ++j) lower[i * n + j] = 0.4 * normal(random);
    lower[i * n + i] = 0.05 + std::abs(lower[i * n + i]);
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += lower[i * n + k] * lower[j * n + k];
      units.covariance.push_back(sum);
    }
  return result;
}

TEST_CASE("units that are normal together agree with the certified law") {
  const int rounds = std::getenv("WMI_LONG") ? 400 : 21;
  for (int seed = 0; seed < rounds; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(static_cast<unsigned>(seed));
    const OutputLaw<double> output_law = random_joint(random, seed);
    const FastLaw fast(output_law, {});
    const CertifiedLaw certified(to_exact(output_law), {});
    const bool several = output_law.joint.size() > 1;
    if (output_law.joint.size() < 3 || seed % 4 == 2) check_moments(fast, certified);
    const double spread = std::sqrt(fast.variance());
    for (const double place : {0.3, -1.7, 9.0, -40.0}) {
      if (several && std::abs(place) > 5 && seed % 4 != 1) continue;  // these take longer
      CAPTURE(place);
      const double y = fast.mean() + spread * place;
      const double expected =
          certified.log_density(Rational(y), several ? 8 : 11)->midpoint().get_d();
      CHECK(std::abs(fast.log_density(y) - expected) < 1e-7 * (1 + 1e-4 * std::abs(expected)));
      if (output_law.joint.size() > 2) continue;  // no certified one
      CHECK(
          std::abs(fast.cdf(y) - certified.cdf(Rational(y), several ? 6 : 11).midpoint().get_d()) <
          (several ? 1e-6 : 2e-9));
    }
  }
}

TEST_CASE("units that are normal together agree with a million draws") {
  for (int seed = 0; seed < 6; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(static_cast<unsigned>(seed) + 100);
    std::normal_distribution<double> normal;
    const OutputLaw<double> output_law = random_joint(random, seed);
    const FastLaw fast(output_law, {});
    const JointUnits<double>& units = output_law.joint;
    const std::size_t n = units.size();
    // A = mean + C^(1/2) z by Cholesky's triangle.
    std::vector<double> lower(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = units.covariance[i * n + j];
        for (std::size_t k = 0; k < j; ++k) sum -= lower[i * n + k] * lower[j * n + k];
        lower[i * n + j] = i == j ? std::sqrt(sum) : sum / lower[j * n + j];
      }
    const int draws = 1'000'000;
    const double spread = std::sqrt(fast.variance());
    double first = 0, second = 0;
    int below = 0;
    std::vector<double> z(n);
    for (int draw = 0; draw < draws; ++draw) {
      double f = output_law.constant + output_law.noise * normal(random);
      for (double& each : z) each = normal(random);
      for (std::size_t i = 0; i < n; ++i) {
        double a = units.means[i];
        for (std::size_t k = 0; k <= i; ++k) a += lower[i * n + k] * z[k];
        f += units.factors[i] * std::max(a, units.slope * a);
      }
      first += f - fast.mean();
      second += (f - fast.mean()) * (f - fast.mean());
      below += f <= fast.mean() - spread / 2;
    }
    // Six standard errors; the fourth moment of the law is at most some ten times the variance squared.
    const double p = fast.cdf(fast.mean() - spread / 2);
    CHECK(std::abs(first / draws) < 6 * spread / std::sqrt(draws));
    CHECK(std::abs(second / draws - fast.variance()) < 6 * 3 * fast.variance() / std::sqrt(draws));
    CHECK(std::abs(below / double(draws) - p) < 6 * std::sqrt(p * (1 - p) / draws));
  }
}

TEST_CASE("the mean distance is the integral of the distribution function") {
  for (int seed = 0; seed < 48; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(static_cast<unsigned>(seed));
    const OutputLaw<double> output_law =
        seed % 3 == 2 ? random_second(random) : random_last(random, seed % 8);
    const OutcomeNoise noise{seed % 5 == 0 && seed % 3 != 2 ? OutcomeNoise::Kind::triangular
                                                            : OutcomeNoise::Kind::gaussian,
                             2.297};
    const FastLaw law(output_law, noise);
    const double spread = std::sqrt(law.variance());
    for (const double at : {-30.0, -1.0, 0.1, 2.0}) {
      // E|Y - y| = integral of F below y, and of 1 - F above: midpoints.
      const double y = law.mean() + at * spread, step = spread / 400;
      double sum = 0;
      for (int i = 0; i < 400 * 12; ++i) {
        sum += 1 - law.cdf(law.mean() + step * (i + 0.5));
        sum += law.cdf(law.mean() - step * (i + 0.5));
      }
      // ... about the mean; and from the mean to y the derivative is 2F - 1.
      sum *= step;
      const int count = 2000;
      const double length = y - law.mean();
      double move = 0;
      for (int i = 0; i < count; ++i)
        move += 2 * law.cdf(law.mean() + length * (i + 0.5) / count) - 1;
      sum += move * length / count;
      CHECK(std::abs(law.distance(y) - sum) < 1e-4 * spread);
    }
    if (seed % 3 == 2) seed += 3;
  }
}

TEST_CASE("all units dead: the law is that of the noise around a number") {
  // ReLU(-3 + [-1, 1]) is 0 always; so is a weight times an input of 0.
  OutputLaw<double> output_law{0.5, {{0, -1, 1, 1}}, 0, {{2, 0, -3, {{1, -1, 1, 1}}}}, 0.25};
  const FastLaw fast(output_law, {});
  CHECK(fast.mean() == 0.5);
  CHECK(fast.inner_variance() == 0);
  CHECK(std::abs(fast.log_density(0.5) - std::log(4 / std::sqrt(2 * M_PI))) < 1e-14);
  const CertifiedLaw certified(to_exact(output_law), {});
  CHECK(certified.mean() == ratio(1, 2));
  CHECK(certified.variance() == ratio(1, 16));
}

}  // namespace
}  // namespace wmi::bnn
