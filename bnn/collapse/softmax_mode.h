#pragma once

#include <span>

#include "bnn/numeric/matrix.h"

namespace wmi::bnn {

/// The weights, a row for each class, that maximise the log likelihood of the classes under the
/// softmax of weights times features (of one row: of class 1 under the sigmoid), minus
/// lambda / 2 times the squares of what they differ from `centre`; examples count by `row_weights`, if
/// there are any.
/// `probabilities` are those at the mode, a row for each example.
struct SoftmaxMode {
  Matrix weights;
  Matrix probabilities;
};
SoftmaxMode softmax_mode(const Matrix& features, std::span<const double> classes,
                         const Matrix& start, const Matrix& centre, double lambda,
                         std::span<const double> row_weights = {});

}  // namespace wmi::bnn
