#pragma once

#include <string>
#include <string_view>

#include "solver/laws/law.h"

namespace wmi::frontends {

/// A picture of the law as an SVG document: its density above, its distribution function below.
///
/// Point masses are stems with a dot, labelled, on a scale of their own to the right; where the
/// density jumps there is a vertical line. The same law and title give the same bytes. Throws Error
/// for a law without mass.
///
///     std::ofstream("relu.svg") << plot(relu, "max(0, w), w uniform on [-3, 3]");
std::string plot(const Law& law, std::string_view title);

}  // namespace wmi::frontends
