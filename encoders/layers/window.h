#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// How a window slides over planes; two numbers are for height and width. Attributes: stride,
/// padding (above and on the left), padding_end (below and on the right; default: padding) and
/// dilation, the distance of the entries in a window (default: 1).
struct Sliding {
  std::vector<std::size_t> stride, padding, padding_end, dilation{1, 1};
  /// A last window may be cut off by the end, unless it would begin in the padding there.
  bool ceil_mode = false;

  static Sliding make(Attributes& attributes, const std::vector<std::size_t>& default_stride) {
    Sliding result{
        attributes.values().contains("stride") ? attributes.naturals("stride", 2) : default_stride,
        attributes.naturals("padding", 2, 0),
        {},
        attributes.naturals("dilation", 2, 1)};
    result.padding_end = attributes.values().contains("padding_end")
                             ? attributes.naturals("padding_end", 2)
                             : result.padding;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      if (result.stride[axis] == 0) throw Error("attribute 'stride' must be above 0");
      if (result.dilation[axis] == 0) throw Error("attribute 'dilation' must be above 0");
    }
    return result;
  }
  std::map<std::string, Attributes::Value, std::less<>> attributes() const {
    return {{"stride", attribute(stride)},
            {"padding", attribute(padding)},
            {"padding_end", attribute(padding_end)},
            {"dilation", attribute(dilation)}};
  }
};

/// The positions of a window that slides over the planes of [channels, height, width], and the
/// entries in it: `nothing` in the padding.
class Windows {
 public:
  /// Throws Error for a window that is too large, and for too many entries in all.
  Windows(const Shape& from, const std::vector<std::size_t>& size, Sliding sliding)
      : from_(from), size_(size), sliding_(std::move(sliding)) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const std::size_t end = from[axis + 1] + sliding_.padding[axis];
      room_[axis] = end + sliding_.padding_end[axis];
      const std::size_t reach =
          size[axis] == 0 ? 0 : sliding_.dilation[axis] * (size[axis] - 1) + 1;
      if (reach == 0 || reach > room_[axis])
        throw Error("a window " + to_string(size) + " does not fit an input " + to_string(from));
      const std::size_t stride = sliding_.stride[axis], left = room_[axis] - reach;
      steps_[axis] = left / stride + 1;
      if (sliding_.ceil_mode && left % stride != 0 && steps_[axis] * stride < end) ++steps_[axis];
    }
    if (entry_count({size[0], size[1], steps_[0], steps_[1]}) > caps::seen)
      throw Error("windows " + to_string(size) + " see too many entries of an input " +
                  to_string(from) + " and its padding");
  }

  std::size_t height() const { return steps_[0]; }
  std::size_t width() const { return steps_[1]; }
  /// The number of positions, and of entries at each.
  std::size_t count() const { return height() * width(); }
  std::size_t taps() const { return size_[0] * size_[1]; }

  std::size_t entry(std::size_t channel, std::size_t position, std::size_t tap) const {
    const auto [row, column] = place(position, tap);
    const std::vector<std::size_t>& padding = sliding_.padding;
    if (row < padding[0] || column < padding[1] || row - padding[0] >= from_[1] ||
        column - padding[1] >= from_[2])
      return nothing;
    return (channel * from_[1] + row - padding[0]) * from_[2] + column - padding[1];
  }

  /// The number of entries at a position that are in the planes or their padding: with `ceil_mode`
  /// not all need be.
  std::size_t padded_taps(std::size_t position) const {
    if (!sliding_.ceil_mode) return taps();
    std::size_t result = 0;
    for (std::size_t tap = 0; tap < taps(); ++tap) {
      const auto [row, column] = place(position, tap);
      if (row < room_[0] && column < room_[1]) ++result;
    }
    return result;
  }

 private:
  /// The row and the column of an entry, counted from the beginning of the padding.
  std::pair<std::size_t, std::size_t> place(std::size_t position, std::size_t tap) const {
    return {position / width() * sliding_.stride[0] + tap / size_[1] * sliding_.dilation[0],
            position % width() * sliding_.stride[1] + tap % size_[1] * sliding_.dilation[1]};
  }

  Shape from_;
  std::vector<std::size_t> size_;
  Sliding sliding_;
  std::size_t room_[2] = {}, steps_[2] = {};
};

