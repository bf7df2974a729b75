#pragma once

#include <cstddef>
#include <span>

#include "bnn/numeric/nodes.h"

namespace wmi::bnn {

/// Appends the rule of Gauss of `count` points for a discrete law: positive masses between its
/// least and its largest point that integrate polynomials of degree below 2 `count` as it does. A
/// law of no more points is taken as it is.
///
///     Nodes rule;
///     append_gauss_rule(std::vector{0.0, 1.0, 2.0}, std::vector{0.25, 0.5, 0.25}, 2, rule);
///     // points 1 - sqrt(1/2) and 1 + sqrt(1/2), masses 1/2 each
void append_gauss_rule(std::span<const double> points, std::span<const double> masses,
                       std::size_t count, Nodes& nodes);

}  // namespace wmi::bnn
