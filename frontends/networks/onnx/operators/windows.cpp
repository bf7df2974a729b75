// Convolutions and pooling, over one or two axes: the layers have two, and of one axis the first
// has length 1.

#include <algorithm>

#include "frontends/networks/onnx/operators.h"
#include "frontends/networks/onnx/operators/indices.h"
#include "solver/terms/caps.h"
#include "solver/terms/error.h"

namespace wmi::frontends::onnx {
namespace {

using encoders::Shape;
using encoders::Sliding;
using encoders::Tensor;
using encoders::to_string;

/// A list with an entry for each axis, and 1 or `first` in front where there is one axis only.
std::vector<std::size_t> two_axes(const std::vector<std::size_t>& list, std::size_t first) {
  return list.size() == 1 ? std::vector{first, list[0]} : list;
}

/// An attribute with a number from `least` on for each axis.
std::vector<std::size_t> read_list(Call& call, std::string_view name, std::size_t count,
                                   std::int64_t least, std::size_t otherwise) {
  const std::optional<std::vector<std::int64_t>> found = call.integers(name);
  if (!found) return std::vector<std::size_t>(count, otherwise);
  std::vector<std::size_t> result;
  for (const std::int64_t number : *found) {
    if (number < least || number > 1'000'000'000)
      throw Error("attribute '" + std::string(name) + "' must not have the number " +
                  std::to_string(number));
    result.push_back(static_cast<std::size_t>(number));
  }
  if (result.size() != count)
    throw Error("attribute '" + std::string(name) + "' must have " + std::to_string(count) +
                " numbers");
  return result;
}

/// The value as [channels, height, width].
Activation as_planes(const Activation& x) {
  const Shape& shape = x.shape;
  if (shape.size() != 3 && shape.size() != 4)
    throw Error("a value " + to_string(shape) + ", where one or two axes after the channels are " +
                "supported only");
  if (shape[0] != 1)
    throw Error("a value " + to_string(shape) + " with a batch of " + std::to_string(shape[0]) +
                "; batches of 1 are supported only");
  return Builder::reshaped(x, {shape[1], shape.size() == 3 ? 1 : shape[2], shape.back()});
}

/// The planes as ONNX sees them again.
Activation with_batch(const Activation& planes, std::size_t rank) {
  const Shape& shape = planes.shape;
  return Builder::reshaped(
      planes, rank == 3 ? Shape{1, shape[0], shape[2]} : Shape{1, shape[0], shape[1], shape[2]});
}

/// Stride, dilation and padding for windows of this size on planes of these lengths.
Sliding read_sliding(Call& call, const std::vector<std::size_t>& lengths,
                     const std::vector<std::size_t>& kernel) {
  const std::size_t axes = lengths.size();
  const std::vector<std::size_t> stride = read_list(call, "strides", axes, 1, 1),
                                 dilation = read_list(call, "dilations", axes, 1, 1),
                                 pads = read_list(call, "pads", 2 * axes, 0, 0);
  std::vector<std::size_t> begin(axes), end(axes);
  const std::string automatic = call.word("auto_pad", "NOTSET");
  const bool same = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
  if (!same && automatic != "NOTSET" && automatic != "VALID")
    throw Error("attribute 'auto_pad' must not be '" + automatic + "'");
  for (std::size_t axis = 0; axis < axes; ++axis) {
    if (automatic == "NOTSET") {
      begin[axis] = pads[axis];
      end[axis] = pads[axes + axis];
    } else if (same) {  // as many windows as the stride needs to pass the axis
      const std::size_t last = (lengths[axis] + stride[axis] - 1) / stride[axis] - 1,
                        needed = last * stride[axis] + dilation[axis] * (kernel[axis] - 1) + 1,
                        padding = needed > lengths[axis] ? needed - lengths[axis] : 0;
      begin[axis] = automatic == "SAME_UPPER" ? padding / 2 : padding - padding / 2;
      end[axis] = padding - begin[axis];
    }
  }
  return {two_axes(stride, 1), two_axes(begin, 0), two_axes(end, 0), two_axes(dilation, 1)};
}

std::vector<std::size_t> lengths_of(const Activation& x) {
  return {x.shape.begin() + std::min<std::ptrdiff_t>(2, std::ssize(x.shape)), x.shape.end()};
}

/// The weights of a convolution, with two axes after the channels.
Tensor<Rational> read_filters(Call& call, const Activation& x) {
  Tensor<Rational> result = call.constant(1).tensor;
  const Shape& shape = result.shape;
  if (shape.size() != x.shape.size() || result.size() == 0)
    throw Error("weights " + to_string(shape) + " do not fit a value " + to_string(x.shape));
  const std::vector<std::size_t> kernel(shape.begin() + 2, shape.end());
  if (const auto given = call.integers("kernel_shape");
      given && !std::ranges::equal(*given, kernel, {}, {}, [](std::size_t length) {
        return static_cast<std::int64_t>(length);
      }))
    throw Error("attribute 'kernel_shape' is not that of the weights " + to_string(shape));
  if (shape.size() == 3) result.shape.insert(result.shape.begin() + 2, 1);
  return result;
}

std::size_t read_group(Call& call) {
  const std::int64_t result = call.integer("group", 1);
  if (result < 1 || result > 1'000'000'000)
    throw Error("attribute 'group' must not be " + std::to_string(result));
  return static_cast<std::size_t>(result);
}

/// A convolution with the bias of input 2, if there is one.
Activation convolve(const Call& call, const Activation& planes, encoders::Conv2d layer,
                    Tensor<Rational> filters) {
  // What the layer lists: the entries that all windows see, and for each group those of the output.
  const std::size_t channels = filters.shape[1], outputs = filters.shape[0];
  const encoders::Windows windows(planes.shape, {filters.shape[2], filters.shape[3]},
                                  layer.sliding);
  const std::size_t seen = windows.count() * windows.taps();
  if (seen > wmi::caps::seen / channels ||
      windows.count() > wmi::caps::seen / outputs / layer.groups)
    throw Error("is too large: its windows see more than " + std::to_string(wmi::caps::seen) +
                " entries, the cap 'seen'");
  Builder::Tensors tensors{{"weight", std::move(filters)}};
  if (call.has(2)) tensors.emplace("bias", call.constant(2).tensor);
  return call.builder().add(call.name_by(call.constant(1)), std::move(layer), {planes},
                            std::move(tensors));
}

struct Pool {
  Activation planes;
  encoders::Pooling pooling;
};

Pool read_pool(Call& call) {
  const Activation x = call.activation(0);
  const Activation planes = as_planes(x);
  const std::vector<std::size_t> lengths = lengths_of(x);
  if (!call.has_attribute("kernel_shape")) throw Error("attribute 'kernel_shape' is missing");
  const std::vector<std::size_t> kernel = read_list(call, "kernel_shape", lengths.size(), 1, 1);
  Pool result{planes, {two_axes(kernel, 1), read_sliding(call, lengths, kernel)}};
  result.pooling.sliding.ceil_mode = call.integer("ceil_mode", 0) != 0;
  // Programs disagree on whether such a padding counts the gaps.
  if (call.word("auto_pad", "NOTSET").starts_with("SAME") &&
      result.pooling.sliding.dilation != std::vector<std::size_t>{1, 1})
    throw Error("attribute 'auto_pad' with 'dilations' is not supported; 'pads' are");
  for (std::size_t axis = 0; axis < 2; ++axis)
    if (std::max(result.pooling.sliding.padding[axis], result.pooling.sliding.padding_end[axis]) >
        result.pooling.kernel[axis] / 2)
      throw Error("padding of more than half of a window is not supported");
  return result;
}

}  // namespace

std::vector<Value> translate_conv(Call& call) {
  const Activation x = call.activation(0);
  const Activation planes = as_planes(x);
  Tensor<Rational> filters = read_filters(call, x);
  const std::vector<std::size_t> kernel(call.shape(1).begin() + 2, call.shape(1).end());
  const encoders::Conv2d layer{read_sliding(call, lengths_of(x), kernel), read_group(call)};
  return {with_batch(convolve(call, planes, layer, std::move(filters)), x.shape.size())};
}

// The transpose of a convolution is one with stride 1 of the planes with zeros between their
// entries, and of the filters turned around.
std::vector<Value> translate_conv_transpose(Call& call) {
  const Activation x = call.activation(0);
  const Activation planes = as_planes(x);
  const std::size_t rank = x.shape.size(), groups = read_group(call);
  const Tensor<Rational> filters = read_filters(call, x);  // [in, out / groups, height, width]
  if (call.has_attribute("output_shape"))
    throw Error("attribute 'output_shape' is not supported; 'pads' are");
  if (call.word("auto_pad", "NOTSET").starts_with("SAME"))
    throw Error("attribute 'auto_pad' is not supported; 'pads' are");
  const Sliding given =
      read_sliding(call, lengths_of(x), {call.shape(1).begin() + 2, call.shape(1).end()});
  const std::vector<std::size_t> more =
      two_axes(read_list(call, "output_padding", rank - 2, 0, 0), 0);
  const std::size_t in = filters.shape[0], out = filters.shape[1], height = filters.shape[2],
                    width = filters.shape[3];
  if (in != planes.shape[0] || in % groups != 0)
    throw Error("weights " + to_string(call.shape(1)) + " do not fit a value " +
                to_string(x.shape));

  Shape spaced = planes.shape;
  std::ptrdiff_t before[2];
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const auto reach =
        static_cast<std::ptrdiff_t>(given.dilation[axis] * (filters.shape[2 + axis] - 1));
    before[axis] = reach - static_cast<std::ptrdiff_t>(given.padding[axis]);
    const std::ptrdiff_t length =
        static_cast<std::ptrdiff_t>((planes.shape[axis + 1] - 1) * given.stride[axis] + 1 +
                                    more[axis]) +
        before[axis] + reach - static_cast<std::ptrdiff_t>(given.padding_end[axis]);
    if (length <= reach) throw Error("has no output: it is all padding");
    spaced[axis + 1] = static_cast<std::size_t>(length);
  }
  const auto entry = [&](const std::vector<std::size_t>& index) {
    std::size_t place[2];
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(index[axis + 1]) - before[axis];
      if (at < 0 || static_cast<std::size_t>(at) % given.stride[axis] != 0 ||
          static_cast<std::size_t>(at) / given.stride[axis] >= planes.shape[axis + 1])
        return encoders::nothing;
      place[axis] = static_cast<std::size_t>(at) / given.stride[axis];
    }
    return (index[0] * planes.shape[1] + place[0]) * planes.shape[2] + place[1];
  };
  const Activation wide =
      call.builder().rearranged(call.name() + "_in", planes, entries_of(spaced, entry), spaced);

