#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "bnn/data/forecast.h"
#include "bnn/data/target_transform.h"
#include "bnn/predictive/conformal.h"
#include "bnn/predictive/predictive.h"
#include "frontends/learning/predictor.h"

namespace wmi::frontends {

inline constexpr std::string_view conformal_assumption =
    "intervals: stretched (split-conformal), so that of rows like those set aside they hold at "
    "least their share";

/// The central interval of this probability, with the median, of the transformed outcome: there it
/// can be stretched without leaving the possible outcomes.
bnn::CentralInterval central_interval(const bnn::Predictive& law, double level,
                                      bnn::TargetTransform transform);

/// The same interval of the outcome itself, stretched by a factor.
bnn::CentralInterval stretched_interval(const bnn::Predictive& law, double level, double factor,
                                        bnn::TargetTransform transform);

/// By how much central intervals of these levels are stretched: from the rows that the training set
/// aside (see bnn::conformal_factor). The level is meant as its shortest decimal: 0.9 is 9/10.
/// Throws Error for classes, and if the run has no such rows.
std::vector<double> conformal_factors(const Predictor& predictor, std::span<const double> levels);

/// Stretches the central intervals of forecasts, so that they are those of `ciber predict`. Does
/// nothing if the run has no rows set aside.
class ForecastStretcher {
 public:
  explicit ForecastStretcher(const Predictor& predictor);
  void stretch(std::span<bnn::Forecast> forecasts) const;

 private:
  bnn::TargetTransform transform_;
  std::vector<double> factors_;  // of the levels 0.95, 0.9 and 0.5
};

}  // namespace wmi::frontends
