#include "bnn/data/images.h"

namespace wmi::bnn {

void vary(std::span<const std::uint8_t> image, const Variation& variation,
          std::span<std::uint8_t> result) {
  constexpr std::size_t side = Images::side, margin = Variation::margin;
  for (std::size_t colour = 0; colour < 3; ++colour)
    for (std::size_t row = 0; row < side; ++row)
      for (std::size_t column = 0; column < side; ++column) {
        // Where it lies in the image with its margin; without it, one below 0 is beyond the side.
        const std::size_t from_row = row + variation.down - margin;
        const std::size_t from_column =
            (variation.mirrored ? side - 1 - column : column) + variation.across - margin;
        const bool inside = from_row < side && from_column < side;
        result[(colour * side + row) * side + column] =
            inside ? image[(colour * side + from_row) * side + from_column] : 0;
      }
}

}  // namespace wmi::bnn
