#include "bnn/data/images.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace wmi::bnn {
namespace {

constexpr std::size_t side = Images::side;

/// One image whose pixels differ.
Images one_image() {
  Images result{{}, {3}};
  for (std::size_t i = 0; i < Images::bytes; ++i)
    result.pixels.push_back(static_cast<std::uint8_t>(1 + i * 7 % 251));
  return result;
}

TEST_CASE("an augmented image is a crop of the image with a black margin, then mirrored") {
  const Images images = one_image();
  const auto image = images.image(0);
  std::vector<std::uint8_t> found(Images::bytes);
  vary(image, {}, found);
  CHECK(std::equal(found.begin(), found.end(), image.begin()));
  // Two rows further down than itself, and three columns further left.
  vary(image, {6, 1, false}, found);
  const auto at = [](std::size_t colour, std::size_t row, std::size_t column) {
    return (colour * side + row) * side + column;
  };
  CHECK(found[at(1, 0, 3)] == image[at(1, 2, 0)]);
  CHECK(found[at(2, 29, 31)] == image[at(2, 31, 28)]);
  CHECK(found[at(0, 29, 2)] == 0);   // left of it
  CHECK(found[at(0, 30, 10)] == 0);  // below it
  std::vector<std::uint8_t> mirrored(Images::bytes);
  vary(image, {6, 1, true}, mirrored);
  // The part that is cut out is mirrored: as when the image is, and the cut is on its other side.
  std::vector<std::uint8_t> other(Images::bytes), turned(Images::bytes);
  vary(image, {4, 4, true}, turned);
  vary(turned, {6, 7, false}, other);
  CHECK(mirrored == other);
}

}  // namespace
}  // namespace wmi::bnn
