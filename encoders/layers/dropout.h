#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// Attribute mode "evaluation" (the default): y = x. Mode "masks": each entry is dropped with
/// probability p (default: 1/2), and otherwise divided by 1 - p. There is a Boolean for each entry,
/// so that the average over all masks is exact.
struct Dropout {
  static constexpr std::string_view keyword = "dropout";
  Rational drop;
  bool masks;

  static Dropout make(Attributes& attributes) {
    const Rational drop = attributes.number("p", ratio(1, 2));
    if (sgn(drop) < 0 || drop >= 1) throw Error("attribute 'p' must be at least 0 and below 1");
    const std::string mode = attributes.word("mode", "evaluation");
    if (mode != "evaluation" && mode != "masks")
      throw Error("attribute 'mode' must be evaluation or masks, not '" + mode + "'");
    return {drop, mode == "masks"};
  }
  Attributes attributes() const {
    return Attributes({{"p", drop}, {"mode", masks ? "masks" : "evaluation"}});
  }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    return masks && drop > 0 ? a.mask(x, 1 - drop) : x;
  }
};

}  // namespace wmi::encoders
