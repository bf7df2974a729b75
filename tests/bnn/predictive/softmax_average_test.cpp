#include "bnn/predictive/softmax_average.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <random>

namespace wmi::bnn {
namespace {

/// Normal laws of deviations from 0.2 on, and sums of many boxes.
std::vector<SmoothNodes> random_nodes(std::mt19937& random, std::size_t count, double spread) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  std::vector<SmoothNodes> result;
  for (std::size_t k = 0; k < count; ++k) {
    OutputLaw<double> logit{spread * normal(random), {}, 0, {}, 0};
    if (k % 4 == 3)
      for (int i = 0; i < 20; ++i) logit.terms.push_back({normal(random), -0.5, 0.5, 1});
    else
      logit.deviation = 0.2 * std::pow(20, uniform(random));
    result.push_back(smooth_nodes_of(logit));
    CHECK(result.back().per_width > 0);
  }
  return result;
}

TEST_CASE("nodes that say how far they lie from each other do lie so") {
  std::mt19937 random(3);
  for (const SmoothNodes& nodes : random_nodes(random, 60, 5))
    for (std::size_t i = 1; i < nodes.points.size(); ++i)
      CHECK(nodes.points[i] - nodes.points[i - 1] ==
            doctest::Approx(smooth_width / nodes.per_width).epsilon(1e-9));
}

TEST_CASE("the softmax of numbers is that of numbers in halves, which are averaged") {
  for (const double spread : {1.0, 20.0, 900.0}) {
    CAPTURE(spread);
    std::vector<SmoothNodes> numbers, halves;
    for (const double logit : {0.3, -1.0, 0.9, 0.0}) {
      SmoothNodes number;
      number.points = {spread * logit};
      number.masses = {1};
      numbers.push_back(number);
      number.points.push_back(spread * logit);
      number.masses = {0.5, 0.5};
      halves.push_back(number);
    }
    const std::vector<double> found = average_softmax(numbers), expected = average_softmax(halves);
    for (std::size_t k = 0; k < 4; ++k)
      CHECK(found[k] == doctest::Approx(expected[k]).epsilon(1e-11));
  }
}

TEST_CASE("differences that are taken once give what those of all nodes and steps give") {
  std::mt19937 random(8);
  for (const std::size_t count : {2, 3, 10, 300})
    for (const double spread : {0.5, 3.0, 30.0}) {
      CAPTURE(count);
      CAPTURE(spread);
      const std::vector<SmoothNodes> logits = random_nodes(random, count, spread);
      std::vector<SmoothNodes> one_by_one = logits;
      for (SmoothNodes& nodes : one_by_one) nodes.per_width = 0;
      const std::vector<double> found = average_softmax(logits),
                                expected = average_softmax(one_by_one);
      CHECK(std::accumulate(found.begin(), found.end(), 0.0) == doctest::Approx(1).epsilon(1e-12));
      for (std::size_t k = 0; k < count; ++k)
        CHECK(found[k] == doctest::Approx(expected[k]).epsilon(1e-11));
    }
}

}  // namespace
}  // namespace wmi::bnn
