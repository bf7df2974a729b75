#include "bnn/numeric/gauss_rule.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace wmi::bnn {
namespace {

double moment(std::span<const double> points, std::span<const double> masses, double centre,
              int order) {
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    sum += masses[i] * std::pow(points[i] - centre, order);
  return sum;
}

TEST_CASE("a rule of n points has the moments of the law below 2n, and positive masses") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int run = 0; run < 2000; ++run) {
    CAPTURE(run);
    const std::size_t size = 1 + random() % 60, count = 1 + random() % 8;
    const double scale = std::pow(10, 6 * uniform(random) - 3), offset = 4 * uniform(random) - 2;
    const bool coarse = run % 3 == 0;  // some points coincide
    std::vector<double> points, masses;
    for (std::size_t i = 0; i < size; ++i) {
      const double u = coarse ? static_cast<double>(random() % 5) / 4 : uniform(random);
      points.push_back(scale * (offset + u));
      masses.push_back(run % 2 == 0 ? uniform(random) : std::exp(-60 * uniform(random)));
    }
    Nodes rule;
    append_gauss_rule(points, masses, count, rule);
    CHECK(rule.points.size() <= count);
    const double total = moment(points, masses, 0, 0);
    const auto [least, most] = std::ranges::minmax(points);
    const double half = std::max((most - least) / 2, 1e-300), centre = least + half;
    for (std::size_t i = 0; i < rule.points.size(); ++i) {
      CHECK(rule.masses[i] >= 0);
      CHECK(rule.points[i] >= least);
      CHECK(rule.points[i] <= most);
    }
    for (int order = 0; order < 2 * static_cast<int>(count); ++order) {
      CAPTURE(order);
      CHECK(std::abs(moment(rule.points, rule.masses, centre, order) -
                     moment(points, masses, centre, order)) <=
            1e-12 * total * std::pow(half, order));
    }
  }
}

TEST_CASE("three points are replaced by two") {
  Nodes rule;
  append_gauss_rule(std::vector{0.0, 1.0, 2.0}, std::vector{0.25, 0.5, 0.25}, 2, rule);
  std::ranges::sort(rule.points);
  REQUIRE(rule.points.size() == 2);
  CHECK(rule.points[0] == doctest::Approx(1 - std::sqrt(0.5)).epsilon(1e-14));
  CHECK(rule.points[1] == doctest::Approx(1 + std::sqrt(0.5)).epsilon(1e-14));
  CHECK(rule.masses[0] == doctest::Approx(0.5).epsilon(1e-14));
}

}  // namespace
}  // namespace wmi::bnn
