// The last layer of a pretrained network for images: trained on from its weights, on its features.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>

#include "bnn/collapse/collapse.h"
#include "bnn/collapse/float_forward.h"
#include "bnn/data/metrics.h"
#include "bnn/numeric/random.h"
#include "bnn/predictive/classes.h"
#include "bnn/predictive/predictive.h"
#include "bnn/training/mlp.h"
#include "bnn/training/model.h"
#include "bnn/training/sampler.h"
#include "bnn/training/train.h"
#include "frontends/learning/experiments/figure_table.h"
#include "frontends/learning/experiments/journaled_numbers.h"
#include "frontends/learning/pictures.h"
#include "frontends/packed/packed_file.h"
#include "frontends/plots/chart.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t features = 64, classes = 10;

/// Features as numbers over a scale, and labels as bytes.
bnn::Dataset read_features(const fs::path& file, double scale, const fs::path& labels,
                           std::size_t most) {
  const std::string bytes = read_unpacked(file.string()), names = read_unpacked(labels.string());
  if (bytes.size() != names.size() * features * 2)
    throw Error(fmt::format("{}: has {} bytes, not those of {} rows", file.string(), bytes.size(),
                            names.size()));
  const std::size_t rows = std::min(names.size(), most);
  bnn::Dataset data;
  data.inputs = bnn::Matrix(rows, features);
  for (std::size_t i = 0; i < rows * features; ++i) {
    const auto low = static_cast<unsigned char>(bytes[2 * i]);
    const auto high = static_cast<unsigned char>(bytes[2 * i + 1]);
    data.inputs.entries[i] = (low + 256.0 * high) / scale;
  }
  for (std::size_t i = 0; i < rows; ++i)
    data.targets.push_back(static_cast<unsigned char>(names[i]));
  return data;
}

/// The pretrained layer: weights, then biases, as 32-bit floats.
bnn::Weights read_layer(const fs::path& file) {
  const std::string bytes = read_unpacked(file.string());
  std::vector<float> numbers((features + 1) * classes);
  if (bytes.size() != numbers.size() * sizeof(float))
    throw Error(file.string() + ": is no layer of 10 times 64 weights and 10 biases");
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  bnn::Weights weights;
  weights["fc1.weight"] = {{classes, features}, {numbers.begin(), numbers.end() - classes}};
  weights["fc1.bias"] = {{classes}, {numbers.end() - classes, numbers.end()}};
  return weights;
}

}  // namespace

