// The cost of a collapsed prediction, given the activations: the law of the outcome of one input and
// one sample, its mean, and the log density at an outcome. Random weights and activations of the
// shape of trained networks, half of the units dead; processor time of one thread.
//
// The forward pass before it is a table of its own. The last column is a model, not a measurement:
// a pipeline that starts an external process for each polytope, eight of them for each input and
// sample, at 20 ms each.

#include "bnn/predictive/predictive.h"

#include <cmath>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "bnn/collapse/collapse.h"
#include "bnn/collapse/float_forward.h"
#include "bnn/predictive/certified_law.h"
#include "bnn/predictive/fast_law.h"
#include "bnn/training/mlp.h"
#include "bnn/training/parameters.h"
#include "tests/bench/table.h"

namespace {

using namespace wmi;
using namespace wmi::bnn;
using bench::Table;

constexpr std::size_t sample_count = 40;
constexpr double modelled_seconds = 8 * 0.020;

/// A network by the sizes of the layers around what is collapsed.
struct Shape {
  std::string name;
  std::size_t before;  // what enters the last hidden layer
  std::size_t hidden;
};

struct Example {
  std::vector<CollapsedSample> samples;
  std::vector<Matrix> entering;  // of each sample, a row for each input
  std::vector<Matrix> outputs;
  std::vector<double> targets;
};

Example make_example(const Shape& shape, bool second, std::size_t inputs) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const auto small = [&] { return static_cast<float>(0.05 * normal(random)); };
  Example result;
  for (std::size_t i = 0; i < inputs; ++i) result.targets.push_back(normal(random));
  std::vector<Candidate> candidates;
  for (std::size_t unit = 0; unit < (second ? shape.hidden : 1); ++unit)
    for (std::size_t input = 0; input <= (second ? shape.before : shape.hidden); ++input) {
      const double middle = normal(random) / std::sqrt(shape.hidden);
      candidates.push_back(
          {unit, input, {middle - 0.1 * uniform(random), middle + 0.1, 1}, "", false});
    }
  for (std::size_t s = 0; s < sample_count; ++s) {
    CollapsedSample sample;
    sample.layers = second ? UnknownLayers::second : UnknownLayers::last;
    sample.rows.resize(1);
    CollapsedSample::Row& row = sample.rows[0];
    for (std::size_t j = 0; j < shape.hidden; ++j)
      row.weights.push_back(static_cast<float>(normal(random) / std::sqrt(shape.hidden)));
    row.candidates = candidates;
    row.most = second ? 3 : candidates.size();
    if (second) {
      sample.hidden_weights = Matrix(shape.hidden, shape.before);
      for (double& entry : sample.hidden_weights.entries)
        entry = static_cast<float>(normal(random) / std::sqrt(shape.before));
      for (std::size_t j = 0; j < shape.hidden; ++j) sample.hidden_bias.push_back(small());
    }
    result.samples.push_back(std::move(sample));
    Matrix entering(inputs, second ? shape.before : shape.hidden), outputs(inputs, 2);
    for (double& entry : entering.entries)
      entry = static_cast<float>(std::max(0.0, normal(random)));
    for (std::size_t i = 0; i < inputs; ++i) {
      outputs.at(i, 0) = small();
      outputs.at(i, 1) = -2 + small();
    }
    result.entering.push_back(std::move(entering));
    result.outputs.push_back(std::move(outputs));
  }
  return result;
}

double fast_pass(const Example& example, std::size_t inputs) {
  double sum = 0;
  for (std::size_t s = 0; s < sample_count; ++s)
    for (std::size_t i = 0; i < inputs; ++i) {
      const auto parts =
          output_laws(example.samples[s], example.entering[s].row(i), example.outputs[s].row(i));
      const FastLaw law(parts[0], {});
      sum += law.mean() + law.log_density(example.targets[i]);
    }
  return sum;
}

