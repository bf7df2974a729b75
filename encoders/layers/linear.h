#pragma once

#include "encoders/algebra.h"
#include "encoders/attributes.h"

namespace wmi::encoders {

/// y = W x + b, with `weight` (out x in) and an optional `bias`, along the last axis of x: for each
/// row, if there are several.
struct Linear {
  static constexpr std::string_view keyword = "linear";

  static Linear make(Attributes&) { return {}; }

  template <Algebra A>
  typename A::Value forward(A& a, const typename A::Value& x) const {
    const typename A::Value weight = a.parameter("weight");
    const Shape shape = a.shape(weight), from = a.shape(x);
    if (shape.size() != 2 || from.empty() || shape[1] != from.back())
      throw Error("weight " + to_string(shape) + " does not fit an input " + to_string(from));
    Shape to = from;
    to.back() = shape[0];
    const std::size_t rows = entry_count(from) / shape[1];
    const typename A::Value columns = a.gather(x, transposed(rows, shape[1]), {shape[1], rows});
    typename A::Value result = a.gather(a.matrix(weight, columns), transposed(shape[0], rows), to);
    if (!a.has_parameter("bias")) return result;
    const typename A::Value bias = a.parameter("bias");
    if (a.shape(bias) != Shape{shape[0]})
      throw Error("bias " + to_string(a.shape(bias)) + " does not fit a weight " +
                  to_string(shape));
    return a.add(result, a.gather(bias, broadcast({shape[0]}, to), to));
  }

 private:
  /// The entries of an m x n matrix in the order of its transpose.
  static std::vector<std::size_t> transposed(std::size_t m, std::size_t n) {
    std::vector<std::size_t> result;
    result.reserve(m * n);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < m; ++i) result.push_back(i * n + j);
    return result;
  }
};

}  // namespace wmi::encoders
