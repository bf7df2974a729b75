#include "bnn/predictive/classes.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "bnn/predictive/certified_law.h"

namespace wmi::bnn {
namespace {

const Observation softmax{Observation::Kind::softmax, {}, 0};
const Observation sigmoid{Observation::Kind::sigmoid, {}, 0};

/// Random logits: numbers, Gaussians, a few boxes, many boxes.
std::vector<OutputLaw<double>> random_logits(std::mt19937& random, std::size_t count) {
  std::normal_distribution<double> normal;
  std::vector<OutputLaw<double>> result;
  for (std::size_t k = 0; k < count; ++k) {
    OutputLaw<double> logit{2 * normal(random), {}, 0, {}, 0};
    const int kind = static_cast<int>(random() % 4);
    if (kind == 1) logit.deviation = std::abs(normal(random));
    const int boxes = kind == 2 ? 2 : kind == 3 ? 12 : 0;
    for (int i = 0; i < boxes; ++i) logit.terms.push_back({normal(random), -0.5, 0.5, 1});
    result.push_back(logit);
  }
  return result;
}

TEST_CASE("class probabilities in doubles are the certified ones, and sum to 1") {
  for (unsigned seed = 0; seed < 24; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const bool one = seed % 4 == 0;
    const std::vector<std::vector<OutputLaw<double>>> samples{random_logits(random, one ? 1 : 3),
                                                              random_logits(random, one ? 1 : 3)};
    std::vector<std::vector<OutputLaw<Rational>>> exactly(2);
    for (std::size_t s = 0; s < 2; ++s)
      for (const auto& logit : samples[s]) exactly[s].push_back(to_exact(logit));
    const Observation& observation = one ? sigmoid : softmax;
    const std::vector<double> fast = class_probabilities(samples, observation);
    const std::vector<Interval> certified = certified_class_probabilities(exactly, observation, 9);
    REQUIRE(fast.size() == certified.size());
    CHECK(std::accumulate(fast.begin(), fast.end(), 0.0) == doctest::Approx(1).epsilon(1e-12));
    for (std::size_t k = 0; k < fast.size(); ++k)
      CHECK(fast[k] == doctest::Approx(certified[k].midpoint().get_d()).epsilon(1e-6));
  }
}

TEST_CASE("the probability of a class that is next to impossible keeps its digits") {
  const auto probabilities = [](double logit, double deviation) {
    return class_probabilities(
        std::vector<std::vector<OutputLaw<double>>>{{{logit, {}, deviation, {}, 0}}}, sigmoid);
  };
  // Far out the sigmoid is an exponential, and the mean of e^-z is e^(-m + s^2 / 2).
  for (const double logit : {40.0, 300.0})
    for (const double deviation : {0.0, 1e-5, 1.0}) {
      CAPTURE(logit);
      CAPTURE(deviation);
      const double rare = -logit + deviation * deviation / 2;
      CHECK(std::log(probabilities(logit, deviation)[0]) == doctest::Approx(rare).epsilon(1e-9));
      CHECK(std::log(probabilities(-logit, deviation)[1]) == doctest::Approx(rare).epsilon(1e-9));
      CHECK(probabilities(logit, deviation)[1] <= 1);
    }
}

TEST_CASE("a rare class of wide normal logits keeps its digits") {
  // Of z = N(-m, 2 d^2) the mean sigmoid is about e^(-m + d^2), as long as that is tilted to below 0.
  for (const auto& [gap, deviation] : {std::pair(60.0, 4.0), {150.0, 5.0}, {40.0, 4.0}}) {
    CAPTURE(gap);
    const std::vector<std::vector<OutputLaw<double>>> samples{
        {{0, {}, deviation, {}, 0}, {gap, {}, deviation, {}, 0}}};
    const std::vector<double> found = class_probabilities(samples, softmax);
    CHECK(std::log(found[0]) == doctest::Approx(deviation * deviation - gap).epsilon(0.01));
    CHECK(found[1] <= 1);
  }
}

TEST_CASE("logits of one box, of few and of many are integrated accurately") {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (const std::size_t boxes : {1, 2, 3, 5, 9, 30, 65})
    for (const double width : {0.01, 0.3, 2.0, 8.0}) {
      if (width * std::sqrt(static_cast<double>(boxes)) > 20) continue;  // not certified
      CAPTURE(boxes);
      CAPTURE(width);
      std::vector<OutputLaw<double>> logits;
      for (std::size_t k = 0; k < 3; ++k) {
        logits.push_back({2 * normal(random), {}, 0, {}, 0});
        for (std::size_t i = 0; i < boxes; ++i)
          logits[k].terms.push_back(
              {normal(random), -width / 2, width / 2, static_cast<unsigned>(1 + (i + k) % 2)});
      }
      std::vector<OutputLaw<Rational>> exactly;
      for (const auto& logit : logits) exactly.push_back(to_exact(logit));
      const std::vector<double> fast =
          class_probabilities(std::vector<std::vector<OutputLaw<double>>>{logits}, softmax);
      const std::vector<Interval> certified = certified_class_probabilities(
          std::vector<std::vector<OutputLaw<Rational>>>{exactly}, softmax, 10);
      for (std::size_t k = 0; k < 3; ++k)
        CHECK(fast[k] == doctest::Approx(certified[k].midpoint().get_d()).epsilon(1e-9));
    }
}

TEST_CASE(
    "normal logits of any deviation, near and far below the largest, are integrated accurately") {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  for (const double deviation : {1e-4, 0.019, 0.05, 0.079, 0.1, 0.15, 0.199, 0.21, 1.0, 4.0})
    for (const double gap : {0.0, 1.0, 7.0, 25.0}) {
      CAPTURE(deviation);
      CAPTURE(gap);
      std::vector<OutputLaw<double>> logits;
      for (std::size_t k = 0; k < 4; ++k)
        logits.push_back(
            {100 + normal(random) - gap * static_cast<double>(k), {}, deviation, {}, 0});
      std::vector<OutputLaw<Rational>> exactly;
      for (const auto& logit : logits) exactly.push_back(to_exact(logit));
      const std::vector<double> fast =
          class_probabilities(std::vector<std::vector<OutputLaw<double>>>{logits}, softmax);
      const std::vector<Interval> certified = certified_class_probabilities(
          std::vector<std::vector<OutputLaw<Rational>>>{exactly}, softmax, 12);
      for (std::size_t k = 0; k < logits.size(); ++k)
        CHECK(fast[k] == doctest::Approx(certified[k].midpoint().get_d()).epsilon(1e-10));
    }
}

TEST_CASE("a thousand logits that are numbers give their softmax") {
  std::mt19937 random(12);
  std::normal_distribution<double> normal;
  std::vector<OutputLaw<double>> logits;
  double sum = 0;
  for (std::size_t k = 0; k < 1000; ++k) {
    logits.push_back({3 * normal(random), {}, 0, {}, 0});
    sum += std::exp(logits[k].constant);
  }
  const std::vector<double> fast =
      class_probabilities(std::vector<std::vector<OutputLaw<double>>>{logits}, softmax);
  for (std::size_t k = 0; k < 1000; ++k)
    CHECK(fast[k] == doctest::Approx(std::exp(logits[k].constant) / sum).epsilon(1e-11));
}

TEST_CASE("the probability of the largest output is exact for boxes") {
  // z_0 uniform on [0, 2], z_1 on [1, 2], z_2 = 1/2: z_0 is the largest with probability
  // 1/2 * 1/2 (above 1, then both uniform on [1, 2]); z_1 otherwise; z_2 never.
  const std::vector<std::vector<OutputLaw<Rational>>> samples{
      {{1, {{1, -1, 1, 1}}, 0, {}, 0}, {0, {{1, 1, 2, 1}}, 0, {}, 0}, {ratio(1, 2), {}, 0, {}, 0}}};
  CHECK(exact_largest_probabilities(samples, softmax) ==
        std::vector<Rational>{ratio(1, 4), ratio(3, 4), 0});
  const std::vector<std::vector<OutputLaw<double>>> doubles{
      {{1, {{1, -1, 1, 1}}, 0, {}, 0}, {0, {{1, 1, 2, 1}}, 0, {}, 0}, {0.5, {}, 0, {}, 0}}};
  const std::vector<double> found = largest_probabilities(doubles, softmax);
  CHECK(found[0] == doctest::Approx(0.25).epsilon(1e-4));
  CHECK(found[1] == doctest::Approx(0.75).epsilon(1e-4));
  CHECK(found[2] < 1e-12);
  // One logit, uniform on [-1, 3]: class 1 with 3/4.
  const std::vector<std::vector<OutputLaw<Rational>>> one{{{1, {{1, -2, 2, 1}}, 0, {}, 0}}};
  CHECK(exact_largest_probabilities(one, sigmoid) ==
        std::vector<Rational>{ratio(1, 4), ratio(3, 4)});
}

TEST_CASE("the probability of the largest output is right for boxes of very different widths") {
  // Certified values of such laws take long, and hundreds of them were needed for each output.
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform;
  for (int round = 0; round < 2; ++round) {
    CAPTURE(round);
    std::vector<OutputLaw<double>> logits;
    std::vector<OutputLaw<Rational>> exactly;
    for (std::size_t k = 0; k < 3; ++k) {
      logits.push_back({2 * uniform(random), {}, 0, {}, 0});
      for (std::size_t i = 0; i < 5; ++i) {
        const double half = std::pow(10, -static_cast<double>(i) / 2) * uniform(random);
        logits[k].terms.push_back({1, -half, half, 1});
      }
      exactly.push_back(to_exact(logits[k]));
    }
    const std::vector<double> fast =
        largest_probabilities(std::vector<std::vector<OutputLaw<double>>>{logits}, softmax);
    const std::vector<Rational> exact = exact_largest_probabilities(
        std::vector<std::vector<OutputLaw<Rational>>>{exactly}, softmax);
    for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(fast[k] - exact[k].get_d()) < 2e-5);
  }
}

TEST_CASE("the authors' version averages a sigmoid over one weight of each class") {
  // Class k: p_k = mean of sigmoid(z w + rest_k - log sum of the others), w uniform on [l, u].
  CollapsedSample sample;
  sample.layers = UnknownLayers::last;
  sample.rows = {
      {{0.5, 1}, 0, {{0, 0, {0, 1, 1}, "", false}, {0, 1, {0.9, 1.1, 1}, "", false}}, 2, {}, {}},
      {{-0.5, 0.25},
       0,
       {{1, 0, {-1, 0.5, 1}, "", false}, {1, 1, {0.2, 0.3, 1}, "", false}},
       2,
       {},
       {}}};
  const std::vector<double> entering{2, 1}, outputs{2, -0.75};
  const std::vector<double> found = authors_class_probabilities(sample, entering, outputs);
  for (std::size_t k = 0; k < 2; ++k) {
    const double from = k == 0 ? 0 : -1, width = k == 0 ? 1 : 1.5, w = k == 0 ? 0.5 : -0.5;
    const double rest = outputs[k] - 2 * w - outputs[1 - k];
    double sum = 0;
    for (int i = 0; i < 2000; ++i)
      sum += 1 / (1 + std::exp(-(2 * (from + width * (i + 0.5) / 2000) + rest))) / 2000;
    CHECK(found[k] == doctest::Approx(sum).epsilon(1e-6));
  }
  CHECK(std::abs(found[0] + found[1] - 1) > 0.01);  // they do not sum to 1
}

}  // namespace
}  // namespace wmi::bnn
