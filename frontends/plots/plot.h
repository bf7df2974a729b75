#pragma once

#include <string>
#include <string_view>

#include "solver/laws/law.h"

namespace wmi::frontends {

/// A picture of the law as an SVG document: its density above, its distribution function below.
///
/// Point masses are labelled stems with a dot, on a scale of their own to the right; jumps of the
/// density are vertical lines. The same law and title give the same bytes. Throws Error for a law
/// without mass.
///
///     const Law relu({{0, ratio(1, 2)}}, {{0, 3, Univariate::constant(ratio(1, 6))}});
///     const std::string svg = plot(relu, "max(0, w), w uniform on [-3, 3]");
std::string plot(const Law& law, std::string_view title);

}  // namespace wmi::frontends
