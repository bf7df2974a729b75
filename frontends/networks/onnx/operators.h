#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "frontends/networks/onnx/call.h"

namespace wmi::frontends::onnx {

/// An operator of ONNX: a function that adds the layers of a node and returns its outputs.
///
/// A new operator is such a function and a line of the table in operators.cpp.
struct Operator {
  std::string_view name;
  std::vector<Value> (*translate)(Call& call);
  /// Of constants alone, the operator is run on the first of them, exactly. Otherwise its function
  /// takes constants itself.
  bool folds = true;
};

/// All of them, in the order of their names.
std::span<const Operator> operators();

// elementwise.cpp
std::vector<Value> translate_add(Call& call);
std::vector<Value> translate_sub(Call& call);
std::vector<Value> translate_mul(Call& call);
std::vector<Value> translate_div(Call& call);
std::vector<Value> translate_sum(Call& call);
std::vector<Value> translate_max(Call& call);
std::vector<Value> translate_min(Call& call);
std::vector<Value> translate_neg(Call& call);
std::vector<Value> translate_abs(Call& call);
std::vector<Value> translate_sign(Call& call);

// activations.cpp
std::vector<Value> translate_relu(Call& call);
std::vector<Value> translate_leaky_relu(Call& call);
std::vector<Value> translate_prelu(Call& call);
std::vector<Value> translate_clip(Call& call);
std::vector<Value> translate_hard_sigmoid(Call& call);
std::vector<Value> translate_hard_swish(Call& call);
std::vector<Value> translate_sigmoid(Call& call);
std::vector<Value> translate_tanh(Call& call);
std::vector<Value> translate_softplus(Call& call);
std::vector<Value> translate_gelu(Call& call);
std::vector<Value> translate_softmax(Call& call);

// matrices.cpp
std::vector<Value> translate_matmul(Call& call);
std::vector<Value> translate_gemm(Call& call);

// windows.cpp
std::vector<Value> translate_conv(Call& call);
std::vector<Value> translate_conv_transpose(Call& call);
std::vector<Value> translate_max_pool(Call& call);
std::vector<Value> translate_average_pool(Call& call);

// channels.cpp
std::vector<Value> translate_batch_normalization(Call& call);

// reductions.cpp
std::vector<Value> translate_global_average_pool(Call& call);
std::vector<Value> translate_global_max_pool(Call& call);
std::vector<Value> translate_reduce_mean(Call& call);
std::vector<Value> translate_reduce_sum(Call& call);
std::vector<Value> translate_reduce_max(Call& call);
std::vector<Value> translate_reduce_min(Call& call);

// shapes.cpp
std::vector<Value> translate_flatten(Call& call);
std::vector<Value> translate_reshape(Call& call);
std::vector<Value> translate_squeeze(Call& call);
std::vector<Value> translate_unsqueeze(Call& call);
std::vector<Value> translate_identity(Call& call);
std::vector<Value> translate_dropout(Call& call);

// rearrangements.cpp
std::vector<Value> translate_transpose(Call& call);
std::vector<Value> translate_concat(Call& call);
std::vector<Value> translate_split(Call& call);
std::vector<Value> translate_slice(Call& call);
std::vector<Value> translate_gather(Call& call);
std::vector<Value> translate_pad(Call& call);
std::vector<Value> translate_expand(Call& call);

// constants.cpp
std::vector<Value> translate_constant(Call& call);
std::vector<Value> translate_constant_of_shape(Call& call);
std::vector<Value> translate_shape(Call& call);
std::vector<Value> translate_cast(Call& call);

}  // namespace wmi::frontends::onnx