/// The windows of a pooling layer, from its attributes kernel, those of Sliding (stride by default
/// as kernel; paddings are at most half the kernel, so that every window has an entry) and
/// ceil_mode (default: 0).
struct Pooling {
  std::vector<std::size_t> kernel;
  Sliding sliding;

  static Pooling make(Attributes& attributes) {
    const std::vector<std::size_t> kernel = attributes.naturals("kernel", 2);
    if (kernel[0] == 0 || kernel[1] == 0) throw Error("attribute 'kernel' must be above 0");
    Pooling result{kernel, Sliding::make(attributes, kernel)};
    const std::size_t ceil_mode = attributes.natural("ceil_mode", 0);
    if (ceil_mode > 1) throw Error("attribute 'ceil_mode' must be 0 or 1");
    result.sliding.ceil_mode = ceil_mode == 1;
    for (std::size_t axis = 0; axis < 2; ++axis)
      if (std::max(result.sliding.padding[axis], result.sliding.padding_end[axis]) >
          kernel[axis] / 2)
        throw Error("attribute 'padding' must be at most half of 'kernel'");
    return result;
  }
  std::map<std::string, Attributes::Value, std::less<>> attributes() const {
    auto result = sliding.attributes();
    result.emplace("kernel", attribute(kernel));
    result.emplace("ceil_mode", attribute(sliding.ceil_mode ? 1 : 0));
    return result;
  }

  /// The shape of the output.
  Shape shape(const Shape& from) const {
    const Windows windows = windows_on(from);
    return {from[0], windows.height(), windows.width()};
  }

  /// The windows with equally many entries, without and with padding: the entries of their results,
  /// and for each tap the entry of each window.
  struct Group {
    std::size_t padded;  // entries of each window, with padding
    std::vector<std::size_t> targets;
    std::vector<std::vector<std::size_t>> taps;
  };
  std::vector<Group> groups(const Shape& from) const {
    const Windows windows = windows_on(from);
    std::map<std::pair<std::size_t, std::size_t>, Group> by_count;
    for (std::size_t channel = 0; channel < from[0]; ++channel)
      for (std::size_t position = 0; position < windows.count(); ++position) {
        std::vector<std::size_t> seen;
        for (std::size_t tap = 0; tap < windows.taps(); ++tap)
          if (const std::size_t entry = windows.entry(channel, position, tap); entry != nothing)
            seen.push_back(entry);
        if (seen.empty()) throw Error("a window sees nothing but padding");
        const std::size_t padded = windows.padded_taps(position);
        Group& group = by_count[{seen.size(), padded}];
        group.padded = padded;
        group.targets.push_back(channel * windows.count() + position);
        group.taps.resize(seen.size());
        for (std::size_t tap = 0; tap < seen.size(); ++tap) group.taps[tap].push_back(seen[tap]);
      }
    std::vector<Group> result;
    result.reserve(by_count.size());
    for (auto& [count, group] : by_count) result.push_back(std::move(group));
    return result;
  }

 private:
  Windows windows_on(const Shape& from) const {
    if (from.size() != 3)
      throw Error("takes [channels, height, width] and not an input " + to_string(from));
    return {from, kernel, sliding};
  }
};

/// Combines the entries of each window, two at a time; `finish` gets the result and the group of
/// windows, which have equally many entries and are computed together.
template <Algebra A, typename Combine, typename Finish>
typename A::Value pool(A& a, const typename A::Value& x, const Pooling& pooling,
                       const Combine& combine, const Finish& finish) {
  checked_entries(pooling.shape(a.shape(x)));
  std::vector<typename A::Value> parts;
  std::vector<std::vector<std::size_t>> targets;
  for (const Pooling::Group& group : pooling.groups(a.shape(x))) {
    const Shape shape{group.targets.size()};
    typename A::Value result = a.gather(x, group.taps[0], shape);
    for (std::size_t tap = 1; tap < group.taps.size(); ++tap)
      result = combine(result, a.gather(x, group.taps[tap], shape));
    parts.push_back(finish(result, group));
    targets.push_back(group.targets);
  }
  return scatter(a, parts, targets, pooling.shape(a.shape(x)));
}

}  // namespace wmi::encoders
