#include "bnn/predictive/estimated_law.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "bnn/predictive/certified_law.h"
#include "bnn/predictive/fast_law.h"

namespace wmi::bnn {
namespace {

/// A network at an input: so many units, so many incoming weights each, bias included.
OutputLaw<double> random_output_law(unsigned seed, std::size_t units, std::size_t incoming,
                                    double first_width, double second_width, double noise) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0.2, 1);
  OutputLaw<double> result{0, {}, 0, {}, noise, true};
  const auto box = [&](double coefficient, double width) {
    const double middle = normal(random), half = width * uniform(random);
    return WeightTerm<double>{coefficient, middle - half, middle + half, 1};
  };
  result.terms.push_back(box(1, second_width));
  for (std::size_t i = 0; i < units; ++i) {
    Unit<double> unit{normal(random), 0, 0, {}};
    unit.half_width = second_width * uniform(random);
    for (std::size_t j = 0; j < incoming; ++j)
      unit.terms.push_back(box(j == 0 ? 1 : normal(random), first_width));
    result.units.push_back(unit);
  }
  return result;
}

/// Compares an estimated law with a certified one, to what it says of itself.
void check_certified(const EstimatedLaw& found, const OutputLaw<double>& same,
                     double tail_tolerance = 1e-6) {
  const CertifiedLaw truth(to_exact(same), {});
  const double spread = std::sqrt(found.variance());
  CHECK(found.error() < 1e-7);
  CHECK(std::abs(found.mean() - truth.mean().midpoint().get_d()) <
        1e-10 * (1 + std::abs(found.mean())));
  CHECK(found.variance() == doctest::Approx(truth.variance().midpoint().get_d()).epsilon(1e-9));
  for (const double step : {-12.0, -3.0, -1.2, -0.1, 0.0, 0.7, 2.5, 4.0, 9.0}) {
    CAPTURE(step);
    const double y = found.mean() + step * spread;
    CHECK(std::abs(found.cdf(y) - truth.cdf(Rational(y), 15).midpoint().get_d()) <
          found.error() + 1e-13);
    const auto log = truth.log_density(Rational(y), 12);
    REQUIRE(log);
    CHECK(std::abs(found.log_density(y) - log->midpoint().get_d()) <
          (std::abs(step) < 3.5 ? 1e-6 : tail_tolerance));
  }
}

TEST_CASE("without width in the first layer, the law of all weights is that of the last layer") {
  for (unsigned seed = 0; seed < 6; ++seed) {
    CAPTURE(seed);
    const OutputLaw<double> all = random_output_law(seed, 5, 4, 0, 0.4, 0.3);
    OutputLaw<double> last{0, all.terms, 0, {}, all.noise};
    for (const Unit<double>& unit : all.units) {
      double a = 0;
      for (const auto& term : unit.terms) a += term.coefficient * term.from;
      last.terms.push_back(
          {std::max(a, 0.0), unit.factor - unit.half_width, unit.factor + unit.half_width, 1});
    }
    check_certified(EstimatedLaw(all, {}), last);
  }
}

TEST_CASE("with one uncertain unit and a certain second layer, it is that of second:k") {
  for (unsigned seed = 10; seed < 15; ++seed)
    for (const std::size_t incoming : {1u, 2u, 3u, 5u}) {
      CAPTURE(seed);
      CAPTURE(incoming);
      OutputLaw<double> all = random_output_law(seed, 1, incoming, 0.7, 0, 0.4);
      check_certified(EstimatedLaw(all, {}), all);
      all.units[0].slope = 0.125;  // a leaky ReLU
      check_certified(EstimatedLaw(all, {}), all);
    }
}

TEST_CASE("several uncertain units, and wide boxes beside narrow ones, agree with certified laws") {
  check_certified(EstimatedLaw(random_output_law(20, 3, 2, 0.5, 0, 0.3), {}),
                  random_output_law(20, 3, 2, 0.5, 0, 0.3));
  for (const double narrow : {1e-2, 1e-3, 1e-4}) {
    CAPTURE(narrow);
    OutputLaw<double> output_law{0.5, {}, 0, {}, 0.25, true};
    Unit<double> unit{1.5, 0, 0.25, {}};
    for (const double half : {1.0, narrow, narrow / 2, narrow / 3, narrow / 4, narrow / 5})
      unit.terms.push_back({1, -half, half, 1});
    output_law.units.push_back(unit);
    // Far out the narrow ones tell: they count as a Gaussian.
    check_certified(EstimatedLaw(output_law, {}), output_law, narrow < 5e-3 ? 1e-5 : 2e-2);
  }
}

