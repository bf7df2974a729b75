#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// y = 1 where x > 0 and -1 where x < 0. The attribute at_zero is the sign of 0: 1 (default), as in
/// binarised networks, or 0.
struct Sign {
  static constexpr std::string_view keyword = "sign";

  bool positive_zero = true;

  static Sign make(Attributes& attributes) {
    const std::size_t at_zero = attributes.natural("at_zero", 1);
    if (at_zero > 1) throw Error("attribute 'at_zero' must be 0 or 1");
    return {at_zero == 1};
  }
  Attributes attributes() const {
    return Attributes({{"at_zero", attribute(positive_zero ? 1 : 0)}});
  }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    if (positive_zero) return shift(a, a.scale(2, a.at_least_zero(x)), -1);
    return a.add(a.at_least_zero(x), negative(a, a.at_least_zero(negative(a, x))));
  }
};

}  // namespace wmi::encoders
