#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "encoders/algebra.h"
#include "encoders/enclosure.h"
#include "encoders/tensor.h"
#include "solver/terms/error.h"

namespace wmi::encoders {

/// The meaning of a network in shapes alone: whether its layers and tensors fit together.
///
/// `Parameters` maps names to values with a shape.
template <class Parameters>
class ShapeAlgebra {
 public:
  struct Value {
    Shape shape;
  };

  explicit ShapeAlgebra(const Parameters& parameters) : parameters_(parameters) {}

  void enter(std::string_view layer) { layer_ = layer; }
  /// The names of the parameters that layers have asked for.
  const std::set<std::string, std::less<>>& used() const { return used_; }

  Shape shape(const Value& x) const { return x.shape; }
  Value constant(const Shape& shape, const Rational&) const { return {shape}; }
  bool has_parameter(std::string_view name) const { return parameters_.contains(full_name(name)); }
  Value parameter(std::string_view name) {
    const auto found = parameters_.find(full_name(name));
    if (found == parameters_.end()) throw Error("there is no tensor '" + full_name(name) + "'");
    used_.insert(found->first);
    return {found->second.shape};
  }

  Value add(const Value& x, const Value& y) const { return same(x, y); }
  Value multiply(const Value& x, const Value& y) const { return same(x, y); }
  Value max(const Value& x, const Value& y) const { return same(x, y); }
  Value scale(const Rational&, const Value& x) const { return x; }
  Value at_least_zero(const Value& x) const { return x; }
  Value mask(const Value& x, const Rational&) const { return x; }
  Value inverse_root(const Value& x, const Rational&) const { return x; }
  Value reciprocal(const Value& x) const { return x; }
  Value smooth(const Enclosure&, const Value& x) const { return x; }
  Value matrix(const Value& x, const Value& y) const {
    if (x.shape.at(1) != y.shape.at(0)) throw Error("matrices do not fit");
    return {{x.shape[0], y.shape.at(1)}};
  }
  Value gather(const Value&, const std::vector<std::size_t>&, const Shape& shape) const {
    return {shape};
  }

 private:
  static Value same(const Value& x, const Value& y) {
    if (x.shape != y.shape)
      throw Error("shapes " + to_string(x.shape) + " and " + to_string(y.shape) + " differ");
    return x;
  }
  std::string full_name(std::string_view name) const {
    return std::string(layer_) + "." + std::string(name);
  }

  const Parameters& parameters_;
  std::set<std::string, std::less<>> used_;
  std::string_view layer_;
};

}  // namespace wmi::encoders
