#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wmi::bnn {

/// Small images in colour and their classes. A pixel is a byte; an image is its red, its green and
/// its blue plane, each row by row from the top.
struct Images {
  static constexpr std::size_t side = 32;
  static constexpr std::size_t plane = side * side;
  static constexpr std::size_t bytes = 3 * plane;  // of an image

  std::vector<std::uint8_t> pixels;  // image by image
  std::vector<double> classes;

  std::size_t count() const { return classes.size(); }
  std::span<const std::uint8_t> image(std::size_t i) const { return {&pixels[i * bytes], bytes}; }
};

/// How an image is augmented in training: a crop of the image with a black margin, possibly
/// mirrored.
struct Variation {
  static constexpr std::size_t margin = 4;

  std::size_t down = margin;  // of the part cut out, in the image with its margin; at most twice it
  std::size_t across = margin;  // so that `margin` for both is the image itself
  bool mirrored = false;        // left and right changed, after the cut
};

/// Writes the augmented image, of the same size.
void vary(std::span<const std::uint8_t> image, const Variation& variation,
          std::span<std::uint8_t> result);

}  // namespace wmi::bnn
