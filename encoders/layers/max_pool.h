#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"
#include "encoders/layers/window.h"

namespace wmi::encoders {

/// The maximum of each window that slides over the planes of [channels, height, width]. Attributes:
/// those of Pooling; padding is ignored in the maximum.
struct MaxPool {
  static constexpr std::string_view keyword = "max_pool";
  Pooling pooling;

  static MaxPool make(Attributes& attributes) { return {Pooling::make(attributes)}; }
  Attributes attributes() const { return Attributes(pooling.attributes()); }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    using Value = typename A::Value;
    return pool(
        a, x, pooling, [&](const Value& p, const Value& q) { return a.max(p, q); },
        [](const Value& greatest, const Pooling::Group&) { return greatest; });
  }
};

}  // namespace wmi::encoders
