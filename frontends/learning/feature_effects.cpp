#include "frontends/learning/feature_effects.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "bnn/data/calibration.h"
#include "bnn/numeric/random.h"
#include "frontends/data/schema.h"
#include "solver/terms/error.h"

namespace wmi::frontends {
namespace {

/// Calls `visit(name, first, count)` for each column and the inputs that it becomes.
template <class Visit>
void for_each_column(const Schema& schema, const Visit& visit) {
  std::size_t first = 0;
  for (const Feature& feature : schema.features) {
    const std::size_t count = input_count(feature);
    visit(feature.name, first, count);
    first += count;
  }
}

/// The log likelihood of each row.
std::vector<double> log_likelihoods(const Predictor& predictor, const bnn::Dataset& rows) {
  const std::vector<bnn::Forecast> found = forecasts(predictor, rows);
  std::vector<double> result;
  for (std::size_t i = 0; i < found.size(); ++i)
    result.push_back(
        predictor.run.observation.regression()
            ? found[i].log_density
            : std::log(found[i].probabilities.at(static_cast<std::size_t>(rows.targets[i]))));
  return result;
}

}  // namespace

std::vector<FeatureEffect> feature_effects(const Predictor& predictor,
                                           std::span<const double> input) {
  const Schema& schema = predictor.run.schema;
  // The prediction itself, and one for each column. The average of an input is 0.
  bnn::Dataset rows{bnn::Matrix(1 + schema.features.size(), input.size()), {}};
  for (std::size_t i = 0; i < rows.inputs.rows(); ++i)
    std::ranges::copy(input, rows.inputs.row(i).begin());
  std::vector<FeatureEffect> result;
  for_each_column(schema, [&](const std::string& name, std::size_t first, std::size_t count) {
    result.push_back({name});
    std::ranges::fill(rows.inputs.row(result.size()).subspan(first, count), 0);
  });
  const std::vector<bnn::Forecast> found = forecasts(predictor, rows);
  for (std::size_t j = 0; j < result.size(); ++j) {
    if (predictor.run.observation.regression()) {
      result[j].mean = found[0].mean - found[j + 1].mean;
      result[j].deviation = found[0].deviation - found[j + 1].deviation;
      continue;
    }
    const std::size_t likeliest = bnn::likeliest(found[0]);
    result[j].probability =
        found[0].probabilities[likeliest] - found[j + 1].probabilities[likeliest];
  }
  std::ranges::stable_sort(result, std::greater(), [](const FeatureEffect& effect) {
    return std::abs(effect.mean) + std::abs(effect.probability);
  });
  return result;
}

std::vector<FeatureImportance> feature_importance(const Predictor& predictor,
                                                  const bnn::Dataset& rows, std::uint64_t seed) {
  const std::vector<double> before = log_likelihoods(predictor, rows);
  for (std::size_t i = 0; i < before.size(); ++i)
    if (!std::isfinite(before[i]))
      throw Error(fmt::format(
          "the outcome {:.6g} has no density, so that there is no importance; take its row out",
          predictor.run.observation.regression()
              ? bnn::own_target(rows.targets[i], predictor.run.standardisation)
              : rows.targets[i]));
  std::vector<FeatureImportance> result;
  for_each_column(predictor.run.schema,
                  [&](const std::string& name, std::size_t first, std::size_t count) {
                    const std::vector<std::size_t> order =
                        bnn::shuffled(rows.rows(), bnn::mixed(seed, result.size()));
                    bnn::Dataset shuffled = rows;
                    for (std::size_t i = 0; i < rows.rows(); ++i)
                      std::ranges::copy(rows.inputs.row(order[i]).subspan(first, count),
                                        shuffled.inputs.row(i).subspan(first, count).begin());
                    std::vector<double> losses = log_likelihoods(predictor, shuffled);
                    for (std::size_t i = 0; i < losses.size(); ++i)
                      losses[i] = before[i] - losses[i];
                    result.push_back({name, bnn::over_splits(losses)});
                  });
  std::ranges::stable_sort(result, std::greater(),
                           [](const FeatureImportance& each) { return each.loss.mean; });
  return result;
}

}  // namespace wmi::frontends