  const std::size_t per_group = in / groups;
  Tensor<Rational> turned({groups * out, per_group, height, width}, {});
  turned.entries.reserve(filters.size());
  for (const std::size_t from : entries_of(turned.shape, [&](const auto& index) {
         const std::size_t channel = index[0] / out * per_group + index[1];
         return ((channel * out + index[0] % out) * height + height - 1 - index[2]) * width +
                width - 1 - index[3];
       }))
    turned.entries.push_back(filters.entries[from]);
  const encoders::Conv2d layer{{{1, 1}, {0, 0}, {0, 0}, given.dilation}, groups};
  return {with_batch(convolve(call, wide, layer, std::move(turned)), rank)};
}

std::vector<Value> translate_max_pool(Call& call) {
  call.ignore({"storage_order"});
  const Pool pool = read_pool(call);
  return {
      with_batch(call.builder().add(call.name(), encoders::MaxPool{pool.pooling}, {pool.planes}),
                 call.shape(0).size())};
}

std::vector<Value> translate_average_pool(Call& call) {
  const bool count_padding = call.integer("count_include_pad", 0) != 0;
  const Pool pool = read_pool(call);
  return {with_batch(call.builder().add(call.name(), encoders::AvgPool{pool.pooling, count_padding},
                                        {pool.planes}),
                     call.shape(0).size())};
}

}  // namespace wmi::frontends::onnx
