#include "bnn/data/dataset.h"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>

#include "bnn/numeric/draw.h"

namespace wmi::bnn {
namespace {

struct Scale {
  double mean;
  double deviation;
};

template <class Entry>
Scale scale_of(std::size_t count, const Entry& entry) {
  double mean = 0, sum = 0;
  for (std::size_t i = 0; i < count; ++i) mean += entry(i);
  mean /= static_cast<double>(count);
  bool constant = true;
  for (std::size_t i = 0; i < count; ++i) {
    sum += (entry(i) - mean) * (entry(i) - mean);
    constant = constant && entry(i) == entry(0);
  }
  // Constant columns are recognised by their entries: rounding gives them a tiny deviation.
  if (constant) return {count == 0 ? 0 : entry(0), 1};
  return {mean, std::sqrt(sum / static_cast<double>(count))};
}

}  // namespace

Dataset select(const Dataset& data, std::span<const std::size_t> rows) {
  Dataset result;
  result.inputs.columns = data.inputs.columns;
  for (const std::size_t row : rows) {
    const std::span<const double> entries = data.inputs.row(row);
    result.inputs.entries.insert(result.inputs.entries.end(), entries.begin(), entries.end());
    result.targets.push_back(data.targets[row]);
  }
  return result;
}

bool can_compute_with(double mean, double scale) {
  return std::isfinite(mean * mean) && std::isnormal(scale * scale);
}

Standardisation fit_standardisation(const Dataset& data, bool regression) {
  Standardisation result;
  for (std::size_t j = 0; j < data.inputs.columns; ++j) {
    const Scale scale = scale_of(data.rows(), [&](std::size_t i) { return data.inputs.at(i, j); });
    result.input_mean.push_back(scale.mean);
    result.input_scale.push_back(scale.deviation);
  }
  if (regression) {
    const Scale scale = scale_of(data.rows(), [&](std::size_t i) { return data.targets[i]; });
    result.target_mean = scale.mean;
    result.target_scale = scale.deviation;
  }
  return result;
}

Matrix standardised(const Matrix& inputs, const Standardisation& standardisation) {
  Matrix result = inputs;
  for (std::size_t i = 0; i < inputs.rows(); ++i)
    for (std::size_t j = 0; j < inputs.columns; ++j)
      result.at(i, j) =
          (inputs.at(i, j) - standardisation.input_mean[j]) / standardisation.input_scale[j];
  return result;
}

Dataset standardised(const Dataset& data, const Standardisation& standardisation) {
  Dataset result{standardised(data.inputs, standardisation), data.targets};
  for (double& target : result.targets)
    target = (target - standardisation.target_mean) / standardisation.target_scale;
  return result;
}

std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> result(count);
  std::iota(result.begin(), result.end(), std::size_t{0});
  std::mt19937_64 random(seed);
  // By hand: std::shuffle may differ from one library to the next.
  for (std::size_t i = count; i > 1; --i) std::swap(result[i - 1], result[draw_below(random, i)]);
  return result;
}

}  // namespace wmi::bnn
