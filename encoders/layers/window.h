#pragma once

#include <cstddef>
#include <vector>

#include "encoders/algebra.h"

namespace wmi::encoders {

/// Where a window of some size stands as it slides over the planes of [channels, height, width],
/// and which entries it sees there: `nothing` in the padding.
class Windows {
 public:
  /// Throws Error for a stride of 0 or a window that fits nowhere.
  Windows(const Shape& from, const std::vector<std::size_t>& size,
          const std::vector<std::size_t>& stride, const std::vector<std::size_t>& padding)
      : from_(from), size_(size), stride_(stride), padding_(padding) {
    for (const std::size_t axis : {0, 1}) {
      if (stride[axis] == 0) throw Error("attribute 'stride' must be above 0");
      const std::size_t room = from[axis + 1] + 2 * padding[axis];
      if (size[axis] == 0 || size[axis] > room)
        throw Error("a window " + to_string(size) + " does not fit an input " + to_string(from));
      steps_[axis] = (room - size[axis]) / stride[axis] + 1;
    }
  }

  std::size_t height() const { return steps_[0]; }
  std::size_t width() const { return steps_[1]; }
  /// How many places, and how many entries at each.
  std::size_t count() const { return height() * width(); }
  std::size_t taps() const { return size_[0] * size_[1]; }

  std::size_t entry(std::size_t channel, std::size_t place, std::size_t tap) const {
    const std::size_t row = place / width() * stride_[0] + tap / size_[1];
    const std::size_t column = place % width() * stride_[1] + tap % size_[1];
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

}  // namespace wmi::encoders
