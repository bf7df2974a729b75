#pragma once

#include <span>
#include <vector>

#include "bnn/predictive/logit_nodes.h"

namespace wmi::bnn {

/// The mean of the softmax of independent logits, whose laws are nodes, to about 1e-10. Of sum 1.
std::vector<double> average_softmax(std::span<const SmoothNodes> logits);

}  // namespace wmi::bnn
