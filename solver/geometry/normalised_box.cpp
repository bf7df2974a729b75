#include "solver/geometry/normalised_box.h"

#include <algorithm>
#include <cmath>

#include "solver/terms/enclosed_polynomial.h"

namespace wmi {

std::optional<NormalisedBox> NormalisedBox::around(std::span<const Interval> ranges) {
  constexpr double most = 0x1p900;
  NormalisedBox result;
  for (const Interval& range : ranges) {
    const double centre = round_outwards((range.lower + range.upper) / 2).lower;
    if (!(std::abs(centre) < most)) return std::nullopt;
    const double half_width =
        round_outwards(std::max<Rational>(range.upper - centre, centre - range.lower)).upper;
    if (!(half_width > 1 / most && half_width < most)) return std::nullopt;
    result.centre.push_back(centre);
    result.half_width.push_back(half_width);
  }
  return result;
}

}  // namespace wmi
