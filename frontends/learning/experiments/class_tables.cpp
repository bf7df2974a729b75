#include "frontends/learning/experiments/class_tables.h"

#include <algorithm>
#include <cmath>

#include "bnn/numeric/parallel.h"
#include "bnn/predictive/classes.h"

namespace wmi::frontends {
namespace {

constexpr std::size_t features = resnet20_features, classes = cifar10_classes;

/// The logits of an image, from its features.
std::vector<double> logits(const bnn::Weights& layer, std::span<const double> entering) {
  std::vector<double> result = layer.at("fc1.bias").entries;
  const std::vector<double>& weights = layer.at("fc1.weight").entries;
  for (std::size_t k = 0; k < classes; ++k)
    for (std::size_t j = 0; j < features; ++j) result[k] += weights[k * features + j] * entering[j];
  return result;
}

}  // namespace

ClassTable plain_table(const HeadSample& sample) {
  ClassTable result;
  for (std::size_t i = 0; i < sample.test.rows(); ++i) {
    std::vector<double> row = logits(sample.layer, sample.test.row(i));
    const double most = *std::ranges::max_element(row);
    double sum = 0;
    for (double& entry : row) sum += entry = std::exp(entry - most);
    for (const double entry : row) result.push_back(entry / sum);
  }
  return result;
}

ClassTable collapsed_table(const HeadSample& sample, const bnn::CollapsedSample& collapsed,
                           bool authors, unsigned threads) {
  ClassTable result(sample.test.rows() * classes);
  bnn::in_parallel(sample.test.rows(), threads, [&](std::size_t i) {
    const auto entering = sample.test.row(i);
    const std::vector<double> outputs = logits(sample.layer, entering);
    std::vector<double> found;
    if (authors) {
      found = bnn::authors_class_probabilities(collapsed, entering, outputs);
    } else {
      const std::vector<std::vector<bnn::OutputLaw<double>>> one{
          bnn::output_laws(collapsed, entering, outputs)};
      found = bnn::class_probabilities(one, softmax_observation);
    }
    std::ranges::copy(found, result.begin() + static_cast<std::ptrdiff_t>(i * classes));
  });
  return result;
}

std::vector<bnn::Forecast> average(std::span<const ClassTable> tables) {
  std::vector<bnn::Forecast> result(tables[0].size() / classes);
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i].probabilities.assign(classes, 0);
    for (const ClassTable& table : tables)
      for (std::size_t k = 0; k < classes; ++k)
        result[i].probabilities[k] += table[i * classes + k] / static_cast<double>(tables.size());
  }
  return result;
}

std::vector<ClassTable> evenly(std::span<const ClassTable> tables, std::size_t count) {
  std::vector<ClassTable> result;
  for (std::size_t i = 1; i <= count; ++i) result.push_back(tables[i * tables.size() / count - 1]);
  return result;
}

}  // namespace wmi::frontends
