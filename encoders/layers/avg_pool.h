#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"
#include "encoders/layers/window.h"

namespace wmi::encoders {

/// The mean of each window that slides over the planes of [channels, height, width]. Attributes:
/// those of Pooling (padding with 0) and count_include_pad, whether padding counts in the mean: 1
/// (default) or 0. What `ceil_mode` adds never counts.
struct AvgPool {
  static constexpr std::string_view keyword = "avg_pool";
  Pooling pooling;
  bool count_padding;

  static AvgPool make(Attributes& attributes) {
    const Pooling pooling = Pooling::make(attributes);
    const std::size_t count_padding = attributes.natural("count_include_pad", 1);
    if (count_padding > 1) throw Error("attribute 'count_include_pad' must be 0 or 1");
    return {pooling, count_padding == 1};
  }
  Attributes attributes() const {
    auto result = pooling.attributes();
    result.emplace("count_include_pad", attribute(count_padding ? 1 : 0));
    return Attributes(std::move(result));
  }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    using Value = typename A::Value;
    return pool(
        a, x, pooling, [&](const Value& p, const Value& q) { return a.add(p, q); },
        [&](const Value& sum, const Pooling::Group& group) {
          return a.scale(ratio(1, Integer(count_padding ? group.padded : group.taps.size())), sum);
        });
  }
};

}  // namespace wmi::encoders
