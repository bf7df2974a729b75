#include "bnn/training/corrected_score.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "bnn/numeric/random.h"
#include "bnn/training/loss.h"

namespace wmi::bnn {
namespace {

constexpr Observation normal{};

/// Outputs 0 with this raw variance; outcomes of the deviation 1, some of them 5.
struct Noise {
  Dataset rows;
  std::vector<Matrix> outputs;

  Noise(double log_variance, double outliers) {
    Random random(3);
    rows.inputs = Matrix(3000, 1);
    outputs.emplace_back(3000, 2);
    for (std::size_t i = 0; i < 3000; ++i) {
      outputs[0].at(i, 1) = log_variance;
      const double deviation = random.uniform() < outliers ? 5 : 1;
      rows.targets.push_back(deviation * random.normal());
    }
  }
  double score() const {
    const double raw = 0;
    return corrected_log_likelihood(normal, outputs, {&raw, 1}, rows);
  }
};

}  // namespace

TEST_CASE("a deviation that does not fit costs nothing once it is corrected") {
  const double fitting = Noise(0, 0.03).score();
  for (const double log_variance : {-4.0, -2.0, 1.0, 2.0})
    CHECK(Noise(log_variance, 0.03).score() == doctest::Approx(fitting).epsilon(2e-3));
  // The entropy of the mixture of .97 N(0, 1) and .03 N(0, 25), by quadrature.
  double entropy = 0;
  for (double x = -40; x < 40; x += 1e-3) {
    const double density =
        (0.97 * std::exp(-x * x / 2) + 0.006 * std::exp(-x * x / 50)) / std::sqrt(2 * M_PI);
    entropy -= 1e-3 * density * std::log(density);
  }
  CHECK(fitting == doctest::Approx(-entropy).epsilon(0.05));
}

TEST_CASE("the correction is at least as good as none but for the allowance for outliers") {
  const Noise noise(-0.7, 0);
  double plain = 0;
  for (std::size_t i = 0; i < 3000; ++i)
    plain += log_likelihood(normal, noise.outputs[0].row(i), 0, noise.rows.targets[i]) / 3000;
  CHECK(noise.score() > plain + 0.05);
}

TEST_CASE("the score of several samples is that of their mixture") {
  Noise noise(0, 0.03);
  const double one = noise.score();
  noise.outputs.push_back(noise.outputs[0]);
  const double raw[] = {0, 0};
  CHECK(corrected_log_likelihood(normal, noise.outputs, raw, noise.rows) ==
        doctest::Approx(one).epsilon(1e-9));
  for (std::size_t i = 0; i < 3000; ++i) noise.outputs[1].at(i, 0) = 10;
  const double worse = corrected_log_likelihood(normal, noise.outputs, raw, noise.rows);
  CHECK(worse < one - 0.5);
  CHECK(worse > one - 0.8);  // log 2 of it is lost, and wider noise makes up for a little
}

TEST_CASE("rows count by their weights") {
  Noise noise(0, 0.03);
  Noise twice = noise;
  twice.rows.weights.assign(3000, 1);
  for (std::size_t i = 0; i < 1500; ++i) twice.rows.weights[i] = 0;
  noise.rows.targets.erase(noise.rows.targets.begin(), noise.rows.targets.begin() + 1500);
  noise.rows.inputs = Matrix(1500, 1);
  noise.outputs[0].entries.resize(3000);
  CHECK(twice.score() == doctest::Approx(noise.score()).epsilon(1e-9));
}

TEST_CASE("logits are divided by what is best") {
  const Observation classes{Observation::Kind::softmax}, two{Observation::Kind::sigmoid};
  Random random(4);
  Dataset rows;
  rows.inputs = Matrix(2000, 1);
  Matrix three(2000, 3), one(2000, 1);
  Dataset binary = rows;
  for (std::size_t i = 0; i < 2000; ++i) {
    double total = 0;
    for (std::size_t k = 0; k < 3; ++k) total += std::exp(three.at(i, k) = random.normal());
    double u = random.uniform() * total;
    std::size_t k = 0;
    while (k < 2 && (u -= std::exp(three.at(i, k))) > 0) ++k;
    rows.targets.push_back(static_cast<double>(k));
    one.at(i, 0) = 2 * random.normal();
    binary.targets.push_back(random.uniform() < 1 / (1 + std::exp(-one.at(i, 0))) ? 1 : 0);
  }
  const double raw = 0;
  const auto score = [&](const Observation& observation, Matrix outputs, const Dataset& of,
                         double factor) {
    for (double& entry : outputs.entries) entry *= factor;
    return corrected_log_likelihood(observation, {&outputs, 1}, {&raw, 1}, of);
  };
  for (const double factor : {0.3, 3.0, 6.0}) {
    CHECK(score(classes, three, rows, factor) ==
          doctest::Approx(score(classes, three, rows, 1)).epsilon(5e-3));
    CHECK(score(two, one, binary, factor) ==
          doctest::Approx(score(two, one, binary, 1)).epsilon(5e-3));
  }
}

TEST_CASE("outputs that are no numbers have no score") {
  Noise noise(0, 0.03);
  noise.outputs[0].at(7, 0) = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isinf(noise.score()));
}

}  // namespace wmi::bnn
