#include "bnn/data/observation.h"

#include <algorithm>
#include <cmath>

namespace wmi::bnn {

double variance(const Observation& observation, double raw) {
  const double value = observation.link == Observation::Link::exponential
                           ? std::exp(raw)
                           : std::max(raw, 0.0) + std::log1p(std::exp(-std::abs(raw)));
  return value + observation.least_variance;
}

}  // namespace wmi::bnn
