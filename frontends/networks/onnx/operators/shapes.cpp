// Operators that change the shape of a value and keep its entries, which adds no layers.

#include <algorithm>
#include <functional>
#include <numeric>

#include "frontends/networks/onnx/operators.h"
#include "solver/terms/error.h"

namespace wmi::frontends::onnx {
namespace {

using encoders::Shape;
using encoders::to_string;

std::vector<Value> reshaped(const Call& call, Shape shape) {
  return {Builder::reshaped(call.activation(0), std::move(shape))};
}

/// The axes of an operator that has them as an attribute before version 13, and then as input 1.
std::optional<std::vector<std::int64_t>> read_axes(Call& call) {
  if (call.opset() < 13) return call.integers("axes");
  return call.has(1) ? std::optional(call.input_integers(1)) : std::nullopt;
}

std::size_t product(const Shape& shape, std::size_t from, std::size_t to) {
  return std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(from),
                         shape.begin() + static_cast<std::ptrdiff_t>(to), std::size_t{1},
                         std::multiplies<>());
}

/// The value itself, whether it is a constant or not.
std::vector<Value> unchanged(const Call& call) { return {call.value(0)}; }

}  // namespace

std::vector<Value> translate_flatten(Call& call) {
  const Shape& shape = call.shape(0);
  const std::int64_t axis = call.integer("axis", 1);
  const std::size_t split =
      axis == static_cast<std::int64_t>(shape.size()) ? shape.size() : axis_of(axis, shape.size());
  return reshaped(call, {product(shape, 0, split), product(shape, split, shape.size())});
}

// In the new shape, 0 is the length of the old axis (unless `allowzero` is set) and -1 the length
// that the entries need.
std::vector<Value> translate_reshape(Call& call) {
  std::vector<std::int64_t> wanted;
  if (call.opset() < 5) {
    call.ignore({"consumed_inputs"});
    wanted = call.integers("shape").value_or(std::vector<std::int64_t>{});
  } else {
    wanted = call.input_integers(1);
  }
  const bool keep_zero = call.integer("allowzero", 0) != 0;
  const Shape& from = call.shape(0);
  const Error bad("cannot give a value " + to_string(from) + " this shape");
  Shape shape;
  std::optional<std::size_t> open;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] < -1 || (wanted[i] == 0 && (keep_zero || i >= from.size())) ||
        (wanted[i] == -1 && open))
      throw bad;
    if (wanted[i] == -1) open = i;
    shape.push_back(wanted[i] > 0    ? static_cast<std::size_t>(wanted[i])
                    : wanted[i] == 0 ? from[i]
                                     : 1);
  }
  if (open) {
    const std::size_t count = encoders::entry_count(from), known = encoders::entry_count(shape);
    if (known == 0 || count % known != 0) throw bad;
    shape[*open] = count / known;
  }
  return reshaped(call, shape);
}

std::vector<Value> translate_squeeze(Call& call) {
  const Shape& from = call.shape(0);
  const std::optional<std::vector<std::int64_t>> given = read_axes(call);
  Shape shape;
  const std::vector<std::size_t> axes =
      given ? axes_of(*given, from.size()) : std::vector<std::size_t>{};
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    const bool named = std::ranges::binary_search(axes, axis);
    if (named && from[axis] != 1)
      throw Error("axis " + std::to_string(axis) + " of a value " + to_string(from) +
                  " has not length 1");
    if (!named && (given || from[axis] != 1)) shape.push_back(from[axis]);
  }
  return reshaped(call, shape);
}

std::vector<Value> translate_unsqueeze(Call& call) {
  const std::optional<std::vector<std::int64_t>> given = read_axes(call);
  if (!given) throw Error("has no axes");
  const Shape& from = call.shape(0);
  const std::vector<std::size_t> axes = axes_of(*given, from.size() + given->size());
  Shape shape;
  std::size_t next = 0;
  for (std::size_t axis = 0; axis < from.size() + axes.size(); ++axis)
    shape.push_back(std::ranges::binary_search(axes, axis) ? 1 : from[next++]);
  return reshaped(call, shape);
}

std::vector<Value> translate_identity(Call& call) { return unchanged(call); }

std::vector<Value> translate_dropout(Call& call) {
  call.ignore({"consumed_inputs", "ratio", "seed"});
  const bool training = call.opset() < 7 ? call.integer("is_test", 0) == 0
                        : call.has(2)    ? call.input_number(2) != 0
                                         : false;
  if (training && call.opset() >= 7)
    throw Error("drops entries at random; export the model for inference, after model.eval()");
  if (call.node().outputs.size() > 1 && !call.node().outputs[1].empty())
    return {call.value(0), Constant{ElementType::boolean,
                                    encoders::Tensor<Rational>::filled(call.shape(0), 1), ""}};
  return unchanged(call);
}

}  // namespace wmi::frontends::onnx