TEST_CASE("the law of all weights agrees with a million draws within four standard errors") {
  for (const std::size_t units : {1u, 4u}) {
    CAPTURE(units);
    const OutputLaw<double> all = random_output_law(30, units, 6, 0.6, 0.5, 0.3);
    const EstimatedLaw law(all, {});
    CHECK(law.error() < 1e-9);
    std::mt19937_64 random(31);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto draw = [&](double from, double to) {
      return (from + to) / 2 + (to - from) / 2 * uniform(random);
    };
    constexpr int draws = 1'000'000;
    const double spread = std::sqrt(law.variance());
    const std::vector<double> steps{-2.5, -1, -0.3, 0.2, 0.8, 1.7, 3};
    std::vector<double> below(steps.size()), distances(steps.size());
    std::vector<double> square_distances(steps.size());
    double first = 0, second = 0, fourth = 0;
    for (int i = 0; i < draws; ++i) {
      double y = draw(all.terms[0].from, all.terms[0].to) + all.noise * normal(random);
      for (const Unit<double>& unit : all.units) {
        double a = unit.constant;
        for (const auto& term : unit.terms) a += term.coefficient * draw(term.from, term.to);
        y += draw(unit.factor - unit.half_width, unit.factor + unit.half_width) * std::max(a, 0.0);
      }
      const double z = (y - law.mean()) / spread;
      first += z / draws;
      second += z * z / draws;
      fourth += z * z * z * z / draws;
      for (std::size_t k = 0; k < steps.size(); ++k) {
        below[k] += z <= steps[k] ? 1.0 / draws : 0;
        distances[k] += std::abs(z - steps[k]) / draws;
        square_distances[k] += (z - steps[k]) * (z - steps[k]) / draws;
      }
    }
    const double root = std::sqrt(draws);
    CHECK(std::abs(first) < 4 / root);
    CHECK(std::abs(second - 1) < 4 * std::sqrt(fourth - 1) / root);
    for (std::size_t k = 0; k < steps.size(); ++k) {
      CAPTURE(steps[k]);
      const double y = law.mean() + steps[k] * spread, p = law.cdf(y);
      CHECK(std::abs(below[k] - p) < 4 * std::sqrt(p * (1 - p)) / root);
      CHECK(std::abs(distances[k] - law.distance(y) / spread) <
            4 * std::sqrt(square_distances[k] - distances[k] * distances[k]) / root);
      // Densities are slopes.
      const double step = 1e-4 * spread;
      CHECK(std::exp(law.log_density(y)) ==
            doctest::Approx((law.cdf(y + step) - law.cdf(y - step)) / (2 * step)).epsilon(1e-6));
    }
  }
}

TEST_CASE("logarithms of densities pass smoothly from the series to the tilted law") {
  const EstimatedLaw law(random_output_law(40, 8, 6, 0.5, 0.4, 0.3), {});
  const double spread = std::sqrt(law.variance());
  for (const double side : {-1.0, 1.0}) {
    double before = law.log_density(law.mean() + side * 3 * spread), slope = 0;
    for (double step = 3.05; step < 9; step += 0.05) {
      const double value = law.log_density(law.mean() + side * step * spread);
      // Falling, and faster and faster or nearly so: a jump would show.
      CHECK(value < before);
      if (slope < 0) CHECK(std::abs((value - before) - slope) < 0.05);
      slope = value - before;
      before = value;
    }
  }
}

TEST_CASE("a law with two unknown layers has no certified law and needs Gaussian noise") {
  const OutputLaw<double> all = random_output_law(50, 2, 2, 0.5, 0.5, 0.3);
  OutputLaw<Rational> same = to_exact(all);
  same.estimated = true;
  CHECK_THROWS_WITH(CertifiedLaw(same, {}),
                    "partition 'all' has products of unknowns: answers are in doubles, not "
                    "certified; for certified ones collapse 'last' or 'second:K'");
  CHECK_THROWS_WITH(FastLaw(all, {OutcomeNoise::Kind::triangular, 2}),
                    "partition 'all' is for a gaussian likelihood; take 'last' or 'second:K' for "
                    "others");
  CHECK(FastLaw(all, {}).estimated_error() > 0);
}

}  // namespace
}  // namespace wmi::bnn
