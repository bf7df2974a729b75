#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// y = x, limited to the interval of the attributes min and max (-1 and 1).
struct Hardtanh {
  static constexpr std::string_view keyword = "hardtanh";
  Rational low, high;

  static Hardtanh make(Attributes& attributes) {
    Hardtanh result{attributes.number("min", -1), attributes.number("max", 1)};
    if (result.low > result.high) throw Error("attribute 'min' must not be above 'max'");
    return result;
  }
  Attributes attributes() const { return Attributes({{"min", low}, {"max", high}}); }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    return clamp(a, x, low, high);
  }
};

}  // namespace wmi::encoders
