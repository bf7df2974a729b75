#include "frontends/networks/onnx/operators.h"

namespace wmi::frontends::onnx {
namespace {

constexpr bool takes_constants = false;  // instead of being folded

constexpr Operator table[] = {
    {"Abs", translate_abs},
    {"Add", translate_add},
    {"Cast", translate_cast, takes_constants},
    {"Constant", translate_constant, takes_constants},
    {"ConstantOfShape", translate_constant_of_shape, takes_constants},
    {"Div", translate_div},
    {"Dropout", translate_dropout, takes_constants},
    {"Flatten", translate_flatten},
    {"Gemm", translate_gemm},
    {"Identity", translate_identity, takes_constants},
    {"MatMul", translate_matmul},
    {"Max", translate_max},
    {"Min", translate_min},
    {"Mul", translate_mul},
    {"Neg", translate_neg},
    {"Relu", translate_relu},
    {"Reshape", translate_reshape},
    {"Shape", translate_shape, takes_constants},
    {"Sign", translate_sign},
    {"Squeeze", translate_squeeze},
    {"Sub", translate_sub},
    {"Sum", translate_sum},
    {"Unsqueeze", translate_unsqueeze},
};

}  // namespace

std::span<const Operator> operators() { return table; }

}  // namespace wmi::frontends::onnx
