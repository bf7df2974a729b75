// Operators whose output has entries of their inputs, in another order.

#include <algorithm>
#include <numeric>

#include "frontends/networks/onnx/operators.h"
#include "frontends/networks/onnx/operators/arithmetic.h"
#include "frontends/networks/onnx/operators/indices.h"
#include "frontends/networks/onnx/operators/padding.h"
#include "solver/terms/caps.h"
#include "solver/terms/error.h"

namespace wmi::frontends::onnx {
namespace {

using encoders::Shape;
using encoders::to_string;

/// The entries of x at these places of an axis.
Activation take(const Call& call, const std::string& name, const Activation& x, std::size_t axis,
                const std::vector<std::size_t>& places) {
  Shape shape = x.shape;
  shape[axis] = places.size();
  const std::vector<std::size_t> strides = strides_of(x.shape);
  const auto entry = [&](const std::vector<std::size_t>& index) {
    std::size_t result = 0;
    for (std::size_t i = 0; i < index.size(); ++i)
      result += (i == axis ? places[index[i]] : index[i]) * strides[i];
    return result;
  };
  return call.builder().rearranged(name, x, entries_of(shape, entry), shape);
}

/// The places start, start + step, ... before `end` of an axis, counted from its end if negative.
std::vector<std::size_t> places(std::int64_t start, std::int64_t end, std::int64_t step,
                                std::size_t length) {
  const auto n = static_cast<std::int64_t>(length);
  if (step == 0) throw Error("a step of 0");
  const auto bounded = [&](std::int64_t place, std::int64_t low, std::int64_t high) {
    return std::clamp(place < 0 && place >= -n ? place + n : place < 0 ? low : place, low, high);
  };
  const std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
  std::vector<std::size_t> result;
  const std::int64_t stop = bounded(end, low, high);
  step = std::clamp(step, -n - 1, n + 1);
  for (std::int64_t at = bounded(start, 0, high); step > 0 ? at < stop : at > stop; at += step)
    result.push_back(static_cast<std::size_t>(at));
  return result;
}

}  // namespace

std::vector<Value> translate_transpose(Call& call) {
  const Activation x = call.activation(0);
  std::vector<std::size_t> axes(x.shape.size());
  std::iota(axes.rbegin(), axes.rend(), std::size_t{0});
  if (const auto given = call.integers("perm")) {
    if (axes_of(*given, axes.size()).size() != axes.size())
      throw Error("attribute 'perm' must have all axes");
    for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = axis_of((*given)[i], axes.size());
  }
  Shape shape;
  for (const std::size_t axis : axes) shape.push_back(x.shape[axis]);
  return {call.builder().rearranged(call.name(), x, permuted(x.shape, axes), shape)};
}

std::vector<Value> translate_concat(Call& call) {
  const std::int64_t given = call.opset() < 4 ? call.integer("axis", 1) : call.integer("axis");
  Shape shape = call.shape(0);
  const std::size_t axis = axis_of(given, shape.size());
  std::vector<Activation> parts;
  shape[axis] = 0;
  for (std::size_t i = 0; i < call.input_count(); ++i) {
    Shape mine = call.shape(i);
    if (mine.size() != shape.size())
      throw Error("cannot join " + to_string(mine) + " to " + to_string(call.shape(0)));
    if (mine[axis] == 0) continue;
    parts.push_back(call.activation(i));
    shape[axis] += mine[axis];
    mine[axis] = shape[axis];
    if (mine != shape)
      throw Error("cannot join " + to_string(call.shape(i)) + " to " + to_string(call.shape(0)));
  }
  if (allowed_count(shape) > wmi::caps::seen / std::max<std::size_t>(1, parts.size()))
    throw Error("joins too many values");
  if (parts.size() == 1) return {parts[0]};
  if (parts.empty()) throw Error("has no entries");
  // The layer sees no batch; where the batch itself grows, it sees vectors.
  const bool batch = shape.size() == 1 || axis == 0 || shape[0] != 1;
  for (Activation& part : parts) {
    std::size_t outer = 1;
    for (std::size_t i = 0; i < axis; ++i) outer *= part.shape[i];
    const std::size_t block = encoders::entry_count(part.shape) / outer;
    part = Builder::reshaped(part, !batch       ? without_batch(part.shape)
                                   : outer == 1 ? Shape{block}
                                                : Shape{outer, block});
  }
  const std::size_t inner_axis = !batch ? axis - 1 : parts[0].shape.size() - 1;
  return {Builder::reshaped(
      call.builder().add(call.name(), encoders::Concatenate{inner_axis}, parts), shape)};
}

std::vector<Value> translate_split(Call& call) {
  const Activation x = call.activation(0);
  const std::size_t axis = axis_of(call.integer("axis", 0), x.shape.size()), length = x.shape[axis],
                    count = call.node().outputs.size();
  std::vector<std::int64_t> sizes;
  if (call.opset() < 13 && call.has_attribute("split")) {
    sizes = *call.integers("split");
  } else if (call.has(1)) {
    sizes = call.input_integers(1);
  } else {
    if (call.opset() >= 18 && call.integer("num_outputs") != static_cast<std::int64_t>(count))
      throw Error("attribute 'num_outputs' is not the number of its outputs");
    const std::size_t size = (length + count - 1) / count;
    for (std::size_t left = length; sizes.size() < count; left -= std::min(left, size))
      sizes.push_back(static_cast<std::int64_t>(std::min(left, size)));
  }
  if (sizes.size() != count) throw Error("has not as many outputs as parts");
  std::vector<Value> result;
  std::size_t begin = 0;
  for (const std::int64_t size : sizes) {
    if (size < 1 || static_cast<std::size_t>(size) > length - begin)
      throw Error("cannot cut an axis of length " + std::to_string(length) + " this way");
    std::vector<std::size_t> part(static_cast<std::size_t>(size));
    std::iota(part.begin(), part.end(), begin);
    begin += part.size();
    result.emplace_back(
        take(call, layer_name(call.node().outputs[result.size()], call.name()), x, axis, part));
  }
  if (begin != length)
    throw Error("cannot cut an axis of length " + std::to_string(length) + " this way");
  return result;
}

std::vector<Value> translate_slice(Call& call) {
  Activation x = call.activation(0);
  std::vector<std::int64_t> starts, ends;
  std::optional<std::vector<std::int64_t>> axes, steps;
  if (call.opset() < 10) {
    starts = call.integers("starts").value_or(starts);
    ends = call.integers("ends").value_or(ends);
    axes = call.integers("axes");
  } else {
    starts = call.input_integers(1);
    ends = call.input_integers(2);
    if (call.has(3)) axes = call.input_integers(3);
    if (call.has(4)) steps = call.input_integers(4);
  }
  const std::size_t count = starts.size();
  if (ends.size() != count || (axes && axes->size() != count) || (steps && steps->size() != count))
    throw Error("its starts, ends, axes and steps are not equally many");
  if (axes)
    axes_of(*axes, x.shape.size());
  else if (count > x.shape.size())
    throw Error("has more starts than a value " + to_string(x.shape) + " has axes");
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t axis = axes ? axis_of((*axes)[i], x.shape.size()) : i;
    const std::vector<std::size_t> kept =
        places(starts[i], ends[i], steps ? (*steps)[i] : 1, x.shape[axis]);
    if (kept.empty()) throw Error("has no entries");
    x = take(call, call.name(), x, axis, kept);
  }
  return {x};
}

