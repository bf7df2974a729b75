#include "frontends/learning/conformal_intervals.h"

#include <fmt/format.h>

#include <array>

#include "bnn/numeric/parallel.h"
#include "frontends/common/line.h"
#include "solver/terms/error.h"
#include "solver/terms/rational.h"

namespace wmi::frontends {

bnn::CentralInterval central_interval(const bnn::Predictive& law, double level,
                                      bnn::TargetTransform transform) {
  const auto at = [&](double p) { return bnn::transformed(transform, law.quantile(p)); };
  return {at((1 - level) / 2), at(0.5), at((1 + level) / 2)};
}

bnn::CentralInterval stretched_interval(const bnn::Predictive& law, double level, double factor,
                                        bnn::TargetTransform transform) {
  const auto wide = bnn::stretched(central_interval(law, level, transform), factor);
  return {bnn::inverse(transform, wide.low), bnn::inverse(transform, wide.median),
          bnn::inverse(transform, wide.high)};
}

std::vector<double> conformal_factors(const Predictor& predictor, std::span<const double> levels) {
  const Run& run = predictor.run;
  if (!run.observation.regression())
    throw Error("conformal intervals are of numbers, and the target has classes");
  const std::optional<bnn::Dataset> rows = read_conformal_rows(run);
  if (!rows)
    throw Error(fmt::format("{}: has no rows set aside; ciber train --conformal 0.2 does that",
                            one_line(run.path)));
  const std::vector<bnn::Activations> activations = forward(predictor, rows->inputs);
  std::vector<std::vector<double>> scores(levels.size(), std::vector<double>(rows->rows()));
  bnn::in_parallel(rows->rows(), predictor.options.threads, [&](std::size_t i) {
    std::vector<bnn::OutputLaw<double>> mixture;
    for (const auto& sample : bnn::output_laws_at(predictor.collapsed, activations, i))
      mixture.push_back(sample[0]);
    const bnn::Predictive law(mixture, predictor.options, run.standardisation);
    const bnn::TargetTransform transform = run.standardisation.target_transform;
    const double outcome =  // transformed
        run.standardisation.target_mean + run.standardisation.target_scale * rows->targets[i];
    for (std::size_t k = 0; k < levels.size(); ++k)
      scores[k][i] = bnn::conformal_score(central_interval(law, levels[k], transform), outcome);
  });
  std::vector<double> result;
  for (std::size_t k = 0; k < levels.size(); ++k)
    result.push_back(bnn::conformal_factor(scores[k], parse_number(fmt::format("{}", levels[k]))));
  return result;
}

ForecastStretcher::ForecastStretcher(const Predictor& predictor)
    : transform_(predictor.run.standardisation.target_transform) {
  static constexpr double levels[] = {0.95, 0.9, 0.5};
  static_assert(bnn::quantile_levels == std::array{0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975});
  if (predictor.run.observation.regression() && read_conformal_rows(predictor.run))
    factors_ = conformal_factors(predictor, levels);
}

void ForecastStretcher::stretch(std::span<bnn::Forecast> forecasts) const {
  for (bnn::Forecast& forecast : forecasts)
    for (std::size_t k = 0; k < factors_.size(); ++k) {
      double &low = forecast.quantiles[k], &high = forecast.quantiles[6 - k];
      const auto at = [&](double y) { return bnn::transformed(transform_, y); };
      const auto wide = bnn::stretched({at(low), at(forecast.quantiles[3]), at(high)}, factors_[k]);
      low = bnn::inverse(transform_, wide.low);
      high = bnn::inverse(transform_, wide.high);
    }
}

}  // namespace wmi::frontends
