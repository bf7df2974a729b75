#include "bnn/data/observation.h"

#include <algorithm>
#include <cmath>

namespace wmi::bnn {
namespace {

using Link = Observation::Link;

constexpr double least_link = 1e-20;
constexpr double most_logistic = 1 - 1e-12;

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

/// most_variance times a logistic function of this is e^raw / (1 + e^raw / most_variance).
double shifted(double raw) { return raw - std::log(most_variance); }

}  // namespace

double variance(const Observation& observation, double raw) {
  switch (observation.link) {
    case Link::exponential:
      return std::exp(raw) + observation.least_variance;
    case Link::softplus:
      return std::max(raw, 0.0) + std::log1p(std::exp(-std::abs(raw))) + observation.least_variance;
    case Link::bounded:
      return most_variance * logistic(shifted(raw)) + observation.least_variance;
  }
  return 0;
}

double raw_of_variance(const Observation& observation, double variance) {
  const double above = std::max(variance - observation.least_variance, least_link);
  switch (observation.link) {
    case Link::exponential:
      return std::log(above);
    case Link::softplus:
      return above > 30 ? above : std::log(std::expm1(above));
    case Link::bounded:
      return std::log(above) - std::log1p(-std::min(above / most_variance, most_logistic));
  }
  return 0;
}

double variance_slope(const Observation& observation, double raw) {
  switch (observation.link) {
    case Link::exponential:
      return std::exp(raw);
    case Link::softplus:
      return logistic(raw);
    case Link::bounded:
      return most_variance * logistic(shifted(raw)) * logistic(-shifted(raw));
  }
  return 0;
}

}  // namespace wmi::bnn
