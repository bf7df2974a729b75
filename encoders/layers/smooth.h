#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"
#include "encoders/enclosure.h"
#include "solver/terms/decimal.h"

namespace wmi::encoders {

/// Common base of the smooth layers. No exact algebra computes with smooth functions; they are
/// replaced by two piecewise-linear functions that enclose them on the whole line (see Enclosure).
///
/// Attributes: low and high, the range in which the bounds follow the function closely; pieces
/// (their number, default: 16) or width (the largest distance of the bounds); and side, lower or
/// upper: the bound that replaces the function. The same side in all layers is not a bound of the
/// network, since later layers may be decreasing. Without a side, run the network bracketed
/// (encoders/bracket.h), which uses both bounds and ignores this attribute.
struct SmoothLayer {
  enum class Side { lower, upper };
  EnclosureRequest request;
  std::optional<Side> side;
  Enclosure enclosure;

  static SmoothLayer make(Attributes& attributes, Smooth function, const Rational& low,
                          const Rational& high) {
    EnclosureRequest request{attributes.number("low", low), attributes.number("high", high)};
    if (attributes.values().contains("width")) request.width = attributes.number("width");
    if (attributes.values().contains("pieces") || !request.width)
      request.pieces = attributes.natural("pieces", 16);
    std::optional<Side> side;
    if (attributes.values().contains("side")) {
      const std::string word = attributes.word("side");
      if (word != "lower" && word != "upper")
        throw Error("attribute 'side' must be lower or upper, not '" + word + "'");
      side = word == "lower" ? Side::lower : Side::upper;
    }
    return {request, side, enclose(function, request)};
  }
  Attributes attributes() const {
    std::map<std::string, Attributes::Value, std::less<>> result{{"low", request.low},
                                                                 {"high", request.high}};
    if (request.width) result.emplace("width", *request.width);
    if (request.pieces) result.emplace("pieces", attribute(*request.pieces));
    if (side) result.emplace("side", *side == Side::lower ? "lower" : "upper");
    return Attributes(std::move(result));
  }

  /// The assumption that answers report.
  std::string instead_of() const {
    return "a piecewise-linear " + std::string(side == Side::lower ? "lower" : "upper") +
           " bound instead of the smooth function";
  }

  /// The same if both bounds are used.
  std::string enclosed_by() const {
    return "the smooth function, between piecewise-linear bounds at most " +
           decimal(enclosure.width, 3, Rounding::up) + " apart, which the enclosure allows for";
  }

  /// The same function with bounds of at most this distance, in a range as wide as necessary.
  SmoothLayer within(const Rational& width) const {
    const EnclosureRequest wanted =
        request_within(enclosure.function, request.low, request.high, width);
    return {wanted, side, enclose(enclosure.function, wanted)};
  }

  /// An algebra that has the function itself, or uses both bounds, offers `smooth`.
  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    if constexpr (requires { a.smooth(enclosure, x); }) {
      return a.smooth(enclosure, x);
    } else {
      if (!side)
        throw Error(
            "is smooth: give attribute 'side' (lower or upper) to let a bound stand for it, or "
            "bracket the network");
      return (*side == Side::lower ? enclosure.lower : enclosure.upper).forward(a, x);
    }
  }
};

}  // namespace wmi::encoders
