#pragma once

#include <string>
#include <vector>

#include "encoders/encode.h"
#include "encoders/network.h"

// Arguments of `ciber query` that describe the problem rather than a question. Each function throws
// Error, naming the option.

namespace wmi::frontends {

/// `1,0.5`: the entries of the input in row-major order; empty: all 0.
encoders::Tensor<Rational> read_input(const encoders::Network& network, const std::string& text);

/// `fc2.weight[0,3]=[-1,1]`: the name of a parameter or input and its density.
std::vector<encoders::Unknown> read_unknowns(const std::vector<std::string>& texts);

/// `triangular(RADIUS)` or `cubic(REACH)`; empty: no outcome.
encoders::Outcome read_likelihood(const std::string& text);

}  // namespace wmi::frontends
