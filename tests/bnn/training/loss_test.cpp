#include "bnn/training/loss.h"

#include <doctest/doctest.h>

#include <cmath>

#include "bnn/numeric/random.h"
#include "tests/bnn/random_samples.h"

using namespace wmi;
using namespace wmi::bnn;

TEST_CASE("derivatives of the losses are differences of the losses") {
  using Kind = Observation::Kind;
  using Link = Observation::Link;
  Random random(5);
  for (const Kind kind : {Kind::heteroscedastic, Kind::homoscedastic, Kind::softmax, Kind::sigmoid})
    for (const Link link : {Link::exponential, Link::softplus, Link::bounded}) {
      CAPTURE(static_cast<int>(kind));
      const Observation observation{kind, link, 1e-3};
      const std::size_t columns = kind == Kind::softmax ? 3 : output_count(observation);
      Matrix found = random_matrix(4, columns, random), derivatives(4, columns), unused(4, columns);
      const std::vector<double> targets = observation.regression()
                                              ? std::vector<double>{0.3, -1, 2, 0}
                                              : std::vector<double>{1, 0, 0, 1};
      const Loss at = loss(observation, 0, found, targets, 0.2, derivatives);
      constexpr double step = 1e-6;
      for (std::size_t i = 0; i < found.entries.size(); ++i) {
        Matrix up = found, down = found;
        up.entries[i] += step;
        down.entries[i] -= step;
        const double slope = (loss(observation, 0, up, targets, 0.2, unused).value -
                              loss(observation, 0, down, targets, 0.2, unused).value) /
                             (2 * step);
        CHECK(derivatives.entries[i] == doctest::Approx(slope).epsilon(1e-5));
      }
      const double slope = (loss(observation, 0, found, targets, 0.2 + step, unused).value -
                            loss(observation, 0, found, targets, 0.2 - step, unused).value) /
                           (2 * step);
      CHECK(at.raw_variance == doctest::Approx(slope).epsilon(1e-5));
    }
}

TEST_CASE("derivatives of losses with heavy tails are differences of the losses, far out too") {
  using Kind = Observation::Kind;
  Random random(6);
  for (const Kind kind : {Kind::heteroscedastic, Kind::homoscedastic})
    for (const Tails tails : {Tails{Tails::Kind::student, 3}, Tails{Tails::Kind::two_scale}}) {
      CAPTURE(name(tails.kind));
      Observation observation{kind, Observation::Link::bounded, 1e-3};
      observation.tails = tails;
      const std::size_t columns = output_count(observation);
      Matrix found = random_matrix(4, columns, random), derivatives(4, columns), unused(4, columns);
      const std::vector<double> targets{0.3, -1, 12, 0};
      const Loss at = loss(observation, 0, found, targets, 0.2, derivatives);
      constexpr double step = 1e-6;
      for (std::size_t i = 0; i < found.entries.size(); ++i) {
        Matrix up = found, down = found;
        up.entries[i] += step;
        down.entries[i] -= step;
        const double slope = (loss(observation, 0, up, targets, 0.2, unused).value -
                              loss(observation, 0, down, targets, 0.2, unused).value) /
                             (2 * step);
        CHECK(derivatives.entries[i] == doctest::Approx(slope).epsilon(1e-5));
      }
      const double slope = (loss(observation, 0, found, targets, 0.2 + step, unused).value -
                            loss(observation, 0, found, targets, 0.2 - step, unused).value) /
                           (2 * step);
      CHECK(at.raw_variance == doctest::Approx(slope).epsilon(1e-5));
    }
}

TEST_CASE("a row of weight 2 is two rows") {
  using Kind = Observation::Kind;
  for (const Kind kind :
       {Kind::heteroscedastic, Kind::homoscedastic, Kind::softmax, Kind::sigmoid}) {
    CAPTURE(static_cast<int>(kind));
    const Observation observation{kind, Observation::Link::exponential, 1e-3};
    const std::size_t columns = kind == Kind::softmax ? 2 : output_count(observation);
    Random random(5);
    const Matrix found = random_matrix(2, columns, random);
    Matrix repeated(3, columns), slopes(2, columns), repeated_slopes(3, columns);
    for (std::size_t j = 0; j < columns; ++j) {
      repeated.at(0, j) = repeated.at(1, j) = found.at(0, j);
      repeated.at(2, j) = found.at(1, j);
    }
    const std::vector<double> targets{1, 0}, weights{2, 1}, thrice{1, 1, 0};
    const Loss weighed = loss(observation, 0, found, targets, 0.2, slopes, weights);
    const Loss all = loss(observation, 0, repeated, thrice, 0.2, repeated_slopes);
    CHECK(2 * weighed.value == doctest::Approx(3 * all.value));
    CHECK(2 * weighed.raw_variance == doctest::Approx(3 * all.raw_variance));
    for (std::size_t j = 0; j < columns; ++j) {
      CHECK(2 * slopes.at(0, j) == doctest::Approx(6 * repeated_slopes.at(0, j)));
      CHECK(2 * slopes.at(1, j) == doctest::Approx(3 * repeated_slopes.at(2, j)));
    }
  }
}

TEST_CASE("beta weighs a row by a power of its variance") {
  const Observation observation{Observation::Kind::heteroscedastic, Observation::Link::exponential,
                                0};
  Matrix found(1, 2), plain(1, 2), weighed(1, 2);
  found.entries = {1, std::log(4.0)};
  const std::vector<double> targets{3};
  loss(observation, 0, found, targets, 0, plain);
  loss(observation, 0.5, found, targets, 0, weighed);
  // (1 - 3) / 4 = -1/2, and 4^(1/2) = 2.
  CHECK(plain.entries[0] == doctest::Approx(-0.5));
  CHECK(weighed.entries[0] == doctest::Approx(-1));
}

TEST_CASE("log likelihoods are those of the normal law and of the softmax") {
  const Observation normal{Observation::Kind::homoscedastic, Observation::Link::exponential, 0};
  const std::vector<double> mean{1};
  // -(log(2 pi 4) + 4/4) / 2.
  CHECK(log_likelihood(normal, mean, std::log(4.0), 3) == doctest::Approx(-2.112085713764618));
  const Observation softmax{Observation::Kind::softmax};
  const std::vector<double> logits{0, std::log(2.0), 0};
  CHECK(std::exp(log_likelihood(softmax, logits, 0, 1)) == doctest::Approx(0.5));
  const Observation sigmoid{Observation::Kind::sigmoid};
  const std::vector<double> logit{std::log(3.0)};
  CHECK(std::exp(log_likelihood(sigmoid, logit, 0, 1)) == doctest::Approx(0.75));
  CHECK(std::exp(log_likelihood(sigmoid, logit, 0, 0)) == doctest::Approx(0.25));
}
