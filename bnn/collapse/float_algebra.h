#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bnn/data/weights.h"
#include "encoders/enclosure.h"
#include "encoders/network.h"
#include "encoders/tensor.h"
#include "solver/terms/rational.h"

namespace wmi::bnn {

/// A network on a batch of inputs in 32-bit floats, without LibTorch. Sums are taken in the same
/// order on every machine (bnn/numeric/products.h).
class FloatAlgebra {
 public:
  /// Entry by entry, with the rows of the batch side by side; or one number for each entry, the
  /// same in all rows.
  struct Value {
    encoders::Shape shape;
    std::vector<float> entries;
    bool batched = false;
  };

  /// The weights, each rounded to a float, under their names.
  using Parameters = std::map<std::string, Value, std::less<>>;
  static Parameters rounded(const Weights& weights);

  /// `rows` of the batch, a multiple of bnn::float_lanes.
  FloatAlgebra(const Parameters& parameters, std::size_t rows)
      : parameters_(parameters), rows_(rows) {}

  void enter(std::string_view layer) { layer_ = layer; }

  encoders::Shape shape(const Value& x) const { return x.shape; }
  Value constant(const encoders::Shape& shape, const Rational& c) const;
  bool has_parameter(std::string_view name) const { return parameters_.contains(full_name(name)); }
  Value parameter(std::string_view name) const;

  Value add(const Value& x, const Value& y) const;
  Value scale(const Rational& c, const Value& x) const;
  Value multiply(const Value& x, const Value& y) const;
  Value matrix(const Value& x, const Value& y) const;
  Value gather(const Value& x, const std::vector<std::size_t>& entries,
               const encoders::Shape& shape) const;
  Value max(const Value& x, const Value& y) const;
  Value at_least_zero(const Value& x) const;
  /// Nothing is dropped: this is no training.
  Value mask(const Value& x, const Rational&) const { return x; }
  Value inverse_root(const Value& x, const Rational& c) const;
  Value reciprocal(const Value& x) const;
  /// The smooth function itself, not its bounds.
  Value smooth(const encoders::Enclosure& enclosure, const Value& x) const;
  /// All ramps at once.
  Value ramps(const encoders::Ramps& layer, const Value& x) const;

 private:
  std::string full_name(std::string_view name) const {
    return std::string(layer_) + "." + std::string(name);
  }
  template <class Function>
  Value combined(const Value& x, const Value& y, const Function& function) const;

  const Parameters& parameters_;
  std::size_t rows_;
  std::string_view layer_;
};

static_assert(encoders::Algebra<FloatAlgebra>);

}  // namespace wmi::bnn
