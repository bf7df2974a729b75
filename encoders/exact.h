#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "encoders/network.h"
#include "encoders/tensor.h"
#include "solver/terms/error.h"
#include "solver/terms/rational.h"

namespace wmi::encoders {

/// The meaning of a network in exact numbers.
class ExactAlgebra {
 public:
  using Value = Tensor<Rational>;

  /// `masks` are the entries that dropout keeps, in order of evaluation.
  explicit ExactAlgebra(const Network& network, std::vector<bool> masks = {})
      : network_(network), masks_(std::move(masks)) {}

  void enter(std::string_view layer) { layer_ = layer; }

  Shape shape(const Value& x) const { return x.shape; }
  Value constant(const Shape& shape, const Rational& c) const { return Value::filled(shape, c); }

  bool has_parameter(std::string_view name) const {
    return network_.parameters.contains(full_name(name));
  }
  Value parameter(std::string_view name) const {
    const auto found = network_.parameters.find(full_name(name));
    if (found == network_.parameters.end())
      throw Error("there is no tensor '" + full_name(name) + "'");
    return found->second;
  }

  Value add(const Value& x, const Value& y) const {
    return combined(x, y, [](const Rational& a, const Rational& b) -> Rational { return a + b; });
  }
  Value multiply(const Value& x, const Value& y) const {
    return combined(x, y, [](const Rational& a, const Rational& b) -> Rational { return a * b; });
  }
  Value max(const Value& x, const Value& y) const {
    return combined(
        x, y, [](const Rational& a, const Rational& b) -> Rational { return std::max(a, b); });
  }
  Value scale(const Rational& c, const Value& x) const {
    return mapped(x, [&](const Rational& a) -> Rational { return c * a; });
  }
  Value at_least_zero(const Value& x) const {
    return mapped(x, [](const Rational& a) -> Rational { return a >= 0 ? 1 : 0; });
  }
  Value mask(const Value& x, const Rational& keep) {
    return mapped(x, [&](const Rational& a) -> Rational {
      if (next_mask_ == masks_.size()) throw Error("dropout needs a mask for each entry");
      return masks_[next_mask_++] ? Rational(a / keep) : Rational(0);
    });
  }
  /// The same masks for both.
  std::pair<Value, Value> mask_both(const Value& x, const Value& y, const Rational& keep) {
    const std::size_t before = next_mask_;
    Value first = mask(x, keep);
    next_mask_ = before;
    return {std::move(first), mask(y, keep)};
  }
  Value inverse_root(const Value& x, const Rational& c) const {
    return mapped(x, [&](const Rational& a) { return encoders::inverse_root(a + c); });
  }
  Value reciprocal(const Value& x) const {
    return mapped(x, [](const Rational& a) { return encoders::reciprocal(a); });
  }

  Value matrix(const Value& x, const Value& y) const {
    const std::size_t m = x.shape[0], k = x.shape[1], n = y.shape[1];
    if (y.shape[0] != k) throw Error("matrices do not fit");
    Value result = Value::filled({m, n}, 0);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t l = 0; l < k; ++l)
        if (const Rational& factor = x.entries[i * k + l]; factor != 0)
          for (std::size_t j = 0; j < n; ++j)
            result.entries[i * n + j] += factor * y.entries[l * n + j];
    return result;
  }

  Value gather(const Value& x, const std::vector<std::size_t>& entries, const Shape& shape) const {
    Value result = Value::filled(shape, 0);
    for (std::size_t i = 0; i < entries.size(); ++i)
      if (entries[i] != nothing) result.entries[i] = x.entries.at(entries[i]);
    return result;
  }

 private:
  template <class Function>
  static Value mapped(const Value& x, Function&& function) {
    Value result = x;
    for (Rational& entry : result.entries) entry = function(entry);
    return result;
  }

  template <class Function>
  static Value combined(const Value& x, const Value& y, Function&& function) {
    if (x.shape != y.shape)
      throw Error("shapes " + to_string(x.shape) + " and " + to_string(y.shape) + " differ");
    Value result = x;
    for (std::size_t i = 0; i < x.size(); ++i)
      result.entries[i] = function(x.entries[i], y.entries[i]);
    return result;
  }

  std::string full_name(std::string_view name) const {
    return std::string(layer_) + "." + std::string(name);
  }

  const Network& network_;
  std::vector<bool> masks_;
  std::size_t next_mask_ = 0;
  std::string_view layer_;
};

static_assert(Algebra<ExactAlgebra>);

/// The outputs of the network for an input, exactly.
inline std::vector<Tensor<Rational>> run_exactly(const Network& network,
                                                 const Tensor<Rational>& input,
                                                 std::vector<bool> masks = {}) {
  ExactAlgebra algebra(network, std::move(masks));
  return run(network, algebra, input);
}

}  // namespace wmi::encoders
