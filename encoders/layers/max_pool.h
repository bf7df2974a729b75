#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"
#include "encoders/layers/window.h"

namespace wmi::encoders {

/// The maximum of each window that slides over the planes of [channels, height, width]. Attributes:
/// kernel, stride (default: kernel) and padding, which is ignored in the maximum.
struct MaxPool {
  static constexpr std::string_view keyword = "max_pool";
  Pooling pooling;

  static MaxPool make(Attributes& attributes) { return {Pooling::make(attributes)}; }
  Attributes attributes() const { return Attributes(pooling.attributes()); }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    // Windows with equally many entries are computed together.
    std::vector<typename A::Value> parts;
    std::vector<std::vector<std::size_t>> places;
    for (const Pooling::Group& group : pooling.groups(a.shape(x))) {
      const Shape shape{group.places.size()};
      typename A::Value greatest = a.gather(x, group.taps[0], shape);
      for (std::size_t tap = 1; tap < group.taps.size(); ++tap)
        greatest = a.max(greatest, a.gather(x, group.taps[tap], shape));
      parts.push_back(greatest);
      places.push_back(group.places);
    }
    return scatter(a, parts, places, pooling.shape(a.shape(x)));
  }
};

}  // namespace wmi::encoders
