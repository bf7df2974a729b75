#include "tests/encoders/window_cases.h"

#include <algorithm>

#include "tests/encoders/random_values.h"

namespace wmi::encoders {
namespace {

/// Planes with a border of `padding` above and on the left, and of `end` below and on the right;
/// `is_border` says where.
struct Padded {
  std::size_t channels, height, width;
  std::vector<Rational> entries;
  std::vector<bool> is_border;

  Padded(const Tensor<Rational>& x, const std::vector<std::size_t>& padding,
         const std::vector<std::size_t>& end)
      : channels(x.shape[0]),
        height(x.shape[1] + padding[0] + end[0]),
        width(x.shape[2] + padding[1] + end[1]) {
    entries.resize(channels * height * width, 0);
    is_border.resize(entries.size(), true);
    std::size_t next = 0;
    for (std::size_t c = 0; c < channels; ++c)
      for (std::size_t i = 0; i < x.shape[1]; ++i)
        for (std::size_t j = 0; j < x.shape[2]; ++j) {
          const std::size_t at = index(c, i + padding[0], j + padding[1]);
          entries[at] = x.entries[next++];
          is_border[at] = false;
        }
  }
  std::size_t index(std::size_t c, std::size_t i, std::size_t j) const {
    return (c * height + i) * width + j;
  }
};

}  // namespace

LayerCase convolution_case(std::mt19937& random) {
  const std::size_t groups = between(random, 1, 3);
  const std::size_t in = coin(random) ? 1 : between(random, 1, 2);  // 1: as many groups as channels
  const std::size_t out = groups * between(random, 1, 2);
  const std::vector<std::size_t> kernel{between(random, 1, 3), between(random, 1, 3)};
  const std::vector<std::size_t> padding{between(random, 0, 2), between(random, 0, 2)};
  const std::vector<std::size_t> end =
      coin(random) ? padding : std::vector{between(random, 0, 2), between(random, 0, 2)};
  const std::vector<std::size_t> stride{between(random, 1, 4), between(random, 1, 4)};
  const std::vector<std::size_t> dilation =
      coin(random) ? std::vector<std::size_t>{1, 1}
                   : std::vector{between(random, 1, 2), between(random, 1, 2)};
  const std::size_t high = dilation[0] * (kernel[0] - 1) + 1,
                    wide = dilation[1] * (kernel[1] - 1) + 1;
  const bool whole = coin(random);  // the kernel is all of the input
  const Shape shape{groups * in, whole ? high : high + between(random, 0, 2),
                    whole ? wide : wide + between(random, 0, 2)};
  LayerCase result;
  result.inputs = {some_tensor(shape, random)};
  const Tensor<Rational> weight = some_tensor({out, in, kernel[0], kernel[1]}, random);
  const Tensor<Rational> bias = some_tensor({out}, random);
  const bool has_bias = coin(random);
  result.parameters["weight"] = weight;
  if (has_bias) result.parameters["bias"] = bias;
  if (stride != std::vector<std::size_t>{1, 1}) result.attributes["stride"] = pair(stride);
  if (padding != std::vector<std::size_t>{0, 0}) result.attributes["padding"] = pair(padding);
  if (end != padding) result.attributes["padding_end"] = pair(end);
  if (dilation != std::vector<std::size_t>{1, 1}) result.attributes["dilation"] = pair(dilation);
  if (groups > 1) result.attributes["groups"] = number_of(groups);

  const Padded padded(result.inputs[0], padding, end);
  for (std::size_t o = 0; o < out; ++o) {
    const std::size_t first = o / (out / groups) * in;
    for (std::size_t top = 0; top + high <= padded.height; top += stride[0])
      for (std::size_t left = 0; left + wide <= padded.width; left += stride[1]) {
        Rational sum = has_bias ? bias.entries[o] : Rational(0);
        for (std::size_t c = 0; c < in; ++c)
          for (std::size_t i = 0; i < kernel[0]; ++i)
            for (std::size_t j = 0; j < kernel[1]; ++j)
              sum += weight.entries[((o * in + c) * kernel[0] + i) * kernel[1] + j] *
                     padded.entries[padded.index(first + c, top + dilation[0] * i,
                                                 left + dilation[1] * j)];
        result.expected.entries.push_back(sum);
      }
  }
  result.expected.shape = {out, (padded.height - high) / stride[0] + 1,
                           (padded.width - wide) / stride[1] + 1};
  return result;
}

LayerCase pooling_case(std::mt19937& random, bool average) {
  const std::vector<std::size_t> kernel{between(random, 1, 3), between(random, 1, 3)};
  const std::vector<std::size_t> padding{between(random, 0, kernel[0] / 2),
                                         between(random, 0, kernel[1] / 2)};
  const std::vector<std::size_t> end =
      coin(random)
          ? padding
          : std::vector{between(random, 0, kernel[0] / 2), between(random, 0, kernel[1] / 2)};
  const bool ceil_mode = coin(random);
  const bool own_stride = coin(random);
  const std::vector<std::size_t> stride =
      own_stride ? std::vector{between(random, 1, 4), between(random, 1, 4)} : kernel;
  const bool whole = coin(random);
  const Shape shape{between(random, 1, 2), whole ? kernel[0] : kernel[0] + between(random, 0, 3),
                    whole ? kernel[1] : kernel[1] + between(random, 0, 3)};
  LayerCase result;
  result.inputs = {some_tensor(shape, random)};
  if (coin(random))  // all below 0: a padded 0 would win
    for (Rational& entry : result.inputs[0].entries) entry = -abs(entry) - 1;
  result.attributes["kernel"] = pair(kernel);
  if (own_stride) result.attributes["stride"] = pair(stride);
  if (padding != std::vector<std::size_t>{0, 0}) result.attributes["padding"] = pair(padding);
  if (end != padding) result.attributes["padding_end"] = pair(end);
  if (ceil_mode) result.attributes["ceil_mode"] = Rational(1);
  const bool count_padding = !average || coin(random);
  if (!count_padding) result.attributes["count_include_pad"] = Rational(0);

  const Padded padded(result.inputs[0], padding, end);
  // Where windows begin on an axis of this length: with ceil_mode the last may be cut off, if it
  // has an entry of the plane or of the padding before it.
  const auto starts = [&](std::size_t axis, std::size_t length) {
    std::vector<std::size_t> found;
    for (std::size_t at = 0; at < length; at += stride[axis]) {
      const bool complete = at + kernel[axis] <= length;
      const bool cut_off = ceil_mode && at > 0 && at - stride[axis] + kernel[axis] < length &&
                           at < shape[axis + 1] + padding[axis];
      if (complete || cut_off) found.push_back(at);
    }
    return found;
  };
  const std::vector<std::size_t> tops = starts(0, padded.height), lefts = starts(1, padded.width);
  for (std::size_t c = 0; c < shape[0]; ++c)
    for (const std::size_t top : tops)
      for (const std::size_t left : lefts) {
        Numbers seen;
        std::size_t with_padding = 0;
        for (std::size_t i = top; i < std::min(top + kernel[0], padded.height); ++i)
          for (std::size_t j = left; j < std::min(left + kernel[1], padded.width); ++j) {
            ++with_padding;
            if (const std::size_t at = padded.index(c, i, j); !padded.is_border[at])
              seen.push_back(padded.entries[at]);
          }
        if (average) {
          Rational sum = 0;
          for (const Rational& entry : seen) sum += entry;
          result.expected.entries.push_back(sum /
                                            number_of(count_padding ? with_padding : seen.size()));
        } else {
          result.expected.entries.push_back(*std::max_element(seen.begin(), seen.end()));
        }
      }
  result.expected.shape = {shape[0], tops.size(), lefts.size()};
  return result;
}

}  // namespace wmi::encoders
