// Products of matrices: one factor is a constant, the weights of a linear layer, which takes the
// last axis of its input.

#include <numeric>

#include "frontends/networks/onnx/operators.h"
#include "frontends/networks/onnx/operators/arithmetic.h"
#include "frontends/networks/onnx/operators/indices.h"
#include "solver/terms/error.h"

namespace wmi::frontends::onnx {
namespace {

using encoders::Shape;
using encoders::Tensor;
using encoders::to_string;

Tensor<Rational> transposed(const Tensor<Rational>& matrix) {
  Tensor<Rational> result({matrix.shape[1], matrix.shape[0]}, {});
  result.entries.reserve(matrix.size());
  for (const std::size_t entry : permuted(matrix.shape, {1, 0}))
    result.entries.push_back(matrix.entries[entry]);
  return result;
}

/// x with its last two axes exchanged.
Activation exchanged(Builder& builder, const std::string& name, const Activation& x) {
  std::vector<std::size_t> axes(x.shape.size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  std::swap(axes[axes.size() - 2], axes[axes.size() - 1]);
  Shape shape = x.shape;
  std::swap(shape[axes.size() - 2], shape[axes.size() - 1]);
  return builder.rearranged(name, x, permuted(x.shape, axes), shape);
}

/// Each row of x, [..., in], times `weight`, [out, in].
Activation linear(Builder& builder, const std::string& name, const Activation& x,
                  Tensor<Rational> weight) {
  Shape shape = x.shape;
  if (shape.empty() || weight.shape[1] != shape.back())
    throw Error("weights " + to_string(weight.shape) + " do not fit a value " + to_string(shape));
  shape.back() = weight.shape[0];
  const std::size_t rows = encoders::entry_count(x.shape) / weight.shape[1];
  const Shape inner = rows == 1 ? Shape{weight.shape[1]} : without_batch(x.shape);
  const Activation result = builder.add(name, encoders::Linear{}, {Builder::reshaped(x, inner)},
                                        {{"weight", std::move(weight)}});
  return Builder::reshaped(result, shape);
}

/// The constant as a matrix, without leading axes of length 1. A vector is a column if it stands on
/// the right, and a row on the left.
Tensor<Rational> as_matrix(const Constant& constant, bool right) {
  Tensor<Rational> result = constant.tensor;
  while (result.shape.size() > 2 && result.shape[0] == 1) result.shape.erase(result.shape.begin());
  if (result.shape.size() == 1)
    result.shape.insert(right ? result.shape.end() : result.shape.begin(), 1);
  if (result.shape.size() != 2 || result.size() == 0)
    throw Error("a product with a constant " + to_string(constant.tensor.shape) +
                ", where a matrix is supported only");
  return result;
}

const Error two_values(
    "multiplies two values that depend on the input of the network; products with constants are "
    "supported only");

/// x with as many axes as a constant factor: without it, leading axes of length 1 that the constant
/// alone has would be lost. Vectors are left alone, and what has no axes.
Activation with_axes_of(const Constant& factor, const Activation& x) {
  const std::size_t rank = factor.tensor.shape.size();
  if (rank < 3 || x.shape.size() >= rank || x.shape.empty()) return x;
  if (x.shape.size() == 1)
    throw Error("a product of a vector with a constant " + to_string(factor.tensor.shape) +
                ", where a matrix is supported only");
  Shape shape(rank - x.shape.size(), 1);
  shape.insert(shape.end(), x.shape.begin(), x.shape.end());
  return Builder::reshaped(x, shape);
}

/// x times a constant.
Activation times_constant(Call& call, const Activation& value, const Constant& factor) {
  const Activation x = with_axes_of(factor, value);
  Activation result =
      linear(call.builder(), call.name_by(factor), x, transposed(as_matrix(factor, true)));
  if (factor.tensor.shape.size() == 1) {
    Shape shape = result.shape;
    shape.pop_back();
    result = Builder::reshaped(result, shape);
  }
  return result;
}

/// A constant times x: its rows times the columns of x.
Activation constant_times(Call& call, const Constant& factor, const Activation& value) {
  if (value.shape.empty()) throw Error("a product with a value without axes");
  const Activation x = with_axes_of(factor, value);
  Tensor<Rational> weight = as_matrix(factor, false);
  const std::string name = call.name_by(factor);
  const bool row = factor.tensor.shape.size() == 1;
  if (x.shape.size() == 1 || x.shape.back() == 1) {  // one column
    Shape shape = x.shape;
    if (shape.size() > 1) shape.pop_back();
    Activation result =
        linear(call.builder(), name, Builder::reshaped(x, shape), std::move(weight));
    shape = result.shape;
    if (row) shape.pop_back();
    if (x.shape.size() > 1) shape.push_back(1);
    return Builder::reshaped(result, shape);
  }
  const Activation columns = exchanged(call.builder(), name + "_in", x);
  const Activation product = linear(call.builder(), name, columns, std::move(weight));
  Activation result = exchanged(call.builder(), name + "_out", product);
  if (row) {
    Shape shape = result.shape;
    shape.erase(shape.end() - 2);
    result = Builder::reshaped(result, shape);
  }
  return result;
}

}  // namespace

std::vector<Value> translate_matmul(Call& call) {
  if (const Constant* const right = call.constant_if(1))
    return {times_constant(call, call.activation(0), *right)};
  if (const Constant* const left = call.constant_if(0))
    return {constant_times(call, *left, call.activation(1))};
  throw two_values;
}

// alpha A B + beta C, where A and B are transposed on demand.
std::vector<Value> translate_gemm(Call& call) {
  const Rational alpha = call.real("alpha", 1), beta = call.real("beta", 1);
  const bool transposed_a = call.integer("transA", 0) != 0,
             transposed_b = call.integer("transB", 0) != 0;
  call.ignore({"broadcast"});
  if (call.shape(0).size() != 2 || call.shape(1).size() != 2)
    throw Error("takes two matrices, not " + to_string(call.shape(0)) + " and " +
                to_string(call.shape(1)));
  const auto scaled = [&](const Constant& factor, bool transposing) {
    Constant result = factor;
    if (transposing) result.tensor = transposed(factor.tensor);
    if (alpha != 1)
      for (Rational& entry : result.tensor.entries) entry *= alpha;
    return result;
  };
  const auto value = [&](std::size_t i, bool transposing) {
    const Activation x = call.activation(i);
    return transposing ? exchanged(call.builder(), call.name() + "_in", x) : x;
  };
  Activation product;
  if (const Constant* const right = call.constant_if(1))
    product = times_constant(call, value(0, transposed_a), scaled(*right, transposed_b));
  else if (const Constant* const left = call.constant_if(0))
    product = constant_times(call, scaled(*left, transposed_a), value(1, transposed_b));
  else
    throw two_values;

  if (!call.has(2) || beta == 0) return {product};
  if (call.constant_if(2) == nullptr) {
    const Activation sum = multiply_constant(call.builder(), call.name() + "_scaled",
                                             call.activation(2), Tensor<Rational>({}, {beta}));
    return {combine(call.builder(), call.name(), encoders::Add{}, {product, sum})};
  }
  Constant bias = call.constant(2);
  for (Rational& entry : bias.tensor.entries) entry *= beta;
  if (call.builder().add_bias(product, bias)) return {product};
  return {add_constant(call.builder(), call.name(), product, bias.tensor)};
}

}  // namespace wmi::frontends::onnx
