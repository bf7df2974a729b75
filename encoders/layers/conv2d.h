#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"
#include "encoders/layers/window.h"

namespace wmi::encoders {

/// A convolution of [channels, height, width] with `weight` (out x in/groups x height x width) and
/// an optional `bias` (out). Attributes: stride, padding (with 0), padding_end (below and on the
/// right; default: padding), dilation and groups.
struct Conv2d {
  static constexpr std::string_view keyword = "conv2d";
  Sliding sliding;
  std::size_t groups;

  static Conv2d make(Attributes& attributes) {
    Conv2d result{Sliding::make(attributes, {1, 1}), attributes.natural("groups", 1)};
    if (result.groups == 0) throw Error("attribute 'groups' must be above 0");
    return result;
  }
  Attributes attributes() const {
    auto result = sliding.attributes();
    result.emplace("groups", attribute(groups));
    return Attributes(std::move(result));
  }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    const typename A::Value weight = a.parameter("weight");
    const Shape shape = a.shape(weight), from = a.shape(x);
    if (shape.size() != 4 || from.size() != 3 || shape[0] % groups != 0 ||
        from[0] != shape[1] * groups)
      throw Error("weight " + to_string(shape) + " does not fit an input " + to_string(from));
    const Windows windows(from, {shape[2], shape[3]}, sliding);
    const Shape to{shape[0], windows.height(), windows.width()};
    checked_entries(to);
    const std::size_t outputs = shape[0] / groups, taps = shape[1] * shape[2] * shape[3];
    // Each group is a product of matrices: its filters times the windows, one in each column.
    std::vector<typename A::Value> parts;
    std::vector<std::vector<std::size_t>> targets;
    for (std::size_t group = 0; group < groups; ++group) {
      std::vector<std::size_t> filters(outputs * taps);
      std::iota(filters.begin(), filters.end(), group * outputs * taps);
      std::vector<std::size_t> columns;
      for (std::size_t channel = 0; channel < shape[1]; ++channel)
        for (std::size_t tap = 0; tap < shape[2] * shape[3]; ++tap)
          for (std::size_t position = 0; position < windows.count(); ++position)
            columns.push_back(windows.entry(group * shape[1] + channel, position, tap));
      parts.push_back(a.matrix(a.gather(weight, filters, {outputs, taps}),
                               a.gather(x, columns, {taps, windows.count()})));
      targets.emplace_back(outputs * windows.count());
      std::iota(targets.back().begin(), targets.back().end(), group * outputs * windows.count());
    }
    typename A::Value result = scatter(a, parts, targets, to);
    if (!a.has_parameter("bias")) return result;
    const typename A::Value bias = a.parameter("bias");
    if (a.shape(bias) != Shape{shape[0]})
      throw Error("bias " + to_string(a.shape(bias)) + " does not fit a weight " +
                  to_string(shape));
    return a.add(result, spread(a, bias, to));
  }
};

}  // namespace wmi::encoders