Findings run_cifar10_features(const Conditions& conditions) {
  const fs::path folder = conditions.data / "cifar10_features";
  const std::size_t training_rows = conditions.quick ? 2000 : 20000;
  const std::size_t test_rows = conditions.quick ? 100 : 5000;
  const std::size_t count = conditions.quick ? 5 : 20;
  const bnn::Dataset training = read_features(folder / "r20_train_n50000x64_scale8192.u16le.gz",
                                              8192, folder / "labels_train.u8", training_rows);
  const bnn::Dataset test = read_features(folder / "r20_test_n10000x64_scale8192.u16le.gz", 8192,
                                          folder / "labels_test.u8", test_rows);
  const bnn::Weights start = read_layer(folder / "r20_linear_10x64_then_bias10.f32");
  const encoders::Network network = bnn::mlp(features, {}, classes);
  bnn::Observation observation;
  observation.kind = bnn::Observation::Kind::softmax;
  bnn::Recipe recipe;
  recipe.epochs = 1;
  recipe.batch = 128;
  recipe.rate = recipe.sampling_rate = 0.01;
  recipe.weight_decay = 5e-4;
  recipe.schedule = bnn::Recipe::Schedule::constant;
  recipe.samples = count;
  recipe.every = 1;
  bnn::Hooks hooks;
  hooks.stop = conditions.stop;
  conditions.report("training", 0);
  const bnn::Trajectory trajectory =
      bnn::train(network, bnn::make_model, observation, training, {}, recipe,
                 bnn::mixed(conditions.seed, 7), hooks, start);
  const std::vector<std::vector<bnn::Weights>> trajectories{trajectory.samples};
  const bnn::Standardisation none{std::vector<double>(features, 0),
                                  std::vector<double>(features, 1), 0, 1};
  bnn::PredictiveOptions options;
  options.threads = conditions.threads;

  struct Line {
    const char* name;
    const char* sampler;  // empty: the samples as they are
    const char* partition;
    const char* posterior;
    bool pretrained = false;
  };
  const Line lines[] = {{"pretrained layer", "", "none", "", true},
                        {"SGD", "sgd", "none", ""},
                        {"SWA", "swa", "none", ""},
                        {"MC", "", "none", ""},
                        {"SWAG", "swag", "none", ""},
                        {"one weight a class, minmax", "", "last:1", "minmax"},
                        {"whole layer, minmax", "", "last", "minmax"},
                        {"whole layer, moment", "", "last", "moment"},
                        {"whole layer, conditional (Laplace)", "", "last", "conditional"}};
  const char* const names[] = {"nll", "accuracy", "ece", "brier"};
  FigureTable table(
      {"method", "negative log likelihood", "minus MC's", "accuracy", "ECE (15 bins)", "Brier"});
  // The probabilities of each line, image by image.
  const auto run = [&](std::size_t number) {
    const Line& line = lines[number];
    std::vector<bnn::Weights> samples = trajectory.samples;
    if (line.pretrained) samples = {start};
    if (*line.sampler) {
      bnn::SamplerOptions sampling;
      sampling.count = count;
      samples = bnn::find_sampler(line.sampler)
                    .draw({network, bnn::make_model, observation, training, trajectories}, sampling,
                          bnn::mixed(conditions.seed, 8))
                    .samples;
    }
    bnn::CollapseOptions collapse;
    collapse.partition = line.partition;
    collapse.posterior = line.posterior;
    const auto collapsed =
        bnn::collapse(network, bnn::float_forward, observation, samples, {}, &training, collapse);
    std::vector<double> numbers;
    for (const bnn::Forecast& each : bnn::forecasts(network, bnn::float_forward, observation, none,
                                                    samples, collapsed, test, options))
      numbers.insert(numbers.end(), each.probabilities.begin(), each.probabilities.end());
    return numbers;
  };
  std::vector<std::vector<bnn::Forecast>> found;
  for (const std::vector<double>& numbers :
       journaled_numbers(conditions, "cifar10-features", fmt::format("{} images", test_rows),
                         std::size(lines), 1, run)) {
    found.emplace_back(test_rows);
    for (std::size_t i = 0; i < test_rows; ++i)
      for (std::size_t k = 0; k < classes; ++k)
        found.back()[i].probabilities.push_back(numbers.at(i * classes + k));
  }
  double worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    std::vector<std::string> row{lines[i].name};
    for (const char* name : names) {
      const bnn::Metric& metric = bnn::find_metric(name);
      row.push_back(with_interval(bnn::estimate(metric, found[i], test.targets)));
      if (metric.name == "nll")
        row.push_back(i == 3 ? ""
                             : with_interval(bnn::paired_difference(metric, found[i], found[3],
                                                                    test.targets)));
    }
    table.add(row);
    for (const bnn::Forecast& each : found[i]) {
      double sum = 0;
      for (const double p : each.probabilities) sum += p;
      worst = std::max(worst, std::abs(sum - 1));
    }
  }
  Findings findings;
  findings.text = fmt::format(
      "A substitute for the paper's networks (VGG-16 there: NLL .1927, accuracy 93.64 %, ECE "
      ".0130), labelled as such: the 64 features of a pretrained ResNet-20, and its last layer "
      "trained on for {} epochs from the pretrained weights (rate .01, momentum .9, weight decay "
      "5e-4) on {} training images; a sample after each epoch. Scores on {} test images, "
      "with 95 % bootstrap intervals. Joint softmax probabilities, of sum 1.\n\n{}\n"
      "The features come from a network that has seen the training images, so that a posterior of "
      "its last layer given these images is too sure: "
      "an average over the last layer alone cannot repair "
      "that whole.\n\n![Reliability](cifar10-features.svg)\n",
      count, training_rows, test_rows, table.markdown());
  Chart reliability = reliability_picture(found.back(), test.targets);
  reliability.title = "Reliability: whole layer, conditional";
  findings.files = {{"cifar10-features.csv", table.csv()},
                    {"cifar10-features.svg", to_svg(reliability)}};
  findings.claims = {{"probabilities of the classes sum to 1", worst < 1e-9}};
  return findings;
}

}  // namespace wmi::frontends
