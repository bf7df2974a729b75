#include "frontends/networks/onnx/operators.h"

namespace wmi::frontends::onnx {
namespace {

constexpr bool takes_constants = false;  // instead of being folded

constexpr Operator table[] = {
    {"Abs", translate_abs},
    {"Add", translate_add},
    {"AveragePool", translate_average_pool},
    {"BatchNormalization", translate_batch_normalization},
    {"Cast", translate_cast, takes_constants},
    {"Clip", translate_clip},
    {"Concat", translate_concat},
    {"Constant", translate_constant, takes_constants},
    {"ConstantOfShape", translate_constant_of_shape, takes_constants},
    {"Conv", translate_conv},
    {"ConvTranspose", translate_conv_transpose},
    {"Div", translate_div, takes_constants},
    {"Dropout", translate_dropout, takes_constants},
    {"Expand", translate_expand},
    {"Flatten", translate_flatten},
    {"Gather", translate_gather},
    {"Gelu", translate_gelu},
    {"Gemm", translate_gemm},
    {"GlobalAveragePool", translate_global_average_pool},
    {"GlobalMaxPool", translate_global_max_pool},
    {"HardSigmoid", translate_hard_sigmoid},
    {"HardSwish", translate_hard_swish},
    {"Identity", translate_identity, takes_constants},
    {"LeakyRelu", translate_leaky_relu},
    {"LogSoftmax", translate_softmax, takes_constants},
    {"MatMul", translate_matmul},
    {"Max", translate_max},
    {"MaxPool", translate_max_pool},
    {"Min", translate_min},
    {"Mul", translate_mul},
    {"Neg", translate_neg},
    {"PRelu", translate_prelu},
    {"Pad", translate_pad},
    {"ReduceMax", translate_reduce_max},
    {"ReduceMean", translate_reduce_mean},
    {"ReduceMin", translate_reduce_min},
    {"ReduceSum", translate_reduce_sum},
    {"Relu", translate_relu},
    {"Reshape", translate_reshape},
    {"Shape", translate_shape, takes_constants},
    {"Sigmoid", translate_sigmoid},
    {"Sign", translate_sign},
    {"Slice", translate_slice},
    {"Softmax", translate_softmax, takes_constants},
    {"Softplus", translate_softplus},
    {"Split", translate_split},
    {"Squeeze", translate_squeeze},
    {"Sub", translate_sub},
    {"Sum", translate_sum},
    {"Tanh", translate_tanh},
    {"Transpose", translate_transpose},
    {"Unsqueeze", translate_unsqueeze},
};

}  // namespace

std::span<const Operator> operators() { return table; }

}  // namespace wmi::frontends::onnx
