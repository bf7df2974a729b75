#pragma once

#include "encoders/network.h"

namespace wmi::frontends {

/// Whether the outputs are a continuous function of the inputs and weights, for each mask of
/// dropout: no layer uses the step function. False also for networks that are continuous although
/// one does.
bool is_continuous(const encoders::Network& network);

}  // namespace wmi::frontends
