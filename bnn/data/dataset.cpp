#include "bnn/data/dataset.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "bnn/numeric/draw.h"
#include "solver/terms/error.h"

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

constexpr double robust_clip = 4;
constexpr double room_beyond = 0.5;  // of the range of a column
constexpr std::size_t few_values = 10;
constexpr double normal_quartiles = 1.3489795003921634;  // their distance, of deviation 1

/// Median and quartiles of a column as a scale; nullopt where they say little.
std::optional<Scale> robust_scale(std::vector<double> values) {
  std::ranges::sort(values);
  std::size_t distinct = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    distinct += i == 0 || values[i] != values[i - 1] ? 1 : 0;
  if (distinct <= few_values) return std::nullopt;
  const auto quantile = [&](double p) {
    return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
  };
  const double distance = quantile(0.75) - quantile(0.25);
  if (!(distance > 0)) return std::nullopt;
  return Scale{quantile(0.5), distance / normal_quartiles};
}

}  // namespace

Dataset select(const Dataset& data, std::span<const std::size_t> rows) {
  Dataset result;
  result.inputs.columns = data.inputs.columns;
  for (const std::size_t row : rows) {
    const std::span<const double> entries = data.inputs.row(row);
    result.inputs.entries.insert(result.inputs.entries.end(), entries.begin(), entries.end());
    result.targets.push_back(data.targets[row]);
    if (!data.weights.empty()) result.weights.push_back(data.weights[row]);
  }
  return result;
}

bool can_compute_with(double mean, double scale) {
  return std::isfinite(mean * mean) && std::isnormal(scale * scale);
}

Standardisation fit_standardisation(const Dataset& data, bool regression, Scaling scaling,
                                    TargetTransform transform) {
  Standardisation result;
  result.target_transform = transform;
  if (scaling == Scaling::robust) result.input_clip = robust_clip;
  for (std::size_t j = 0; j < data.inputs.columns; ++j) {
    Scale scale = scale_of(data.rows(), [&](std::size_t i) { return data.inputs.at(i, j); });
    if (scaling == Scaling::robust) {
      std::vector<double> values;
      for (std::size_t i = 0; i < data.rows(); ++i) values.push_back(data.inputs.at(i, j));
      if (const std::optional<Scale> found = robust_scale(std::move(values))) scale = *found;
    }
    result.input_mean.push_back(scale.mean);
    result.input_scale.push_back(scale.deviation);
  }
  if (regression) {
    for (const double target : data.targets)
      if (!is_possible(transform, target))
        throw Error("a target is " + std::to_string(target) + ", which has no transform '" +
                    std::string(name(transform)) + "'");
    const Scale scale = scale_of(
        data.rows(), [&](std::size_t i) { return transformed(transform, data.targets[i]); });
    result.target_mean = scale.mean;
    result.target_scale = scale.deviation;
  }
  return result;
}

void limit_inputs(Standardisation& standardisation, const Dataset& data) {
  if (standardisation.input_clip > 0 || data.rows() == 0) return;
  const Matrix inputs = standardised(data.inputs, without_limits(standardisation));
  standardisation.input_least.clear();
  standardisation.input_most.clear();
  for (std::size_t j = 0; j < inputs.columns; ++j) {
    double least = inputs.at(0, j), most = least;
    for (std::size_t i = 1; i < inputs.rows(); ++i) {
      least = std::min(least, inputs.at(i, j));
      most = std::max(most, inputs.at(i, j));
    }
    const double room = room_beyond * (most - least);
    standardisation.input_least.push_back(least - room);
    standardisation.input_most.push_back(most + room);
  }
}

Standardisation without_limits(Standardisation standardisation) {
  standardisation.input_least.clear();
  standardisation.input_most.clear();
  return standardisation;
}

Matrix standardised(const Matrix& inputs, const Standardisation& standardisation) {
  Matrix result = inputs;
  for (std::size_t i = 0; i < inputs.rows(); ++i)
    for (std::size_t j = 0; j < inputs.columns; ++j) {
      double z = (inputs.at(i, j) - standardisation.input_mean[j]) / standardisation.input_scale[j];
      if (!standardisation.input_least.empty())
        z = std::clamp(z, standardisation.input_least[j], standardisation.input_most[j]);
      const double clip = standardisation.input_clip;
      result.at(i, j) = clip > 0 ? z / std::hypot(1, z / clip) : z;
    }
  return result;
}

double own_units(double standardised, std::size_t column, const Standardisation& standardisation) {
  const double clip = standardisation.input_clip;
  if (clip > 0) standardised /= std::sqrt(1 - std::pow(standardised / clip, 2));
  return standardisation.input_mean[column] + standardisation.input_scale[column] * standardised;
}

Dataset standardised(const Dataset& data, const Standardisation& standardisation) {
  Dataset result{standardised(data.inputs, standardisation), data.targets, data.weights};
  for (double& target : result.targets)
    target = (transformed(standardisation.target_transform, target) - standardisation.target_mean) /
             standardisation.target_scale;
  return result;
}

double own_target(double standardised, const Standardisation& standardisation) {
  return inverse(standardisation.target_transform,
                 standardisation.target_mean + standardisation.target_scale * standardised);
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
