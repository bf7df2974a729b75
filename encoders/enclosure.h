#pragma once

#include <cstddef>
#include <optional>

#include "encoders/layers/piecewise_linear.h"
#include "encoders/smooth_function.h"
#include "solver/terms/rational.h"

namespace wmi::encoders {

/// Two piecewise-linear functions that enclose a smooth one on the whole line.
///
///     enclose(Smooth::tanh, {.low = -4, .high = 4, .width = ratio(1, 100)}).lower;
///
/// Between low and high both bounds have the same points. Beyond, the function approaches an
/// asymptote (y = 0, 1, -1 or x) from one side: one bound continues parallel to the asymptote, the
/// other bends onto it and stays there. So both have the same slopes at the ends, and their
/// greatest distance is at one of their points.
struct Enclosure {
  Smooth function;
  PiecewiseLinear lower, upper;
  std::size_t pieces;  // between low and high
  Rational width;      // the greatest distance of the two
};

/// A range, and either a number of pieces, for the narrowest enclosure found with it, or a width,
/// for an enclosure with few pieces.
struct EnclosureRequest {
  Rational low, high;
  std::optional<std::size_t> pieces = {};
  std::optional<Rational> width = {};
};

/// Throws Error, naming the attribute of the request, for a range that is empty, too wide (beyond
/// -32 or 32) or does not contain all inflection points, and for a width that needs a wider range
/// or more than `caps::pieces`.
Enclosure enclose(Smooth function, const EnclosureRequest& request);

/// The request for a width, with a range from low to high or, if that is not enough, a wider one.
EnclosureRequest request_within(Smooth function, Rational low, Rational high,
                                const Rational& width);

}  // namespace wmi::encoders
