#pragma once

#include <cstddef>
#include <optional>

#include "encoders/layers/piecewise_linear.h"
#include "solver/terms/interval.h"
#include "solver/terms/rational.h"

namespace wmi::encoders {

/// The smooth functions that networks use: as torch has them, gelu in its exact form x Phi(x).
enum class Smooth { tanh, sigmoid, gelu, softplus, hardswish };

/// The function at a number, certainly, and within 2^-60 for numbers between -32 and 32.
Interval value_of(Smooth function, const Rational& x);

/// Two piecewise-linear functions that a smooth one certainly lies between, on the whole line.
///
///     enclose(Smooth::tanh, {.low = -4, .high = 4, .width = ratio(1, 100)}).lower
///
/// Between low and high each bound has its points on the same places. Beyond, the function nears a
/// line (y = 0, 1, -1 or x) from one side: one bound goes on parallel to that line from where it
/// stands, the other one bends onto the line and stays there. So both have the same slopes at
/// the ends, and their greatest distance is found at their points.
struct Enclosure {
  Smooth function;
  PiecewiseLinear lower, upper;
  std::size_t pieces;  // between low and high
  Rational width;      // the greatest distance of the two, anywhere
};

/// What is wanted of an enclosure: a number of pieces, and then the narrowest found with it, or a
/// width, and then as few pieces as are found to keep it.
struct EnclosureRequest {
  Rational low, high;
  std::optional<std::size_t> pieces = {};
  std::optional<Rational> width = {};
};

/// Throws Error, naming the attribute of the request, for a range that is empty, too wide (beyond
/// -32 or 32) or does not reach to where the function bends one way only, and for a width that
/// needs a wider range or more than `caps::pieces`.
Enclosure enclose(Smooth function, const EnclosureRequest& request);

/// The request for a width, between low and high or, where that is not enough, further out.
EnclosureRequest request_within(Smooth function, Rational low, Rational high,
                                const Rational& width);

}  // namespace wmi::encoders
