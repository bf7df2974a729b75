#pragma once

#include "bnn/data/dataset.h"
#include "bnn/numeric/random.h"

namespace wmi::bnn {

/// y = w x + b with w and b drawn once; the posterior under known noise is normal.
inline Dataset line(std::size_t rows) {
  Random random(3);
  Dataset data{Matrix(rows, 1), {}};
  for (std::size_t i = 0; i < rows; ++i) {
    data.inputs.at(i, 0) = random.normal();
    data.targets.push_back(0.7 * data.inputs.at(i, 0) - 0.2 + 0.5 * random.normal());
  }
  return data;
}

}  // namespace wmi::bnn
