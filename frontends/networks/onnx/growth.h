#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "encoders/tensor.h"
#include "solver/terms/rational.h"

namespace wmi::frontends::onnx {

// Products of constants have as many digits as their factors together, so that a short model may
// ask for very long numbers. These functions throw Error for them.

/// The bits of all entries together. Each has at most as many digits as the cap `digits` says.
std::size_t checked_bits(const encoders::Tensor<Rational>& tensor);

/// All constants that a model computes have at most 2^32 bits together.
void check_total_bits(std::size_t bits);

/// Whether the operator adds entries of one tensor up, which makes a common denominator.
bool adds_up(std::string_view type);

/// Asked before a node makes so many entries of these constants.
void check_growth(const std::vector<const encoders::Tensor<Rational>*>& factors,
                  std::size_t entries, bool adds_up);

}  // namespace wmi::frontends::onnx
