#pragma once

#include "bnn/collapse/forward.h"

namespace wmi::bnn {

/// A Forward for small networks without LibTorch: exact numbers, rounded to doubles at the end.
inline Activations rounded_forward(const encoders::Network& network, const Weights& weights,
                                   const Matrix& inputs, const std::string& layer) {
  Activations result;
  const auto append = [](Matrix& to, const std::vector<Rational>& row) {
    to.columns = row.size();
    for (const Rational& entry : row) to.entries.push_back(entry.get_d());
  };
  for (std::size_t i = 0; i < inputs.rows(); ++i) {
    const ExactActivations found =
        exact_forward(network, weights, {inputs.row(i).begin(), inputs.row(i).end()}, layer);
    if (!layer.empty()) append(result.entering, found.entering);
    append(result.outputs, found.outputs);
  }
  return result;
}

}  // namespace wmi::bnn
