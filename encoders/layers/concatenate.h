#pragma once

#include <span>

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// Its inputs one after the other along the attribute axis (default: 0, the first); they agree in
/// all other axes.
struct Concatenate {
  static constexpr std::string_view keyword = "concatenate";
  std::size_t axis;

  static Concatenate make(Attributes& attributes) { return {attributes.natural("axis", 0)}; }
  Attributes attributes() const { return Attributes({{"axis", attribute(axis)}}); }

  template <Algebra A>
  typename A::Value forward(A& a, std::span<const typename A::Value> inputs) const {
    Shape to = a.shape(inputs[0]);
    if (axis >= to.size())
      throw Error("an input " + to_string(to) + " has no axis " + std::to_string(axis));
    std::size_t length = 0;
    for (const typename A::Value& input : inputs) {
      Shape shape = a.shape(input);
      const std::size_t along = shape.size() == to.size() ? shape[axis] : 0;
      if (shape.size() == to.size()) shape[axis] = to[axis];
      if (shape != to)
        throw Error("cannot join " + to_string(a.shape(input)) + " to " +
                    to_string(a.shape(inputs[0])) + " along axis " + std::to_string(axis));
      length += along;
    }
    to[axis] = length;
    checked_entries(to);

    std::size_t outer = 1, inner = 1;
    for (std::size_t i = 0; i < to.size(); ++i) (i < axis ? outer : inner) *= i == axis ? 1 : to[i];
    std::vector<std::vector<std::size_t>> targets;
    std::size_t start = 0;
    for (const typename A::Value& input : inputs) {
      const std::size_t block = a.shape(input)[axis] * inner;
      std::vector<std::size_t>& mine = targets.emplace_back();
      for (std::size_t i = 0; i < outer; ++i)
        for (std::size_t j = 0; j < block; ++j) mine.push_back(i * length * inner + start + j);
      start += block;
    }
    return scatter(a, std::vector<typename A::Value>(inputs.begin(), inputs.end()), targets, to);
  }
};

}  // namespace wmi::encoders