std::vector<Value> translate_gather(Call& call) {
  const Activation x = call.activation(0);
  const std::size_t axis = axis_of(call.integer("axis", 0), x.shape.size());
  std::vector<std::size_t> places;
  const auto length = static_cast<std::int64_t>(x.shape[axis]);
  for (const std::int64_t index : call.input_integers(1)) {
    if (index < -length || index >= length)
      throw Error("an axis of length " + std::to_string(length) + " has no place " +
                  std::to_string(index));
    places.push_back(static_cast<std::size_t>(index < 0 ? index + length : index));
  }
  if (places.empty()) throw Error("has no entries");
  const Activation taken = take(call, call.name(), x, axis, places);
  Shape shape(x.shape.begin(), x.shape.begin() + static_cast<std::ptrdiff_t>(axis));
  shape.insert(shape.end(), call.shape(1).begin(), call.shape(1).end());
  shape.insert(shape.end(), x.shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, x.shape.end());
  return {Builder::reshaped(taken, shape)};
}

std::vector<Value> translate_pad(Call& call) {
  const Activation x = call.activation(0);
  const std::size_t rank = x.shape.size();
  std::vector<std::int64_t> pads;
  Rational fill = 0;
  if (call.opset() < 11) {
    pads = call.integers(call.opset() < 2 ? "paddings" : "pads")
               .value_or(std::vector<std::int64_t>(2 * rank, 0));
    fill = call.real("value", 0);
  } else {
    pads = call.input_integers(1);
    if (call.has(2)) fill = call.input_number(2);
  }
  std::vector<std::size_t> axes(rank);
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  if (call.has(3)) {
    const std::vector<std::int64_t> given = call.input_integers(3);
    axes_of(given, rank);
    axes.clear();
    for (const std::int64_t axis : given) axes.push_back(axis_of(axis, rank));
  }
  if (pads.size() != 2 * axes.size())
    throw Error("has " + std::to_string(pads.size()) + " paddings for " +
                std::to_string(axes.size()) + " axes");
  const std::string mode_name = call.word("mode", "constant");
  const PaddingMode mode = find_padding_mode(mode_name);
  if ((mode_name == "reflect" || mode_name == "wrap") &&
      std::ranges::any_of(pads, [](std::int64_t pad) { return pad < 0; }))
    throw Error("a negative padding is not supported with the mode " + mode_name);
  std::vector<Padding> paddings(rank);
  for (std::size_t i = 0; i < axes.size(); ++i)
    paddings[axes[i]] = {pads[i], pads[axes.size() + i]};
  Shape shape;
  for (std::size_t axis = 0; axis < rank; ++axis)
    shape.push_back(padded_length(x.shape[axis], paddings[axis]));
  allowed_count(shape);
  std::vector<std::vector<std::size_t>> places;
  for (std::size_t axis = 0; axis < rank; ++axis)
    places.push_back(padded_places(mode, x.shape[axis], paddings[axis]));

  const std::vector<std::size_t> strides = strides_of(x.shape);
  const auto entry = [&](const std::vector<std::size_t>& index) {
    std::size_t result = 0;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      const std::size_t place = places[axis][index[axis]];
      if (place == encoders::nothing) return encoders::nothing;
      result += place * strides[axis];
    }
    return result;
  };
  return {call.builder().rearranged(call.name(), x, entries_of(shape, entry), shape, fill)};
}

std::vector<Value> translate_expand(Call& call) {
  Shape wanted;
  for (const std::int64_t length : call.input_integers(1)) {
    if (length < 1) throw Error("an axis of length " + std::to_string(length));
    wanted.push_back(static_cast<std::size_t>(length));
  }
  const Activation x = call.activation(0);
  const Shape shape = common_shape(x.shape, wanted);
  return {broadcast(call.builder(), call.name(), x, shape)};
}

}  // namespace wmi::frontends::onnx
