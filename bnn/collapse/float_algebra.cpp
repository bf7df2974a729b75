#include "bnn/collapse/float_algebra.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bnn/numeric/products.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

/// Computed in doubles, so that a float's last bit does not depend on the library.
double smooth_function(encoders::Smooth function, double x) {
  switch (function) {
    case encoders::Smooth::tanh:
      return std::tanh(x);
    case encoders::Smooth::sigmoid:
      return 1 / (1 + std::exp(-x));
    case encoders::Smooth::gelu:
      return x * std::erfc(-x / std::numbers::sqrt2) / 2;
    case encoders::Smooth::softplus:
      return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
    case encoders::Smooth::hardswish:
      return x * std::clamp(x + 3, 0.0, 6.0) / 6;
  }
  throw Error("no such smooth function");
}

template <class Function>
FloatAlgebra::Value mapped(FloatAlgebra::Value x, const Function& function) {
  for (float& entry : x.entries) entry = function(entry);
  return x;
}

}  // namespace

FloatAlgebra::Parameters FloatAlgebra::rounded(const Weights& weights) {
  Parameters result;
  for (const auto& [name, tensor] : weights)
    result.emplace(name, Value{tensor.shape, {tensor.entries.begin(), tensor.entries.end()}});
  return result;
}

FloatAlgebra::Value FloatAlgebra::constant(const encoders::Shape& shape, const Rational& c) const {
  return {shape, std::vector<float>(encoders::entry_count(shape), static_cast<float>(c.get_d()))};
}

FloatAlgebra::Value FloatAlgebra::parameter(std::string_view name) const {
  const auto found = parameters_.find(full_name(name));
  if (found == parameters_.end()) throw Error("there is no tensor '" + full_name(name) + "'");
  return found->second;
}

template <class Function>
FloatAlgebra::Value FloatAlgebra::combined(const Value& x, const Value& y,
                                           const Function& function) const {
  if (x.shape != y.shape)
    throw Error("shapes " + encoders::to_string(x.shape) + " and " + encoders::to_string(y.shape) +
                " differ");
  if (x.batched == y.batched) {
    Value result = x;
    for (std::size_t i = 0; i < result.entries.size(); ++i)
      result.entries[i] = function(result.entries[i], y.entries[i]);
    return result;
  }
  const Value& alike = x.batched ? y : x;
  Value result = x.batched ? x : y;
  float* to = result.entries.data();
  for (const float other : alike.entries)
    for (std::size_t row = 0; row < rows_; ++row, ++to) *to = function(*to, other);
  return result;
}

FloatAlgebra::Value FloatAlgebra::add(const Value& x, const Value& y) const {
  return combined(x, y, [](float a, float b) { return a + b; });
}

FloatAlgebra::Value FloatAlgebra::multiply(const Value& x, const Value& y) const {
  return combined(x, y, [](float a, float b) { return a * b; });
}

FloatAlgebra::Value FloatAlgebra::max(const Value& x, const Value& y) const {
  return combined(x, y, [](float a, float b) { return a < b ? b : a; });
}

FloatAlgebra::Value FloatAlgebra::scale(const Rational& c, const Value& x) const {
  const auto factor = static_cast<float>(c.get_d());
  return mapped(x, [&](float entry) { return factor * entry; });
}

FloatAlgebra::Value FloatAlgebra::at_least_zero(const Value& x) const {
  return mapped(x, [](float entry) { return entry >= 0 ? 1.0F : 0.0F; });
}

FloatAlgebra::Value FloatAlgebra::inverse_root(const Value& x, const Rational& c) const {
  const double shift = c.get_d();
  return mapped(x, [&](float entry) { return static_cast<float>(1 / std::sqrt(entry + shift)); });
}

FloatAlgebra::Value FloatAlgebra::reciprocal(const Value& x) const {
  return mapped(x, [](float entry) { return 1 / entry; });
}

FloatAlgebra::Value FloatAlgebra::smooth(const encoders::Enclosure& enclosure,
                                         const Value& x) const {
  return mapped(x, [&](float entry) {
    return static_cast<float>(smooth_function(enclosure.function, entry));
  });
}

FloatAlgebra::Value FloatAlgebra::ramps(const encoders::Ramps& layer, const Value& x) const {
  const std::size_t rows = x.batched ? rows_ : 1, inputs = x.shape[0];
  Value result = x;
  result.shape = {inputs + layer.size()};
  result.entries.resize(result.shape[0] * rows);
  for (std::size_t k = 0; k < layer.size(); ++k) {
    const auto from = static_cast<float>(layer.begin[k].get_d());
    const auto low = static_cast<float>(layer.low[k].get_d());
    const auto rise = static_cast<float>(Rational(layer.high[k] - layer.low[k]).get_d());
    const auto factor = static_cast<float>(Rational(1 / (layer.end[k] - layer.begin[k])).get_d());
    const float* const entry = x.entries.data() + layer.entries[k] * rows;
    float* const to = result.entries.data() + (inputs + k) * rows;
    for (std::size_t row = 0; row < rows; ++row)
      to[row] = low + rise * std::clamp((entry[row] - from) * factor, 0.0F, 1.0F);
  }
  return result;
}

FloatAlgebra::Value FloatAlgebra::matrix(const Value& x, const Value& y) const {
  const std::size_t m = x.shape[0], k = x.shape[1], n = y.shape[1];
  if (y.shape[0] != k) throw Error("matrices do not fit");
  const bool batched = x.batched || y.batched;
  const std::size_t rows = batched ? rows_ : 1;
  Value result{{m, n}, std::vector<float>(m * n * rows), batched};
  if (!x.batched && y.batched) {  // the columns of all rows at once
    add_products(m, k, FloatFactors{x.entries.data(), k, 1}, y.entries.data(), n * rows,
                 result.entries.data());
    return result;
  }
  // Entry i of a value begins at i * across and has the step 0 where all rows have the same number.
  const std::size_t across_x = x.batched ? rows : 1, across_y = y.batched ? rows : 1;
  const std::size_t step_x = x.batched ? 1 : 0, step_y = y.batched ? 1 : 0;
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t l = 0; l < k; ++l)
      for (std::size_t j = 0; j < n; ++j) {
        const float* a = x.entries.data() + (i * k + l) * across_x;
        const float* b = y.entries.data() + (l * n + j) * across_y;
        float* const to = result.entries.data() + (i * n + j) * rows;
        for (std::size_t row = 0; row < rows; ++row) to[row] += a[row * step_x] * b[row * step_y];
      }
  return result;
}

FloatAlgebra::Value FloatAlgebra::gather(const Value& x, const std::vector<std::size_t>& entries,
                                         const encoders::Shape& shape) const {
  bool same = entries.size() == encoders::entry_count(x.shape);
  for (std::size_t i = 0; same && i < entries.size(); ++i) same = entries[i] == i;
  if (same) return {shape, x.entries, x.batched};
  const std::size_t rows = x.batched ? rows_ : 1;
  Value result{shape, std::vector<float>(entries.size() * rows), x.batched};
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (entries[i] != encoders::nothing)
      std::copy_n(x.entries.data() + entries[i] * rows, rows, result.entries.data() + i * rows);
  return result;
}

}  // namespace wmi::bnn
