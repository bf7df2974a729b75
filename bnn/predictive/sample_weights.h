#pragma once

#include <span>
#include <vector>

#include "bnn/numeric/matrix.h"

namespace wmi::bnn {

/// The weights of samples, of sum 1, under which held-out rows are most likely: `logs` has the log
/// likelihood of each row (a row) under each sample (a column). Stacking of predictive laws (Yao et
/// al. 2018), by the EM algorithm for the weights of a mixture; the mean log likelihood is at most
/// 1e-6 below the best, or 10 000 steps are done.
std::vector<double> stacking_weights(const Matrix& logs);

/// Weights of sum 1 in proportion to exp(power * log evidence).
std::vector<double> evidence_weights(std::span<const double> log_evidences, double power);

/// The log likelihood of each row under the mixture with these weights; without any, equal ones.
std::vector<double> mixture_logs(const Matrix& logs, std::span<const double> weights);

}  // namespace wmi::bnn