double forecast_pass(const Example& example, std::size_t inputs) {
  double sum = 0;
  for (std::size_t i = 0; i < inputs; ++i) {
    std::vector<OutputLaw<double>> mixture;
    for (std::size_t s = 0; s < sample_count; ++s)
      mixture.push_back(output_laws(example.samples[s], example.entering[s].row(i),
                                    example.outputs[s].row(i))[0]);
    sum += Predictive(mixture, {}, {{}, {}, 0, 1}).forecast(example.targets[i]).crps;
  }
  return sum;
}

double certified_pass(const Example& example, std::size_t inputs, unsigned digits) {
  double sum = 0;
  for (std::size_t s = 0; s < sample_count; ++s)
    for (std::size_t i = 0; i < inputs; ++i) {
      std::vector<Rational> entering, outputs;
      for (const double value : example.entering[s].row(i)) entering.emplace_back(value);
      for (const double value : example.outputs[s].row(i)) outputs.emplace_back(value);
      const auto parts = output_laws(example.samples[s], std::span<const Rational>(entering),
                                     std::span<const Rational>(outputs));
      const CertifiedLaw law(parts[0], {});
      sum += law.mean().get_d() +
             law.density(Rational(example.targets[i]), digits, Relative::to_maximum)
                 .midpoint()
                 .get_d();
    }
  return sum;
}

/// The forward pass from inputs to the last layer, which the rates above leave out.
void forward_table(double& keep) {
  Table table("forward", {"hidden", "forward_pairs_per_s"});
  const std::pair<std::size_t, std::vector<std::size_t>> networks[] = {
      {13, {50}}, {18, {1000, 1000, 500, 50, 2}}};
  for (const auto& [width, hidden] : networks) {
    const encoders::Network network = mlp(width, hidden, 2);
    const Weights weights = initial_weights(weights_of(network, {}), 1);
    const std::size_t inputs = 2000;
    Matrix rows(inputs, width);
    for (std::size_t i = 0; i < rows.entries.size(); ++i) rows.entries[i] = std::sin(i);
    const std::string last = "fc" + std::to_string(hidden.size() + 1);
    double seconds = INFINITY;
    for (int run = 0; run < 3; ++run) {
      const std::clock_t start = std::clock();  // of all threads: LibTorch has some
      keep += float_forward(network, weights, rows, last).outputs.at(0, 0);
      seconds = std::min(seconds, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    std::string name;
    for (const std::size_t units : hidden)
      name += (name.empty() ? "" : "-") + std::to_string(units);
    table.add({name, static_cast<double>(inputs) / seconds});
  }
}

}  // namespace

int main() {
  const Shape shapes[] = {{"50", 13, 50}, {"1000-1000-500-50-2", 50, 2}};
  Table table("predictive", {"hidden", "collapsed", "fast_pairs_per_s", "forecast_pairs_per_s",
                             "certified_pairs_per_s", "modelled_original_pairs_per_s",
                             "fast_over_model", "certified_over_model"});
  double keep = 0;
  for (const Shape& shape : shapes)
    for (const bool second : {false, true}) {
      const std::size_t many = 200, some = 10;
      const Example example = make_example(shape, second, many);
      double fast = INFINITY, forecast = INFINITY, certified = INFINITY;
      for (int run = 0; run < 3; ++run) {
        fast = std::min(fast, bench::processor_seconds([&] { keep += fast_pass(example, many); }));
        forecast = std::min(
            forecast, bench::processor_seconds([&] { keep += forecast_pass(example, some); }));
        certified = std::min(
            certified, bench::processor_seconds([&] { keep += certified_pass(example, some, 9); }));
      }
      const double pairs = sample_count;
      const double fast_rate = pairs * many / fast, certified_rate = pairs * some / certified;
      table.add({shape.name, std::string(second ? "second:3" : "last"), fast_rate,
                 pairs * some / forecast, certified_rate, 1 / modelled_seconds,
                 fast_rate * modelled_seconds, certified_rate * modelled_seconds});
    }
  forward_table(keep);
  std::printf("checksum %g\n", keep);
}
