#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "encoders/algebra.h"
#include "encoders/network.h"
#include "encoders/tensor.h"

namespace wmi::frontends {

/// The meaning of a network in doubles: quick, and without any guarantee. What is found with it has
/// to be checked.
class DoubleAlgebra {
 public:
  using Value = encoders::Tensor<double>;
  using Shape = encoders::Shape;

  explicit DoubleAlgebra(const encoders::Network& network) {
    for (const auto& [name, tensor] : network.parameters) {
      Value& rounded = parameters_[name] = Value::filled(tensor.shape, 0);
      std::ranges::transform(tensor.entries, rounded.entries.begin(),
                             [](const Rational& entry) { return entry.get_d(); });
    }
  }

  void enter(std::string_view layer) { layer_ = layer; }

  Shape shape(const Value& x) const { return x.shape; }
  Value constant(const Shape& shape, const Rational& c) const {
    return Value::filled(shape, c.get_d());
  }
  bool has_parameter(std::string_view name) const { return parameters_.contains(full_name(name)); }
  Value parameter(std::string_view name) const {
    const auto found = parameters_.find(full_name(name));
    if (found == parameters_.end()) throw Error("there is no tensor '" + full_name(name) + "'");
    return found->second;
  }

  Value add(const Value& x, const Value& y) const {
    return combined(x, y, [](double a, double b) { return a + b; });
  }
  Value multiply(const Value& x, const Value& y) const {
    return combined(x, y, [](double a, double b) { return a * b; });
  }
  Value max(const Value& x, const Value& y) const {
    return combined(x, y, [](double a, double b) { return std::max(a, b); });
  }
  Value scale(const Rational& c, const Value& x) const {
    return mapped(x, [factor = c.get_d()](double a) { return factor * a; });
  }
  Value at_least_zero(const Value& x) const {
    return mapped(x, [](double a) { return a >= 0 ? 1.0 : 0.0; });
  }
  Value mask(const Value& x, const Rational& /*keep*/) const { return x; }
  std::pair<Value, Value> mask_both(const Value& x, const Value& y,
                                    const Rational& /*keep*/) const {
    return {x, y};
  }
  Value inverse_root(const Value& x, const Rational& c) const {
    return mapped(x, [shift = c.get_d()](double a) { return 1 / std::sqrt(a + shift); });
  }
  Value reciprocal(const Value& x) const {
    return mapped(x, [](double a) { return 1 / a; });
  }
  Value matrix(const Value& x, const Value& y) const {
    const std::size_t m = x.shape[0], k = x.shape[1], n = y.shape[1];
    Value result = Value::filled({m, n}, 0);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t l = 0; l < k; ++l)
        for (std::size_t j = 0; j < n; ++j)
          result.entries[i * n + j] += x.entries[i * k + l] * y.entries[l * n + j];
    return result;
  }
  Value gather(const Value& x, const std::vector<std::size_t>& entries, const Shape& shape) const {
    Value result = Value::filled(shape, 0);
    for (std::size_t i = 0; i < entries.size(); ++i)
      if (entries[i] != encoders::nothing) result.entries[i] = x.entries[entries[i]];
    return result;
  }

  /// The entry of a parameter, which may be changed between runs.
  double& entry(const std::string& tensor, std::size_t number) {
    return parameters_.at(tensor).entries.at(number);
  }

 private:
  template <class Function>
  static Value mapped(Value x, Function&& function) {
    for (double& entry : x.entries) entry = function(entry);
    return x;
  }
  template <class Function>
  static Value combined(Value x, const Value& y, Function&& function) {
    for (std::size_t i = 0; i < x.size(); ++i) x.entries[i] = function(x.entries[i], y.entries[i]);
    return x;
  }
  std::string full_name(std::string_view name) const {
    return std::string(layer_) + "." + std::string(name);
  }

  std::map<std::string, Value, std::less<>> parameters_;
  std::string_view layer_;
};

static_assert(encoders::Algebra<DoubleAlgebra>);

}  // namespace wmi::frontends
