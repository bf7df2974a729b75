#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bnn/numeric/matrix.h"

namespace wmi::bnn {

/// The log likelihood of each row under an equal mixture of the samples of `count` trajectories, of
/// which `logs` has some: a row for each row, a column for each sample, whose trajectory is in
/// `trajectories`. What a mixture of n of them has is, up to higher powers of 1/n, linear in 1/n; the
/// line through all of them and the mean of mixtures of half of them is followed to 1/count, at most
/// up to the likelihood under the best of them. With no more than there are, the mixture of these.
std::vector<double> larger_mixture_logs(const Matrix& logs,
                                        std::span<const std::size_t> trajectories,
                                        std::size_t count);

}  // namespace wmi::bnn
