#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// The positions of a window that slides over the planes of [channels, height, width], and the
/// entries in it: `nothing` in the padding.
class Windows {
 public:
  /// Throws Error for a stride of 0, a window that is too large, and too many entries in all.
  Windows(const Shape& from, const std::vector<std::size_t>& size,
          const std::vector<std::size_t>& stride, const std::vector<std::size_t>& padding)
      : from_(from), size_(size), stride_(stride), padding_(padding) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      if (stride[axis] == 0) throw Error("attribute 'stride' must be above 0");
      const std::size_t room = from[axis + 1] + 2 * padding[axis];
      if (size[axis] == 0 || size[axis] > room)
        throw Error("a window " + to_string(size) + " does not fit an input " + to_string(from));
      steps_[axis] = (room - size[axis]) / stride[axis] + 1;
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
    const std::size_t row = position / width() * stride_[0] + tap / size_[1];
    const std::size_t column = position % width() * stride_[1] + tap % size_[1];
    if (row < padding_[0] || column < padding_[1] || row - padding_[0] >= from_[1] ||
        column - padding_[1] >= from_[2])
      return nothing;
    return (channel * from_[1] + row - padding_[0]) * from_[2] + column - padding_[1];
  }

 private:
  Shape from_;
  std::vector<std::size_t> size_, stride_, padding_;
  std::size_t steps_[2] = {};
};

/// The windows of a pooling layer, from its attributes kernel, stride (default: kernel) and padding
/// (at most half the kernel, so that every window has an entry).
struct Pooling {
  std::vector<std::size_t> kernel, stride, padding;

  static Pooling make(Attributes& attributes) {
    Pooling result{attributes.naturals("kernel", 2), attributes.naturals("stride", 2, 0),
                   attributes.naturals("padding", 2, 0)};
    for (std::size_t axis = 0; axis < 2; ++axis) {
      if (result.kernel[axis] == 0) throw Error("attribute 'kernel' must be above 0");
      if (result.stride[axis] == 0) result.stride[axis] = result.kernel[axis];
      if (result.padding[axis] > result.kernel[axis] / 2)
        throw Error("attribute 'padding' must be at most half of 'kernel'");
    }
    return result;
  }
  std::map<std::string, Attributes::Value, std::less<>> attributes() const {
    return {{"kernel", attribute(kernel)},
            {"stride", attribute(stride)},
            {"padding", attribute(padding)}};
  }

  std::size_t taps() const { return kernel[0] * kernel[1]; }

  /// The shape of the output.
  Shape shape(const Shape& from) const {
    const Windows windows = windows_on(from);
    return {from[0], windows.height(), windows.width()};
  }

  /// The windows with equally many entries, padding aside: the entries of their results, and for
  /// each tap the entry of each window.
  struct Group {
    std::vector<std::size_t> targets;
    std::vector<std::vector<std::size_t>> taps;
  };
  std::vector<Group> groups(const Shape& from) const {
    const Windows windows = windows_on(from);
    std::map<std::size_t, Group> by_count;
    for (std::size_t channel = 0; channel < from[0]; ++channel)
      for (std::size_t position = 0; position < windows.count(); ++position) {
        std::vector<std::size_t> seen;
        for (std::size_t tap = 0; tap < windows.taps(); ++tap)
          if (const std::size_t entry = windows.entry(channel, position, tap); entry != nothing)
            seen.push_back(entry);
        Group& group = by_count[seen.size()];
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
    return {from, kernel, stride, padding};
  }
};

/// Combines the entries of each window, two at a time; `finish` gets the result and the number of
/// entries, padding aside. Windows with equally many entries are computed together.
template <Algebra A, typename Combine, typename Finish>
typename A::Value pool(A& a, const typename A::Value& x, const Pooling& pooling,
                       const Combine& combine, const Finish& finish) {
  std::vector<typename A::Value> parts;
  std::vector<std::vector<std::size_t>> targets;
  for (const Pooling::Group& group : pooling.groups(a.shape(x))) {
    const Shape shape{group.targets.size()};
    typename A::Value result = a.gather(x, group.taps[0], shape);
    for (std::size_t tap = 1; tap < group.taps.size(); ++tap)
      result = combine(result, a.gather(x, group.taps[tap], shape));
    parts.push_back(finish(result, group.taps.size()));
    targets.push_back(group.targets);
  }
  return scatter(a, parts, targets, pooling.shape(a.shape(x)));
}

}  // namespace wmi::encoders
