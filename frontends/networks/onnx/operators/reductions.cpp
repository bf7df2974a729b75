// Means, sums and extremes over some axes: these become the last, and one pooling window.

#include <algorithm>
#include <numeric>

#include "frontends/networks/onnx/operators.h"
#include "frontends/networks/onnx/operators/arithmetic.h"
#include "frontends/networks/onnx/operators/indices.h"
#include "solver/terms/error.h"

namespace wmi::frontends::onnx {
namespace {

using encoders::Shape;
using encoders::Tensor;

enum class Kind { mean, sum, greatest, least };

Activation reduce(const Call& call, const std::vector<std::size_t>& axes, bool keep, Kind kind) {
  Builder& builder = call.builder();
  const std::string name = call.name();
  Activation x = call.activation(0);
  Shape shape, kept;
  std::vector<std::size_t> order;
  for (std::size_t axis = 0; axis < x.shape.size(); ++axis) {
    const bool reduced = std::ranges::binary_search(axes, axis);
    if (!reduced) order.push_back(axis);
    if (!reduced) kept.push_back(x.shape[axis]);
    if (!reduced || keep) shape.push_back(reduced ? 1 : x.shape[axis]);
  }
  order.insert(order.end(), axes.begin(), axes.end());
  const std::size_t rows = encoders::entry_count(kept),
                    columns = encoders::entry_count(x.shape) / rows;
  if (columns == 1) return Builder::reshaped(x, shape);
  if (kind == Kind::least) x = negate(builder, name + "_in", x);
  const Activation planes =
      builder.rearranged(name + "_window", x, permuted(x.shape, order), {rows, 1, columns});
  const encoders::Pooling window{{1, columns}, {{1, columns}, {0, 0}, {0, 0}, {1, 1}}};
  const bool average = kind == Kind::mean || kind == Kind::sum;
  const bool last = kind == Kind::mean || kind == Kind::greatest;
  const Activation pooled = builder.add(last ? name : name + "_pool",
                                        average ? encoders::Layer(encoders::AvgPool{window, true})
                                                : encoders::Layer(encoders::MaxPool{window}),
                                        {planes});
  Activation result = Builder::reshaped(pooled, shape);
  if (kind == Kind::sum)
    return multiply_constant(builder, name, result, Tensor<Rational>({}, {Integer(columns)}));
  return kind == Kind::least ? negate(builder, name, result) : result;
}

/// Over the axes of an attribute, or of input 1 from the given version on; without any, over all.
std::vector<Value> reduce_axes(Call& call, std::int64_t as_input, Kind kind) {
  const std::size_t rank = call.shape(0).size();
  std::optional<std::vector<std::int64_t>> given;
  if (call.opset() < as_input)
    given = call.integers("axes");
  else if (call.has(1))
    given = call.input_integers(1);
  const bool keep = call.integer("keepdims", 1) != 0;
  const bool nothing = call.integer("noop_with_empty_axes", 0) != 0;
  const bool all = !given || given->empty();
  if (all && nothing) return {call.value(0)};
  std::vector<std::size_t> axes(rank);
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  return {reduce(call, all ? axes : axes_of(*given, rank), keep, kind)};
}

/// Over all axes after the channels.
std::vector<Value> reduce_planes(Call& call, Kind kind) {
  const std::size_t rank = call.shape(0).size();
  if (rank < 3)
    throw Error("a value " + encoders::to_string(call.shape(0)) +
                " has no axes after the channels");
  std::vector<std::size_t> axes(rank - 2);
  std::iota(axes.begin(), axes.end(), std::size_t{2});
  return {reduce(call, axes, true, kind)};
}

}  // namespace

std::vector<Value> translate_global_average_pool(Call& call) {
  return reduce_planes(call, Kind::mean);
}
std::vector<Value> translate_global_max_pool(Call& call) {
  return reduce_planes(call, Kind::greatest);
}
std::vector<Value> translate_reduce_mean(Call& call) { return reduce_axes(call, 18, Kind::mean); }
std::vector<Value> translate_reduce_sum(Call& call) { return reduce_axes(call, 13, Kind::sum); }
std::vector<Value> translate_reduce_max(Call& call) {
  return reduce_axes(call, 18, Kind::greatest);
}
std::vector<Value> translate_reduce_min(Call& call) { return reduce_axes(call, 18, Kind::least); }

}  // namespace wmi::frontends::onnx
