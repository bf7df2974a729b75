#include "solver/geometry/normalised_box.h"

#include <algorithm>
#include <cmath>

namespace wmi {

std::optional<NormalisedBox> NormalisedBox::around(std::span<const Interval> ranges) {
  constexpr double most = 0x1p900;
  NormalisedBox result;
  for (const Interval& range : ranges) {
    const double centre = Rational((range.lower + range.upper) / 2).get_d();
    if (!(std::abs(centre) < most)) return std::nullopt;
    const Rational half = std::max<Rational>(range.upper - centre, centre - range.lower);
    double half_width = half.get_d();
    while (half_width < most && Rational(half_width) < half)
      half_width = std::nextafter(half_width, HUGE_VAL);
    if (!(half_width > 1 / most && half_width < most)) return std::nullopt;
    result.centre.push_back(centre);
    result.half_width.push_back(half_width);
  }
  return result;
}

}  // namespace wmi
