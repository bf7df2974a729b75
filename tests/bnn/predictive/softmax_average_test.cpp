#include "bnn/predictive/softmax_average.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

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

TEST_CASE("wide laws give without nodes, at longer steps, what their nodes give") {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  // Sums over nodes at distances of 0.38 err by 2 |Gamma(1 + 2 pi i / 0.38)| = 1e-10.
  // The least deviation, by how much others are larger, the share of narrow laws.
  for (const auto& [least, ratio, narrow] :
       {std::array{4.0, 1.5, 0.0}, {6.0, 5.0, 0.0}, {20.0, 1.0, 0.0}, {12.0, 5.0, 0.3}})
    for (const std::size_t count : {2, 3, 10, 200})
      for (const double spread : {0.0, 1.0, 4.0}) {
        CAPTURE(least);
        CAPTURE(narrow);
        CAPTURE(count);
        CAPTURE(spread);
        std::vector<SmoothNodes> logits, with_nodes;
        for (std::size_t k = 0; k < count; ++k) {
          OutputLaw<double> logit{spread * least * normal(random), {}, 0, {}, 0};
          logit.deviation = uniform(random) < narrow ? 0.01 * std::pow(300, uniform(random))
                                                     : least * std::pow(ratio, uniform(random));
          logits.push_back(softmax_nodes_of(logit));
          with_nodes.push_back(smooth_nodes_of(logit));
          CHECK((logits.back().wide_deviation > 0) == (logit.deviation >= 4));
        }
        const std::vector<double> found = average_softmax(logits),
                                  expected = average_softmax(with_nodes);
        for (std::size_t k = 0; k < count; ++k)
          CHECK(std::abs(found[k] - expected[k]) < 3e-10 * expected[k] + 1e-13);
      }
}

TEST_CASE("a thousand laws of any width take few steps") {
  // With steps for narrow laws, this takes hours.
  std::vector<SmoothNodes> logits;
  for (int k = 0; k < 1000; ++k) {
    OutputLaw<double> logit{0, {}, 0, {}, 0};
    logit.deviation = 1e6 * (1 + k % 2);
    logits.push_back(softmax_nodes_of(logit));
  }
  const std::vector<double> found = average_softmax(logits);
  CHECK(found[1] > 1e-3);
  for (std::size_t k = 0; k < 1000; ++k) CHECK(found[k] == found[k % 2]);
  CHECK(500 * (found[0] + found[1]) == doctest::Approx(1).epsilon(1e-12));
}

TEST_CASE("a law that no other reaches has probability 0, not none") {
  for (const double deviation : {3.9, 4.0, 100.0}) {
    CAPTURE(deviation);
    std::vector<SmoothNodes> logits;
    for (const auto& [mean, width] : {std::pair{0.0, deviation}, {0.0, 0.1}, {-2000.0, 0.5}}) {
      OutputLaw<double> logit{mean, {}, 0, {}, 0};
      logit.deviation = width;
      logits.push_back(softmax_nodes_of(logit));
    }
    const std::vector<double> found = average_softmax(logits);
    CHECK(found[0] == doctest::Approx(0.5).epsilon(1e-9));
    CHECK(found[2] < 1e-300);
  }
}

}  // namespace
}  // namespace wmi::bnn
