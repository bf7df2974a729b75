#include "bnn/training/shapes.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "bnn/training/loss.h"
#include "encoders/enclosure.h"
#include "solver/terms/error.h"

namespace wmi::bnn {
namespace {

using encoders::Shape;

/// The meaning of a network in shapes alone.
class ShapeAlgebra {
 public:
  struct Value {
    Shape shape;
  };

  explicit ShapeAlgebra(const Weights& weights) : weights_(weights) {}

  void enter(std::string_view layer) { layer_ = layer; }
  const std::set<std::string, std::less<>>& used() const { return used_; }

  Shape shape(const Value& x) const { return x.shape; }
  Value constant(const Shape& shape, const Rational&) const { return {shape}; }
  bool has_parameter(std::string_view name) const { return weights_.contains(full_name(name)); }
  Value parameter(std::string_view name) {
    const auto found = weights_.find(full_name(name));
    if (found == weights_.end()) throw Error("there is no tensor '" + full_name(name) + "'");
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
  Value smooth(const encoders::Enclosure&, const Value& x) const { return x; }
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
      throw Error("shapes " + encoders::to_string(x.shape) + " and " +
                  encoders::to_string(y.shape) + " differ");
    return x;
  }
  std::string full_name(std::string_view name) const {
    return std::string(layer_) + "." + std::string(name);
  }

  const Weights& weights_;
  std::set<std::string, std::less<>> used_;
  std::string_view layer_;
};

static_assert(encoders::Algebra<ShapeAlgebra>);

}  // namespace

std::size_t count_outputs(const encoders::Network& network, const Weights& weights) {
  ShapeAlgebra algebra(weights);
  std::size_t result = 0;
  for (const ShapeAlgebra::Value& value :
       encoders::run(network, algebra, ShapeAlgebra::Value{network.input}))
    result += encoders::entry_count(value.shape);
  for (const auto& [name, tensor] : weights)
    if (!algebra.used().contains(name) && name != raw_variance_name &&
        name.find("num_batches") == std::string::npos)
      throw Error("no layer asks for the tensor '" + name + "'");
  return result;
}

void check_weights(const encoders::Network& network, const Observation& observation,
                   std::size_t classes, const Weights& weights) {
  const std::size_t found = count_outputs(network, weights);
  const std::size_t wanted =
      observation.kind == Observation::Kind::softmax ? classes : output_count(observation);
  if (found != wanted)
    throw Error("the network has " + std::to_string(found) + " outputs, and the likelihood reads " +
                std::to_string(wanted));
  const auto raw = weights.find(raw_variance_name);
  if (observation.kind == Observation::Kind::homoscedastic) {
    if (raw == weights.end()) throw Error("there is no tensor '" + raw_variance_name + "'");
    if (raw->second.size() != 1)
      throw Error("'" + raw_variance_name + "' must be one number, not " +
                  encoders::to_string(raw->second.shape));
  } else if (raw != weights.end()) {
    throw Error("'" + raw_variance_name + "' means nothing to this likelihood");
  }
}

}  // namespace wmi::bnn
