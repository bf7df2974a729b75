#include "bnn/predictive/drawn_classes.h"

#include <algorithm>
#include <cmath>

#include "bnn/numeric/random.h"

namespace wmi::bnn {
namespace {

constexpr std::size_t pairs = 8;  // of draws that are opposite to each other

/// The probability of a class given logits, which are overwritten; of one logit, a sigmoid's.
double class_probability(std::span<double> logits, std::size_t target) {
  if (logits.size() == 1) return 1 / (1 + std::exp(target == 1 ? -logits[0] : logits[0]));
  const double most = *std::ranges::max_element(logits);
  double sum = 0;
  for (double& logit : logits) sum += logit = std::exp(logit - most);
  return logits[target] / sum;
}

}  // namespace

DrawnClasses::DrawnClasses(std::size_t samples, std::size_t logits) : logits_(logits) {
  Random random(1);
  draws_.resize(samples * pairs * logits);
  for (double& draw : draws_) draw = random.normal();
}

double DrawnClasses::probability(std::size_t sample, std::span<const OutputLaw<double>> logits,
                                 const Observation& observation, std::size_t target, double scale,
                                 double temperature) const {
  const std::size_t count = observation.kind == Observation::Kind::sigmoid ? 1 : logits.size();
  thread_local std::vector<double> values;
  values.resize(count);
  const bool certain = std::ranges::all_of(
      logits, [](const OutputLaw<double>& logit) { return logit.deviation == 0; });
  const double spread = std::sqrt(temperature);
  double sum = 0;
  for (std::size_t pair = 0; pair < (certain ? 1 : pairs); ++pair)
    for (const double sign : {1.0, -1.0}) {
      for (std::size_t k = 0; k < count; ++k) {
        const double draw = draws_[(sample * pairs + pair) * logits_ + k];
        values[k] = (logits[k].constant + sign * spread * logits[k].deviation * draw) / scale;
      }
      sum += class_probability(values, target);
      if (certain) return sum;
    }
  return sum / (2 * pairs);
}

}  // namespace wmi::bnn
